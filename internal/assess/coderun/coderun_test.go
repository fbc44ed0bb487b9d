package coderun

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/analysis"
)

const script = "const fs = require('fs');\nconst ünï = '🚀'; a(1);\nfunction a(x) { return x ? fs.statSync('/') : fs.readFileSync('/b'); }\nfunction never(p) { fetch(p); }\n"

// judged returns the places that did not run, and the counts.
func judged(reports []string, files ...analysis.OwnFile) string {
	p := &Package{Files: files, Root: "/home/dev/code/server", Name: "@me/it", Texts: fstest.MapFS{"s.js": {Data: []byte(script)}}}
	c := Parse(reports).Judge(p).Coverage
	if c == nil {
		return "nothing"
	}
	out := []string{fmt.Sprintf("%d of %d", c.Ran, c.Functions)}
	for _, n := range c.PlacesNotRun {
		out = append(out, fmt.Sprintf("%s:%d", n.Path, n.Line))
	}
	return strings.Join(out, " ")
}

func at(path string, lines ...int) analysis.OwnFile {
	f := analysis.OwnFile{Path: path, Python: strings.HasSuffix(path, ".py")}
	for _, l := range lines {
		f.Places = append(f.Places, mcpsf.CodePlace{Path: path, Line: l, Name: "open"})
	}
	return f
}

func TestPython(t *testing.T) {
	const file = "\t/home/dev/code/server/s.py"
	for name, tt := range map[string]struct {
		reports []string
		want    string
	}{
		"no runtime reported":      {[]string{"l 3" + file}, "nothing"},
		"all ran":                  {[]string{"s python", "f 1 5" + file, "r 1 5" + file, "l 3" + file, "l 7" + file}, "2 of 2"},
		"one place did not":        {[]string{"s python", "f 1 5" + file, "r 1" + file, "l 3" + file}, "1 of 2 s.py:7"},
		"joined over processes":    {[]string{"s python", "l 3" + file, "s python", "l 7" + file}, "0 of 0"},
		"two sources of one file":  {[]string{"s python", "l 3 7" + file, "x 0" + file}, "0 of 0 s.py:3 s.py:7"},
		"it began, then silence":   {[]string{"s python"}, "0 of 0 s.py:3 s.py:7"},
		"a function never told of": {[]string{"s python", "r 9" + file, "l 3 7" + file}, "0 of 0"},
		"malformed":                {[]string{"s python", "l 3 7", "l -3 x 7-" + file, "l 3 7\trelative", "", "\t\t"}, "0 of 0 s.py:3"},
		"installed":                {[]string{"s python", "l 3 7\t/home/dev/code/server/.venv/lib/python3.11/site-packages/s.py"}, "0 of 0"},
		"only Node was heard":      {[]string{"s node"}, "0 of 0"},
		"another file":             {[]string{"s python", "l 3 7\t/tmp/s.py"}, "0 of 0 s.py:3 s.py:7"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := judged(tt.reports, at("s.py", 3, 7)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestNode(t *testing.T) {
	const file = "\t/home/dev/code/server/s.js"
	js := analysis.OwnFile{Path: "s.js", Places: []mcpsf.CodePlace{
		{Path: "s.js", Line: 3, Name: "fs.statSync"}, {Path: "s.js", Line: 3, Name: "fs.readFileSync"}, {Path: "s.js", Line: 4, Name: "fetch"},
	}}
	utf16 := func(part string) int { return units(script[:strings.Index(script, part)]) }
	length := units(script)
	size := fmt.Sprintf("n %d%s", length, file)
	all := fmt.Sprintf("o 0-%d%s", length, file)
	branch := fmt.Sprintf("o 0-%d %d-%d%s", utf16(" : fs"), utf16("; }\nf"), length, file)
	for name, tt := range map[string]struct {
		reports []string
		want    string
	}{
		"all ran":                  {[]string{"s node", size, all}, "0 of 0"},
		"in two looks":             {[]string{"s node", size, fmt.Sprintf("o 50-%d%s", length, file), "o 0-50" + file}, "0 of 0"},
		"a branch did not":         {[]string{"s node", size, branch}, "0 of 0 s.js:3"},
		"a function did not":       {[]string{"s node", size, fmt.Sprintf("o 0-%d%s", utf16("function never"), file)}, "0 of 0 s.js:4"},
		"compiled from other text": {[]string{"s node", fmt.Sprintf("n %d%s", length+1, file), all}, "0 of 0 s.js:3 s.js:3 s.js:4"},
		"two lengths":              {[]string{"s node", size, "n 7" + file, all}, "0 of 0 s.js:3 s.js:3 s.js:4"},
		"length not told":          {[]string{"s node", all}, "0 of 0 s.js:3 s.js:3 s.js:4"},
		"a stretch backwards":      {[]string{"s node", size, "o 90-0 x-9 9" + file}, "0 of 0 s.js:3 s.js:3 s.js:4"},
		"installed":                {[]string{"s node", "n 1\t/x/y.js", strings.Replace(size, "server/", "server/node_modules/@me/it/", 1), strings.Replace(all, "server/", "server/node_modules/@me/it/", 1)}, "0 of 0"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := judged(tt.reports, js); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A file that was not loaded counts if one that was can load it.
func TestReachable(t *testing.T) {
	const file = "\t/home/dev/code/server/s.py"
	loads, computes := at("s.py", 3), at("s.py", 3)
	loads.Loads, computes.Computed = []string{"lazy.py"}, []int{9}
	test := at("tests/t.py", 1)
	test.Aside = true
	further := at("lazy.py", 2)
	further.Loads = []string{"further.py"}
	others := []analysis.OwnFile{further, at("further.py", 4), at("setup.py", 1), test}
	for name, tt := range map[string]struct {
		server  analysis.OwnFile
		reports []string
		want    string
	}{
		"nothing is loaded":      {at("s.py", 3), []string{"s python", "l 3" + file}, "0 of 0"},
		"named in the source":    {loads, []string{"s python", "l 3" + file}, "0 of 0 lazy.py:2 further.py:4"},
		"computed, and did":      {computes, []string{"s python", "l 3 9" + file}, "0 of 0 lazy.py:2 further.py:4 setup.py:1"},
		"computed, and did not":  {computes, []string{"s python", "l 3" + file}, "0 of 0"},
		"nothing was heard":      {loads, []string{"s python"}, "0 of 0 s.py:3 lazy.py:2 further.py:4 setup.py:1"},
		"a test that was loaded": {at("s.py", 3), []string{"s python", "l 3" + file, "f 1\t/home/dev/code/server/tests/t.py"}, "0 of 1 tests/t.py:1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := judged(tt.reports, append([]analysis.OwnFile{tt.server}, others...)...); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMentions(t *testing.T) {
	if d := cmp.Diff([]int{0, 19}, mentions("fetch(a); prefetch fetch", "fetch")); d != "" {
		t.Error(d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("s python\nl 3\t/a\no 1-2\t/a\nn 5\t/a")
	f.Fuzz(func(t *testing.T, text string) {
		judged(strings.Split(text, "\n"), at("s.py", 3), at("s.js", 3))
	})
}
