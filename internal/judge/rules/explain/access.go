package explain

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// Bounds of the list of accesses. Beyond maxNames, files are listed by folder.
// no gap: bounds the list of accesses; rules look at every event
const (
	maxAccesses = 4096
	maxNames    = 40
)

// Accesses are the resources that the server used, by tool.
type Accesses struct {
	explainer *Explainer
	seen      map[accessKey]*mcpsf.Access
}

// NewAccesses returns an empty list.
func NewAccesses(x *Explainer) *Accesses { return &Accesses{x, map[accessKey]*mcpsf.Access{}} }

type accessKey struct {
	phase mcpsf.Phase // install or drive
	tool  string
	kind  mcpsf.AccessKind
	name  string
}

// AccessOf returns the kind of access of an event, "" if it is none.
func AccessOf(e *mcpsf.Event) mcpsf.AccessKind {
	switch e.Kind {
	case mcpsf.KindProcessExec:
		if e.Process != nil && e.Process.Error == "" {
			return mcpsf.AccessProgram
		}
	case mcpsf.KindFileOpen:
		if e.File == nil || e.File.Error != "" {
			return ""
		}
		if strings.ContainsAny(e.File.Flags, "wcta") {
			return mcpsf.AccessWrite
		}
		return mcpsf.AccessRead
	case mcpsf.KindFileWrite, mcpsf.KindFileCreate, mcpsf.KindFileDelete, mcpsf.KindFileRename, mcpsf.KindFileChmod, mcpsf.KindFileLink:
		if e.File != nil && e.File.Error == "" {
			return mcpsf.AccessWrite
		}
	case mcpsf.KindNetConnect, mcpsf.KindNetFlow, mcpsf.KindNetTLS, mcpsf.KindNetHTTP:
		if e.Net != nil && e.Net.Family != "unix" {
			return mcpsf.AccessHost
		}
	case mcpsf.KindNetListen:
		if e.Net != nil && e.Net.Family != "unix" && e.Net.Error == "" {
			return mcpsf.AccessListen
		}
	case mcpsf.KindEnvRead:
		if e.Env != nil {
			return mcpsf.AccessVariable
		}
	}
	return ""
}

// Add adds the access of event e, which f describes.
func (a *Accesses) Add(e *mcpsf.Event, f *event.Fields, kind mcpsf.AccessKind) {
	if e.Phase == mcpsf.PhaseAttack || f.Attack != "" || f.Resolver || f.Unseen || kind == mcpsf.AccessHost && f.Host == "" {
		return
	}
	key := accessKey{phase: mcpsf.PhaseDrive, kind: kind}
	if e.Phase == mcpsf.PhaseInstall {
		key.phase = mcpsf.PhaseInstall
	}
	if event.InCall(f) {
		key.tool = f.Tool
	}
	why := a.explainer.Access(f, kind)
	key.name = accessName(f, kind, why)
	one := a.seen[key]
	if one == nil {
		if len(a.seen) >= maxAccesses {
			return
		}
		one = &mcpsf.Access{Kind: kind, Tool: key.tool, Phase: key.phase, Name: key.name, Event: e.Seq, Planted: f.Decoy, Explanation: why}
		a.seen[key] = one
	}
	one.Count += max(1, e.Count)
	if why.By == mcpsf.ByNobody && one.Explanation.By != mcpsf.ByNobody { // one unexplained access makes the entry unexplained
		one.Explanation, one.Event = why, e.Seq
	}
}

// accessName returns the name that the access is listed under. Files that need
// no explanation are listed by folder.
func accessName(f *event.Fields, kind mcpsf.AccessKind, why mcpsf.Explanation) string {
	switch kind {
	case mcpsf.AccessProgram:
		return lex.Stable(f.Path)
	case mcpsf.AccessRead, mcpsf.AccessWrite:
		if why.By == mcpsf.ByNature && f.Decoy == "" {
			return folderOf(f.Subject)
		}
		return lex.Stable(f.Subject)
	case mcpsf.AccessHost, mcpsf.AccessListen:
		if f.Port == 0 {
			return lex.Stable(f.Host)
		}
		return f.Host + ":" + strconv.Itoa(f.Port)
	}
	if f.All {
		return "*"
	}
	return quote.Cut(f.Variable, lex.MaxPath)
}

// folderOf returns the folder that a file is listed under: a system folder, the
// work directory, or the folder it is in.
func folderOf(p string) string {
	if !strings.HasPrefix(p, "/") {
		kind, _, _ := strings.Cut(p, ":")
		return kind // a pipe, a socket
	}
	if paths.Under(p, mcpsf.WorkDir) || p == mcpsf.WorkDir {
		return mcpsf.WorkDir + "/"
	}
	if paths.Under(p, mcpsf.Home) {
		return lex.Stable(path.Dir(p)) + "/"
	}
	top, _, _ := strings.Cut(p[1:], "/")
	if top == "etc" {
		return lex.Stable(p)
	}
	return "/" + top + "/"
}

// List returns the accesses in a fixed order.
func (a *Accesses) List() []mcpsf.Access {
	type group struct {
		phase mcpsf.Phase
		tool  string
		kind  mcpsf.AccessKind
	}
	groups := map[group][]mcpsf.Access{}
	for k, one := range a.seen {
		g := group{k.phase, k.tool, k.kind}
		groups[g] = append(groups[g], *one)
	}
	out := []mcpsf.Access{}
	for _, list := range groups {
		out = append(out, folded(list)...)
	}
	slices.SortFunc(out, compareAccesses)
	return out
}

func compareAccesses(a, b mcpsf.Access) int {
	return cmp.Or(
		-strings.Compare(string(a.Phase), string(b.Phase)), // the installation first
		strings.Compare(a.Tool, b.Tool),
		strings.Compare(string(a.Kind), string(b.Kind)),
		strings.Compare(a.Name, b.Name),
		strings.Compare(string(a.Explanation.By), string(b.Explanation.By)),
		strings.Compare(a.Explanation.Reason, b.Explanation.Reason),
	)
}

// folded shortens a list that is too long: files are listed by folder, hosts and
// variables as "*".
func folded(list []mcpsf.Access) []mcpsf.Access {
	for changed := true; changed && len(list) > maxNames; {
		changed = false
		byName := map[string]*mcpsf.Access{}
		slices.SortFunc(list, compareAccesses)
		for _, one := range list {
			name := outer(one)
			changed = changed || name != one.Name
			one.Name = name
			old := byName[name]
			if old == nil {
				byName[name] = &one
				continue
			}
			old.Count += one.Count
			if one.Explanation.By == mcpsf.ByNobody && old.Explanation.By != mcpsf.ByNobody {
				old.Explanation, old.Event, old.Planted = one.Explanation, one.Event, one.Planted
			}
		}
		list = list[:0]
		for _, name := range lex.SortedKeys(byName) {
			list = append(list, *byName[name])
		}
	}
	return list
}

// outer returns the parent folder of a file, with a final "/", and "*" for
// anything else. A decoy keeps its name.
func outer(a mcpsf.Access) string {
	switch {
	case a.Planted != "" && strings.HasPrefix(a.Name, "/"):
		return a.Name
	case a.Kind == mcpsf.AccessHost, a.Kind == mcpsf.AccessListen, a.Kind == mcpsf.AccessVariable:
		return "*"
	case !strings.HasPrefix(a.Name, "/"), a.Name == "/":
		return a.Name
	}
	dir := path.Dir(strings.TrimSuffix(a.Name, "/"))
	if dir == "/" {
		return "/"
	}
	return dir + "/"
}
