package rules

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// dotenv is the name that loaders of settings look for.
const dotenv = ".env"

// history is what happened to files and on the network, as far as it decides
// about later events.
type history struct {
	// created are the files and directories that came into being in this
	// run, absent the names that were looked for and not there.
	created map[string]bool
	absent  map[string]bool
	// listed are the directories that were opened, by call.
	listed map[inCallOf]bool
	// walkedUp are the parents of the work directory below which a .env file
	// was looked for.
	walkedUp map[string]bool
	// connects are the connections of a process to anything but a local
	// socket; asking is what scripts did in the sandboxes, by number.
	connects map[inBox][]connection
	// npm are the processes that looked where npm has its settings.
	npm    map[inBox]bool
	asking map[int]*asking
	// temporary are the trees in temporary folders that an installation wrote,
	// and whether the package manager did.
	temporary map[string]bool
}

type inCallOf struct{ call, dir string }

type inBox struct{ box, pid int }

type connection struct {
	call string
	t    float64
}

func newHistory() history {
	return history{
		created: map[string]bool{}, absent: map[string]bool{}, listed: map[inCallOf]bool{},
		walkedUp: map[string]bool{}, connects: map[inBox][]connection{}, npm: map[inBox]bool{}, asking: map[int]*asking{},
		temporary: map[string]bool{},
	}
}

// foresee collects who uses the network, because what a client reads before
// it connects is judged by that, and because what the network was asked may be
// told before the process that asked. What an installation writes in a tree is
// told when the writer ends.
func (h *history) foresee() func(*mcpsf.Event) {
	var l lineage
	box := 0
	return func(e *mcpsf.Event) {
		l.see(e)
		if e.Kind == mcpsf.KindSandboxStart {
			box++
		}
		if tree := temporaryTree(e); tree != "" {
			h.temporary[tree] = h.temporary[tree] || l.of(e.PID).script == nil
		}
		h.variable(box, e)
		if e.Net == nil || e.Net.Family == "unix" || e.Kind != mcpsf.KindNetConnect && e.Kind != mcpsf.KindNetHTTP {
			return
		}
		at := inBox{box, e.PID}
		h.connects[at] = append(h.connects[at], connection{e.Call, e.T})
		if e.Kind == mcpsf.KindNetHTTP {
			return // over a connection that was there
		}
		if h.asking[box] == nil {
			h.asking[box] = &asking{}
		}
		h.asking[box].see(&l, e)
	}
}

// soon is how many seconds pass at most between what a client reads and the
// connection it reads it for: on a busy machine looking up a name takes some.
const soon = 10

// variable notes who looks where npm has its settings.
func (h *history) variable(box int, e *mcpsf.Event) {
	if e.Env != nil && strings.EqualFold(e.Env.Name, "npm_config_userconfig") {
		h.npm[inBox{box, e.PID}] = true
	}
}

// connected reports whether a process connects, or speaks, in the same call as an event,
// or soon after it: a thread of the library may be caught by the next call on
// its way.
func (h *history) connected(box int, f *fields) bool {
	return slices.ContainsFunc(h.connects[inBox{box, f.pid}], func(c connection) bool {
		return c.call == f.Call || c.t > f.t && c.t < f.t+soon
	})
}

// temporaryTree is the entry of a temporary folder that e of an installation
// writes in, or "".
func temporaryTree(e *mcpsf.Event) string {
	d := e.File
	if e.Phase != mcpsf.PhaseInstall || d == nil || d.Error != "" {
		return ""
	}
	switch e.Kind {
	case mcpsf.KindFileWrite, mcpsf.KindFileCreate:
		return temporaryEntry(d.Path)
	case mcpsf.KindFileOpen:
		if strings.ContainsAny(d.Flags, "wct") {
			return temporaryEntry(d.Path)
		}
	case mcpsf.KindFileRename, mcpsf.KindFileLink:
		return temporaryEntry(d.To)
	}
	return ""
}

func temporaryEntry(p string) string {
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm"} {
		if under(p, dir) {
			top, _, _ := strings.Cut(p[len(dir)+1:], "/")
			return dir + "/" + top
		}
	}
	return ""
}

