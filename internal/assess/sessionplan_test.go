package assess

import (
	"errors"
	"testing"

	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// Files that were too many to keep for the next start are a gap; a sandbox that
// was killed is no bound of ours.
func TestNotKept(t *testing.T) {
	if got := notKept(errors.New("what was left behind is larger than may be handed out")); len(got) != 1 || got[0].Code != gap.StateNotKept || !got[0].Hides {
		t.Errorf("too much: %v", got)
	}
	if got := append(notKept(nil), notKept(box.ErrEnded)...); got != nil {
		t.Errorf("%v", got)
	}
}
