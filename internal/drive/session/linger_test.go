package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// stayer lingers with an idle server until its end.
func stayer(opts *Options, end <-chan struct{}) *lingering {
	o := opts.withDefaults()
	return &lingering{waiter: &waiter{clock: o.Timing.Clock, gone: end}, timing: &o.Timing, progress: o.Progress}
}

func TestLinger(t *testing.T) {
	for name, c := range map[string]struct {
		linger  time.Duration
		busyFor time.Duration
		want    time.Duration
	}{
		"not at all":              {0, 0, 0},
		"idle":                    {2 * time.Second, 0, 2 * time.Second},
		"busy for a while":        {2 * time.Second, 3 * time.Second, 3 * time.Second},
		"busy for ever":           {2 * time.Second, time.Hour, 6 * time.Second},
		"busy, but not for long":  {2 * time.Second, time.Second, 2 * time.Second},
		"busy to the last moment": {time.Second, 3 * time.Second, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				opts := &Options{Timing: Timing{Linger: c.linger, Busy: func() bool { return time.Since(began) < c.busyFor }}}
				if err := stayer(opts, nil).run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := time.Since(began); got != c.want {
					t.Errorf("stayed %v, want %v", got, c.want)
				}
			})
		})
	}
}

func TestLingerEndsEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(end) })
		opts := &Options{Timing: Timing{Linger: time.Minute}}
		if err := stayer(opts, end).run(t.Context()); err == nil {
			t.Error("the server's end went unnoticed")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := stayer(opts, nil).run(ctx); err == nil {
			t.Error("the context's end went unnoticed")
		}
	})
}

func TestLingerForAnAlarm(t *testing.T) {
	for name, c := range map[string]struct {
		rings, patience, want time.Duration
	}{
		"none":              {0, 30 * time.Second, 2 * time.Second},
		"soon":              {20 * time.Second, 30 * time.Second, 21 * time.Second},
		"too late":          {40 * time.Second, 30 * time.Second, 2 * time.Second},
		"over already":      {time.Second, 30 * time.Second, 2 * time.Second},
		"nobody wants that": {20 * time.Second, 0, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				alarm := func(within time.Duration) time.Duration {
					if left := c.rings - time.Since(began); left > 0 && left <= within {
						return left
					}
					return 0
				}
				opts := &Options{Timing: Timing{Linger: 2 * time.Second, Alarm: alarm, Patience: c.patience}}
				if err := stayer(opts, nil).run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := time.Since(began); got != c.want {
					t.Errorf("stayed %v, want %v", got, c.want)
				}
			})
		})
	}
}

// What a timer starts is seen to its end, as long as it is busy.
func TestLingerAfterAnAlarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		const rings, works = 20 * time.Second, 2500 * time.Millisecond
		alarm := func(time.Duration) time.Duration { return max(0, rings-time.Since(began)) }
		busy := func() bool { return time.Since(began) >= rings && time.Since(began) < rings+works }
		opts := &Options{Timing: Timing{Linger: 2 * time.Second, Alarm: alarm, Busy: busy, Patience: 30 * time.Second}}
		if err := stayer(opts, nil).run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(began); got < rings+works {
			t.Errorf("stayed %v, and it was busy until %v", got, rings+works)
		}
	})
}

// Time that other programs take is added.
func TestLingerOnABusyMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		lost := func() time.Duration { return time.Since(began) / 2 }
		opts := &Options{Timing: Timing{Linger: 2 * time.Second, Lost: lost}}
		if err := stayer(opts, nil).run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(began); got < 3500*time.Millisecond || got > 4*time.Second {
			t.Errorf("stayed %v, want almost 4 s", got)
		}
	})
}