// file takes in a file event before the rules see it: an open that creates a
// file is about a new file already.
func (h *history) file(e *mcpsf.Event, scope Scope) {
	d := e.File
	switch e.Kind {
	case mcpsf.KindFileOpen, mcpsf.KindFileStat:
		h.lookedAt(e, scope)
	case mcpsf.KindFileCreate:
		if d.Error == "" {
			h.created[d.Path] = true
		}
	case mcpsf.KindFileLink:
		if d.Error == "" {
			h.created[d.To] = true // a link replaces nothing
		}
	case mcpsf.KindFileRename:
		if d.Error == "" && h.created[d.Path] && h.absent[d.To] {
			h.created[d.To] = true
		}
	}
}

func (h *history) lookedAt(e *mcpsf.Event, scope Scope) {
	d := e.File
	switch {
	case d.Error == "" && strings.Contains(d.Flags, "c"):
		h.created[d.Path] = true
	case d.Error == "" && strings.Contains(d.Flags, "d"):
		h.listed[inCallOf{e.Call, d.Path}] = true
	case d.Error == "ENOENT" && under(d.Path, scope.Home) && !under(d.Path, scope.WorkDir):
		h.absent[d.Path] = true
	}
	if (d.Error == "" || d.Error == "ENOENT") && strings.HasSuffix(d.Path, "/"+dotenv) {
		for dir := path.Dir(scope.WorkDir); dir != "/" && dir != "."; dir = path.Dir(dir) {
			if under(path.Dir(d.Path), dir) {
				h.walkedUp[dir] = true
			}
		}
	}
}

// newPlace tells whether the server changes what it has made itself: an entry
// of the home, or of one of the folders in which every program has its own,
// that was not there before the run, or a folder with the server's name. A file put among the user's own is no
// such place, nor is one of the user's that is moved into it.
func (r *run) newPlace(f *fields) bool {
	if f.Kind == string(mcpsf.KindFileRename) && !r.history.created[f.Path] && !r.places.own(f.Path) && !r.mine(f.Path) {
		return false
	}
	return r.mine(f.Subject)
}

func (r *run) mine(p string) bool {
	rel, ok := strings.CutPrefix(p, r.scope.Home+"/")
	if !ok {
		return false
	}
	entry := r.scope.Home
	for part := range strings.SplitSeq(rel, "/") {
		if entry = entry + "/" + part; !r.places.shared(entry) {
			break
		}
	}
	return r.history.created[entry] || r.nested(p)
}

// nested tells whether p lies in a folder that the server has made and that
// carries its name, wherever that is: ~/.aws/NAME takes nothing from AWS.
func (r *run) nested(p string) bool {
	for dir := p; under(dir, r.scope.Home); dir = path.Dir(dir) {
		if r.history.created[dir] && r.places.carriesName(path.Base(dir)) {
			return true
		}
	}
	return false
}

// shipped tells whether the subject came with the server, and neither git nor
// a package manager is at work, which replace files as they should.
func (r *run) shipped(f *fields) bool {
	if f.Phase == string(mcpsf.PhaseInstall) || r.programs[f.pid].installer || isSystem(f.Program) && path.Base(f.Program) == "git" {
		return false
	}
	return under(f.Subject, r.scope.WorkDir) && !r.history.created[f.Subject]
}

// ownCode tells whether the subject is code that came with the server.
func (r *run) ownCode(f *fields) bool {
	switch path.Ext(f.Subject) {
	case ".js", ".mjs", ".cjs", ".py", ".ts", ".sh":
		return r.shipped(f)
	}
	return false
}

// entryOf is the file of the server's own that prog runs.
func entryOf(prog program, workdir string) string {
	if !isSystem(prog.path) {
		return prog.path
	}
	if script := scriptOf(prog.args, []string{"-c", "-e", "-p", "-m", "--eval", "--print"}); script != "" {
		return absolute(script, workdir)
	}
	return ""
}

// ownVariables tells whether a process opens the list of its own variables,
// and not because it lists those of all.
func ownVariables(f *fields) bool {
	if isSystem(f.Program) && listsProcesses(path.Base(f.Program)) {
		return false
	}
	rest, ok := strings.CutPrefix(f.Path, "/proc/")
	who, what, _ := strings.Cut(rest, "/")
	return ok && path.Base(what) == "environ" && (who == "self" || who == "thread-self" || who == strconv.Itoa(f.pid))
}
