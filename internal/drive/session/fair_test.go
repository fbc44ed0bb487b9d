package session

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLimit: the time that others take of the processors is added to a timeout.
func TestLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		share float64 // of the time that is lost
		want  time.Duration
	}{
		"idle":             {0, 2 * time.Second},
		"half of it":       {0.5, 3937500 * time.Microsecond},
		"four fifth of it": {0.8, 9784320 * time.Microsecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				o := (&Options{Timing: Timing{Lost: func() time.Duration { return time.Duration(tt.share * float64(time.Since(began))) }}}).withDefaults()
				q := &requester{opts: o, ledger: newLedger(0)}
				over, stop := q.limit(2 * time.Second)
				defer stop()
				<-over
				if got := time.Since(began); got < tt.want-100*time.Millisecond || got > tt.want+100*time.Millisecond {
					t.Errorf("over after %v, want %v", got, tt.want)
				}
			})
		})
	}
}
