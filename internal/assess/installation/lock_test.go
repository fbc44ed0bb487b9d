package installation

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
)

func TestNoteLock(t *testing.T) {
	lock := func(change func(*mcpsf.Lock)) *mcpsf.Lock {
		l := &mcpsf.Lock{File: "uv.lock"}
		change(l)
		return l
	}
	plain := lock(func(*mcpsf.Lock) {})
	for name, tt := range map[string]struct {
		in             mcpsf.Install
		output         string
		lost           bool
		lock, unlocked string
	}{
		"none":        {mcpsf.Install{}, "", false, "", ""},
		"obeyed":      {mcpsf.Install{Locked: true, Lock: plain}, "", false, "uv.lock", ""},
		"published":   {mcpsf.Install{Lock: plain}, "", false, "", ""},
		"not read":    {mcpsf.Install{Lock: lock(func(l *mcpsf.Lock) { l.Problem = "it is too large" })}, "", false, "", "uv.lock was not obeyed: it is too large"},
		"not obeyed":  {mcpsf.Install{Locked: true, Lock: plain}, "ERROR: No matching distribution found for a==9\n" + install.Separator + "\nERROR: x\n", true, "", "uv.lock was not obeyed: No matching distribution found for a==9"},
		"not told":    {mcpsf.Install{Locked: true, Lock: plain}, "ERROR: x\n", true, "", "uv.lock was not obeyed, because an installation by it failed"},
		"in part":     {mcpsf.Install{Locked: true, Lock: lock(func(l *mcpsf.Lock) { l.Elsewhere = []string{"a", "b"} })}, "", false, "uv.lock", "uv.lock was obeyed except for what comes from no registry: a, b"},
		"many others": {mcpsf.Install{Locked: true, Lock: lock(func(l *mcpsf.Lock) { l.Elsewhere = []string{"a", "b", "c", "d", "e", "f", "g"} })}, "", false, "uv.lock", "uv.lock was obeyed except for what comes from no registry: a, b, c, d, e and 2 other packages"},
	} {
		a := &mcpsf.Installation{Output: tt.output}
		noteLock(a, &tt.in, tt.lost)
		if a.Lock != tt.lock || a.Unlocked != tt.unlocked || len(a.Notes) != min(1, len(tt.unlocked)) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
