package staging_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestLinks(t *testing.T) {
	tests := []struct {
		name   string
		target string
		kept   bool
	}{
		{"beside", "server.js", true},
		{"below", "d/e/f", true},
		{"into nothing", "nothing/at/all", true},
		{"up and back", "d/../server.js", true},
		{"through a file", "server.js/../../etc", true}, // ends at the file: ENOTDIR
		{"to the top", ".", true},
		{"to a link", "inner", true},
		{"up", "..", false},
		{"up through a directory", "d/../../x", false},
		{"absolute", "/etc/passwd", false},
		{"absolute through a link", "absolute/passwd", false},
		{"up through a link to the top", "top/../x", false},
		{"up through a link that goes deeper", "inner/../../server.js", true},
		{"too far up through a link that goes deeper", "inner/../../../x", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := sourcetest.Plant(t, map[string]string{
				"server.js": "", "d/e/f": "", "inner": "->d/e", "top": "->.", "absolute": "->/etc",
				"the-link": "->" + test.target,
			})
			a, err := resolve(t, src)
			sourcetest.Must(t, err)
			got, err := os.Readlink(filepath.Join(a.Dir, "the-link"))
			if kept := err == nil; kept != test.kept {
				t.Errorf("kept is %v, want %v", kept, test.kept)
			}
			if test.kept && got != test.target {
				t.Errorf("link leads to %q, want it verbatim", got)
			}
		})
	}
}

// FuzzLinks compares our resolution of links with the kernel's: no link in the
// stage may lead out of it.
func FuzzLinks(f *testing.F) {
	f.Add("a>.;b>a/..")
	f.Add("a>d/e;b>a/../..;c>b/../x")
	f.Add("a>b;b>c;c>a")
	f.Add("a>/;b>a/etc")
	f.Add("a>d//./e/;b>a/../../../d")
	f.Fuzz(func(t *testing.T, spec string) {
		if len(spec) > 200 {
			return
		}
		src := sourcetest.Plant(t, map[string]string{"server.js": "", "d/e/f": ""})
		for pair := range strings.SplitSeq(spec, ";") {
			name, target, _ := strings.Cut(pair, ">")
			if name != "" && !strings.ContainsAny(name, "/\x00") {
				_ = os.Symlink(target, filepath.Join(src, name)) // a link that the kernel refuses is not tested
			}
		}
		stage, err := filepath.EvalSymlinks(t.TempDir())
		sourcetest.Must(t, err)
		if _, err := source.Resolve(t.Context(), mcpsf.Target{Source: src}, stage, nil); err != nil {
			sourcetest.WantUsage(t, err)
			return
		}
		staged, err := os.ReadDir(stage)
		sourcetest.Must(t, err)
		for _, e := range staged {
			to, err := filepath.EvalSymlinks(filepath.Join(stage, e.Name()))
			if err != nil {
				continue // dangling
			}
			if to != stage && !strings.HasPrefix(to, stage+"/") {
				t.Errorf("%s leads out of the stage, to %s", e.Name(), to)
			}
		}
	})
}
