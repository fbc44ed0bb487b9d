package inspection

import (
	"context"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// What the source expects is there as soon as it is known, and nobody waits for
// it longer than allowed, or for a source that cannot be read.
func TestExpectedAnswers(t *testing.T) {
	want := []mcpsf.ExpectedAnswer{{Host: "a.example", Shape: &mcpsf.Shape{Type: "object"}}}
	r := &Reading{answered: make(chan struct{}), done: make(chan struct{})}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if got := r.ExpectedAnswers(short); got != nil {
		t.Errorf("too early: %v", got)
	}
	r.expected = want
	close(r.answered)
	if got := r.ExpectedAnswers(t.Context()); len(got) != 1 || got[0].Host != "a.example" {
		t.Errorf("%v", got)
	}
	failed := &Reading{answered: make(chan struct{}), done: make(chan struct{})}
	close(failed.done)
	if got := failed.ExpectedAnswers(t.Context()); got != nil {
		t.Errorf("not read: %v", got)
	}
	if got := (*Reading)(nil).ExpectedAnswers(t.Context()); got != nil {
		t.Errorf("nothing to read: %v", got)
	}
}
