package registry

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// trickle reads a body that sends size bytes every pause, count times.
func trickle(t *testing.T, pause time.Duration, size, count int) (int64, error) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = r.CloseWithError(context.Cause(ctx)) })
	defer stop()
	b := newPatientBody(r, cancel, defaultPace())
	done := make(chan struct{})
	defer func() {
		_ = b.Close()
		<-done
	}()
	go func() {
		defer close(done)
		for range count {
			time.Sleep(pause)
			if _, err := w.Write(make([]byte, size)); err != nil {
				return
			}
		}
		_ = w.Close()
	}()
	return io.Copy(io.Discard, b)
}

func TestBodyThatStallsOrTrickles(t *testing.T) {
	for _, tt := range []struct {
		name        string
		pause       time.Duration
		size, count int
		want        error
	}{
		{"slow line", time.Second, 1 << 10, 600, nil},
		{"one pause", 29 * time.Second, 100, 2, nil},
		{"stalls", 31 * time.Second, 1 << 20, 3, errStalled},
		{"never", time.Hour, 1, 1, errStalled},
		{"trickles", 20 * time.Second, 1, 1000, errTrickle},
		{"trickles fast", time.Second, 10, 100000, errTrickle},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, err := trickle(t, tt.pause, tt.size, tt.count)
				if !errors.Is(err, tt.want) {
					t.Errorf("error is %v, want %v", err, tt.want)
				}
				if all := int64(tt.size * tt.count); (n == all) != (tt.want == nil) {
					t.Errorf("got %d of %d bytes", n, all)
				}
			})
		})
	}
}

// TestSlowReader: only the registry's time counts, not the reader's.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		b := newPatientBody(r, func(error) {}, defaultPace())
		go func() {
			_, _ = w.Write([]byte("abc"))
			_ = w.Close()
		}()
		got := 0
		for one := make([]byte, 1); ; {
			n, err := b.Read(one)
			got += n
			if errors.Is(err, io.EOF) {
				break
			}
			must(t, err)
			time.Sleep(time.Hour)
		}
		if got != 3 {
			t.Errorf("got %d bytes", got)
		}
	})
}
