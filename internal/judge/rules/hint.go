package rules

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// What a tool says of itself in its annotations, and what its calls did.

// annotated tells whether the tool of the call says that of itself. What it
// leaves out it does not say: the defaults of the protocol are nobody's word.
func (r *run) annotated(f *fields, name string, value bool) bool {
	raw := r.scope.Tools[f.Tool].Annotations
	var hints map[string]json.RawMessage
	if len(raw) == 0 || len(raw) > maxParams || json.Unmarshal(raw, &hints) != nil {
		return false
	}
	var said bool
	return hints[name] != nil && string(hints[name]) != "null" && json.Unmarshal(hints[name], &said) == nil && said == value
}

// usersFile tells whether the subject is a file that somebody would miss: not
// one of the server's own, unless the caller named it, and not what programs
// leave beside the files they work on.
func (r *run) usersFile(f *fields) bool {
	if incidental(f.Subject) {
		return false
	}
	if c := r.calls[f.Call]; c != nil {
		if slices.ContainsFunc(r.claims(c), func(c claim) bool { return c.path == f.Subject && !c.byServer }) {
			return true
		}
	}
	return under(f.Subject, r.scope.Home) && !r.places.own(f.Subject) && !r.newPlace(f)
}

// incidental knows what reading leaves behind: git refreshes its index,
// databases have their journals, Python and others their caches.
func incidental(p string) bool {
	for _, part := range []string{"/.git/", "/__pycache__/", "/node_modules/.cache/", "/.pytest_cache/", "/.mypy_cache/", "/.ruff_cache/"} {
		if strings.Contains(p, part) {
			return true
		}
	}
	base := path.Base(p)
	for _, ending := range []string{"-journal", "-wal", "-shm", ".lock", ".pid", ".pyc", ".log", "~", ".swp"} {
		if strings.HasSuffix(base, ending) {
			return true
		}
	}
	return strings.HasPrefix(base, ".~lock")
}

// existed tells whether the subject was there before the run.
func (r *run) existed(f *fields) bool { return !r.history.created[f.Subject] && !r.written[f.Subject] }

// askedFor identifies a call by what it asked for.
type askedFor struct{ tool, arguments string }

// repeated notes a call and tells whether the same was asked for before.
func (r *run) repeated(c *call) bool {
	if c.tool == "" || c.attack != nil || len(c.params) > maxValue || c.given().broken {
		return false
	}
	given, err := json.Marshal(c.given().Arguments) // without what else a request carries
	if err != nil {
		return false
	}
	key := askedFor{c.tool, string(given)}
	before := r.asks[key]
	r.asks[key] = true
	return before
}

// again tells whether the event belongs to a call that was made before with
// the same arguments.
func (r *run) again(f *fields) bool {
	c := r.calls[f.Call]
	return c != nil && c.again && f.Phase != string(mcpsf.PhaseIdle)
}
