package assess

import (
	"context"
	"errors"
	"testing"

	"github.com/mcpsf/mcpsf/internal/assess/progress"
)

// A run whose time was up is cut, whether or not one of its steps says so.
func TestUnlessCut(t *testing.T) {
	ended, stop := context.WithCancel(t.Context())
	stop()
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		ended     bool
		err, want error
		cut       bool
	}{
		"done":                     {false, nil, nil, false},
		"failed":                   {false, broken, broken, false},
		"ended with an error":      {true, context.Canceled, nil, true},
		"ended and nobody says so": {true, nil, nil, true},
	} {
		ctx := t.Context()
		if tt.ended {
			ctx = ended
		}
		a := &assessment{opts: &Options{}}
		a.opts.Caller.Progress = progress.Silent{}
		if err := a.unlessCut(ctx, tt.err); !errors.Is(err, tt.want) || (a.cut != "") != tt.cut {
			t.Errorf("%s: %v, cut %q", name, err, a.cut)
		}
	}
}
