package attack

import (
	"encoding/json"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// opened returns the name of the file that the kernel would open, after every
// link, "" if there is none.
func opened(at string) string {
	// Unlike the kernel, Go does not require the directories before a ".." to
	// exist. Most servers normalise first and do not either.
	name, err := filepath.EvalSymlinks(filepath.Clean(at))
	if err != nil {
		return ""
	}
	return name
}

// pathServers are weak checks as authors write them. Each gets the root and the
// value and returns what it opens, "" if it refuses.
func pathServers() map[string]func(root, v string) string {
	return map[string]func(root, v string) string{
		"joined": func(root, v string) string { return opened(root + "/" + v) },
		"resolved like os.path.join": func(root, v string) string {
			if path.IsAbs(v) {
				return opened(v)
			}
			return opened(root + "/" + v)
		},
		"with an ending": func(root, v string) string { return opened(root + "/" + v + ".md") },
		"beginning of the path": func(root, v string) string {
			if !strings.HasPrefix(v, root) {
				return ""
			}
			return opened(v)
		},
		"beginning of the normalised path": func(root, v string) string {
			if !path.IsAbs(v) {
				v = path.Join(root, v)
			}
			if !strings.HasPrefix(path.Clean(v), root) {
				return ""
			}
			return opened(path.Clean(v))
		},
		"links not resolved": func(root, v string) string {
			if !path.IsAbs(v) {
				v = path.Join(root, v)
			}
			if v = path.Clean(v); !strings.HasPrefix(v, root+"/") {
				return ""
			}
			return opened(v)
		},
		"absolute refused": func(root, v string) string {
			if path.IsAbs(v) {
				return ""
			}
			return opened(path.Join(root, v))
		},
		"dots taken out": func(root, v string) string { return opened(root + "/" + strings.ReplaceAll(v, "../", "")) },
		"decoded after the check": func(root, v string) string {
			if strings.Contains(v, "..") || path.IsAbs(v) {
				return ""
			}
			v, _ = url.PathUnescape(v)
			return opened(root + "/" + v)
		},
		"dots refused": func(root, v string) string {
			if strings.Contains(v, "..") {
				return ""
			}
			if path.IsAbs(v) {
				return opened(v)
			}
			return opened(root + "/" + v)
		},
		"address of a file": func(_, v string) string {
			v, ok := strings.CutPrefix(v, "file://")
			if !ok {
				return ""
			}
			return opened(v)
		},
	}
}

func TestPathPayloadsLeadOut(t *testing.T) {
	m := newMachine(t)
	m.plant()
	root := m.w.Roots[0]
	class := pathTraversal()
	for name, server := range pathServers() {
		for kind, value := range map[string]string{
			"path": `"` + root + `/notes.txt"`, "name": `"notes.txt"`, "id": `"notes"`, "dir": `"` + root + `"`,
		} {
			if kind == "dir" && name == "with an ending" {
				continue
			}
			p := Place{Kind: kind, Type: "string", Value: json.RawMessage(value)}
			found := slices.ContainsFunc(class.Payloads(m.w, p)[:class.Balanced], func(y Payload) bool {
				s, ok := y.Value.(string)
				got := ""
				if ok {
					got = server(root, s)
				}
				return (&mcpsf.AttackDetail{Marker: y.Marker}).Opens(got)
			})
			if !found {
				t.Errorf("%s: no payload of a balanced run leads out at a %s", name, kind)
			}
		}
	}
}

// A server that checks the resolved path opens nothing outside.
func TestPathPayloadsSpareTheSafe(t *testing.T) {
	m := newMachine(t)
	m.plant()
	root := m.w.Roots[0]
	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for _, kind := range []string{"path", "dir", "name"} {
		for _, y := range pathPayloads(m.w, Place{Kind: kind, Type: "string", Value: json.RawMessage(`"notes.txt"`)}) {
			s, ok := y.Value.(string)
			if !ok {
				continue
			}
			if f, err := dir.Open(s); err == nil {
				t.Errorf("%s: %q opens %s", y.Why, s, f.Name())
				_ = f.Close()
			}
			if y.Sign != mcpsf.SignOpen || strings.HasPrefix(y.Marker, root+"/") || y.Marker == root {
				t.Errorf("%s: the marker %q is inside", y.Why, y.Marker)
			}
		}
	}
}

func TestWorldIsOutsideTheRoots(t *testing.T) {
	for _, roots := range [][]string{nil, {"/home/dev"}, {"/home/dev/.local"}, {"/home/dev", "/var"}, {"/"}, {"relative"}} {
		w := New(1, roots...)
		for _, r := range w.Roots {
			if strings.HasPrefix(w.Outside, r+"/") {
				t.Errorf("%q is in %q", w.Outside, r)
			}
		}
		if len(w.Files()) == 0 || len(w.Roots) == 0 {
			t.Errorf("roots %q: nothing to plant", roots)
		}
	}
}

// A relative path starts in the folder that the tools work in, or in that of the server:
// both have the links and the folders beside them.
func TestEveryRootIsPrepared(t *testing.T) {
	w := New(7, "/home/dev/notes", "/home/dev/server", "/home/dev/notes/")
	if len(w.Roots) != 2 {
		t.Fatal(w.Roots)
	}
	planted := map[string]bool{}
	for _, f := range w.Files() {
		planted[f.Path] = true
	}
	ways := map[string]bool{}
	for _, y := range pathPayloads(w, Place{Kind: "path", Value: json.RawMessage(`"readme.md"`)}) {
		value, _ := y.Value.(string)
		for _, root := range w.Roots {
			if at := path.Join(root, value); planted[at] && y.Why != "climbing out from inside" {
				ways[root+": "+y.Why] = true
			}
		}
	}
	for _, root := range w.Roots {
		for _, why := range []string{"symbolic link to a file outside", "directory beside the root whose name begins like it"} {
			if !ways[root+": "+why] {
				t.Errorf("%s: nothing is planted for %s: %v", root, why, ways)
			}
		}
	}
}
