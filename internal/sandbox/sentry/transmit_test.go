//go:build linux

package sentry

import "testing"

// Only a change of sender is recorded, separately for each connection.
func TestSendersChanged(t *testing.T) {
	var s senders
	a, b := connection{local: 1}, connection{local: 2}
	for i, step := range []struct {
		c    connection
		by   sender
		want bool
	}{
		{a, sender{1, 10}, true},
		{a, sender{1, 10}, false},
		{b, sender{1, 10}, true},
		{a, sender{1, 20}, true},  // another call
		{a, sender{2, 20}, true},  // another process
		{b, sender{1, 10}, false}, // the other connection is unchanged
	} {
		if got := s.changed(step.c, step.by); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
}
