package inventory

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

var update = flag.Bool("update", false, "write the golden files anew")

// read finds the packages of a tree, or ends the test.
func read(t *testing.T, fsys fs.FS, opts *Options) *Result {
	t.Helper()
	r, err := Read(t.Context(), fsys, opts)
	if err != nil {
		t.Fatal(err)
	}
	check(t, r)
	return r
}

// check checks the invariants of every result.
func check(t *testing.T, r *Result) {
	t.Helper()
	known := map[string]bool{}
	for i, p := range r.Packages {
		if i > 0 && r.Packages[i-1].PURL >= p.PURL {
			t.Errorf("%s does not come before %s", r.Packages[i-1].PURL, p.PURL)
		}
		if !strings.HasPrefix(p.PURL, "pkg:") || p.Ecosystem == "" || p.Name == "" || len(p.Found) == 0 || len(p.Found) > maxFound {
			t.Errorf("half a package: %+v", p)
		}
		if p.Version != "" && p.Wanted != "" {
			t.Errorf("%s has a version and a range", p.PURL)
		}
		known[p.PURL] = true
	}
	for _, p := range append(r.Packages, r.Root) {
		for _, other := range append(p.Via, p.Needs...) {
			if !known[other] || other == p.PURL {
				t.Errorf("%s refers to %s", p.PURL, other)
			}
		}
		if len(p.Via) > 0 && !slices.Contains(find(r, p.Via[len(p.Via)-1]).Needs, p.PURL) {
			t.Errorf("the way to %s ends at %s, which does not need it", p.PURL, p.Via[len(p.Via)-1])
		}
	}
	for _, n := range r.Notes {
		if len(n) > 500 || strings.ContainsFunc(n, func(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 }) {
			t.Errorf("a note that cannot be printed: %q", n)
		}
	}
}

func find(r *Result, purl string) mcpsf.Package {
	for _, p := range r.Packages {
		if p.PURL == purl {
			return p
		}
	}
	return mcpsf.Package{}
}

// tell formats a result in lines for comparison.
func tell(r *Result) string {
	var b strings.Builder
	short := func(purls []string) string {
		var out []string
		for _, p := range purls {
			_, name, _ := strings.Cut(p, "/")
			out = append(out, name)
		}
		return strings.Join(out, " ")
	}
	line := func(p mcpsf.Package) {
		fmt.Fprint(&b, p.PURL)
		if p.Dev {
			b.WriteString(" dev")
		}
		if p.Installed {
			b.WriteString(" installed")
		}
		if p.Wanted != "" {
			fmt.Fprintf(&b, " wanted %q", p.Wanted)
		}
		for _, l := range p.Licences {
			fmt.Fprintf(&b, " licence %q", l)
		}
		if len(p.Digests) > 0 {
			fmt.Fprintf(&b, " %.16s(%d)", p.Digests[0], len(p.Digests))
		}
		switch {
		case p.PURL == r.Root.PURL:
		case p.Via == nil:
			b.WriteString(" via ?")
		case len(p.Via) > 0:
			b.WriteString(" via " + short(p.Via))
		}
		if len(p.Needs) > 0 {
			b.WriteString(" needs " + short(p.Needs))
		}
		b.WriteString(" in " + strings.Join(p.Found, " ") + "\n")
	}
	fmt.Fprint(&b, "server ")
	line(r.Root)
	for _, p := range r.Packages {
		line(p)
	}
	for _, n := range r.Notes {
		b.WriteString("note " + n + "\n")
	}
	return b.String()
}

// Lock files written by the real tools, and their packages.
func TestGolden(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*/*/want.golden")
	if err != nil || len(dirs) < 20 {
		t.Fatalf("%d directories, %v", len(dirs), err)
	}
	for _, golden := range dirs {
		dir := filepath.Dir(golden)
		t.Run(strings.TrimPrefix(dir, "testdata/"), func(t *testing.T) {
			got := tell(read(t, os.DirFS(dir), nil))
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The same project, locked by different tools on the same day, has the same
// packages and dependency paths.
func TestToolsAgree(t *testing.T) {
	for kind, tools := range map[string][]string{
		"npm":    {"npm-1", "npm-2", "npm-3", "yarn-1", "pnpm-5.1", "pnpm-5.2", "pnpm-5.4", "pnpm-6", "pnpm-9", "bun"},
		"python": {"uv", "poetry-1", "poetry-2", "pdm-4.1", "pdm-4.4"},
	} {
		var first []string
		for _, tool := range tools {
			var got []string
			for _, p := range read(t, os.DirFS(filepath.Join("testdata", kind, tool)), nil).Packages {
				got = append(got, fmt.Sprintf("%s dev %t via %#v", p.PURL, p.Dev, p.Via))
			}
			if first == nil {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Errorf("%s (-%s +%s):\n%s", kind, tools[0], tool, diff)
			}
		}
		if len(first) < 10 {
			t.Errorf("%s: only %d packages", kind, len(first))
		}
	}
}
