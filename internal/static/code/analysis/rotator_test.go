package analysis

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

func TestRotator(t *testing.T) {
	t.Parallel()
	sum := []ir.Call{{Name: "parseInt", Line: 1}, {Name: "parseInt", Line: 1}, {Name: "parseInt", Line: 1}, {Name: "parseInt", Line: 1}}
	for name, c := range map[string]struct {
		calls []ir.Call
		want  bool
	}{
		"one line":        {append([]ir.Call{{Name: "a.push", Line: 1}, {Name: "a.shift", Line: 1}}, sum...), true},
		"laid out":        {append([]ir.Call{{Name: "a.shift", Line: 12}, {Name: "a.push", Line: 14}}, sum...), true},
		"two lists":       {append([]ir.Call{{Name: "a.push", Line: 1}, {Name: "b.shift", Line: 1}}, sum...), false},
		"far apart":       {append([]ir.Call{{Name: "queue.push", Line: 10}, {Name: "queue.shift", Line: 90}}, sum...), false},
		"numbers beyond":  {append([]ir.Call{{Name: "a.push", Line: 900}, {Name: "a.shift", Line: 900}}, sum...), false},
		"other functions": {append([]ir.Call{{Name: "a.push", Line: 1, Func: 2}, {Name: "a.shift", Line: 1, Func: 2}}, sum...), false},
		"no sum":          {[]ir.Call{{Name: "a.push", Line: 1}, {Name: "a.shift", Line: 1}, {Name: "parseInt", Line: 1}}, false},
	} {
		found := false
		rotator(&ir.File{Calls: c.calls}, func(int, int, string, string) { found = true })
		if found != c.want {
			t.Errorf("%s: found %v, want %v", name, found, c.want)
		}
	}
}
