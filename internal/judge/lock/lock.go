// Package lock records what servers offered and did when the user accepted them,
// and finds what is new since.
//
// In: a [mcpsf.Report], and mcpsf.lock with any number of servers. Out: the file
// with the server in it, or the differences, those that fail separate from those
// that are only reported. Anything that a server adds fails: tools, wider
// inputs, programs, hosts, folders, variables, findings. Changed wording,
// another version and removals do not fail.
package lock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/toolset"
)

// FileName is the name of the file.
const FileName = "mcpsf.lock"

// Version is the version of its format.
const Version = 1

// Lock is the content of the file.
type Lock struct {
	Version int               `json:"lock_version"`
	Servers map[string]Server `json:"servers"`
}

// Server is what the user accepted of one server.
type Server struct {
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest"`
	// Tools are its tools; Inputs are the prompts and resources that take
	// arguments, as "prompt review" and "resource docs://{name}".
	Tools  map[string]toolset.Tool `json:"tools"`
	Inputs map[string]toolset.Tool `json:"inputs,omitempty"`
	// Uses are the accesses that were observed; Installing are those of its
	// installation, without what every installation does.
	Uses       Uses `json:"uses"`
	Installing Uses `json:"installing"`
	// Findings are the rule and fingerprint of each finding.
	Findings []string `json:"findings"`
}

// Uses are names by kind of access, each list sorted.
type Uses map[mcpsf.AccessKind][]string

// Key returns the name of a server in the file.
func Key(r *mcpsf.Report) string { return toolset.Name(r.Artifact.Kind + ":" + r.Artifact.Name) }

// Put accepts what r shows.
func (l *Lock) Put(r *mcpsf.Report) {
	if l.Servers == nil {
		l.Servers = map[string]Server{}
	}
	l.Version = Version
	l.Servers[Key(r)] = Of(r)
}

// Of returns what a report shows of its server.
func Of(r *mcpsf.Report) Server {
	s := Server{
		Version: r.Artifact.Version, Digest: r.Artifact.Digest, Findings: []string{},
		Tools: toolset.Of(r.Session.Tools), Inputs: toolset.Of(inputs(r)), Uses: Uses{}, Installing: Uses{},
	}
	for _, a := range r.Accesses {
		uses, name := s.Uses, nameOf(a)
		if a.Phase == mcpsf.PhaseInstall {
			uses = s.Installing
		}
		if name != "" && !slices.Contains(uses[a.Kind], name) {
			uses[a.Kind] = append(uses[a.Kind], name)
		}
	}
	for _, uses := range []Uses{s.Uses, s.Installing} {
		for _, names := range uses {
			slices.Sort(names)
		}
	}
	for _, f := range r.Findings {
		s.Findings = append(s.Findings, findingKey(f))
	}
	for _, w := range r.Waived {
		s.Findings = append(s.Findings, findingKey(w.Finding))
	}
	slices.Sort(s.Findings)
	s.Findings = slices.Compact(s.Findings)
	return s
}

// byCaller replaces names that the caller chose, because ours differ from run to
// run.
const byCaller = "(what the caller names)"

// nameOf returns the name under which an access is kept, "" if it is not. Of
// accesses that every program makes, only writes and running its own programs
// are kept; the rest depends on the machine.
func nameOf(a mcpsf.Access) string {
	switch a.Explanation.By {
	case mcpsf.ByArgument:
		return byCaller
	case mcpsf.ByNature:
		own := a.Kind == mcpsf.AccessProgram && strings.HasPrefix(a.Name, mcpsf.WorkDir+"/")
		if a.Phase == mcpsf.PhaseInstall || a.Kind != mcpsf.AccessWrite && !own {
			return ""
		}
	}
	return toolset.Name(a.Name)
}

// inputs returns prompts and resource templates, with their arguments if known.
func inputs(r *mcpsf.Report) []mcpsf.Tool {
	words := map[string]string{}
	for _, p := range r.Session.Prompts {
		words[mcpsf.OfPrompt+p.Name] = p.Description
	}
	for _, t := range r.Session.Templates {
		words[mcpsf.OfResource+t.URI] = t.Description
	}
	all := slices.Clone(r.Declared.Inputs)
	for name, text := range words {
		i := slices.IndexFunc(all, func(t mcpsf.Tool) bool { return t.Name == name })
		if i < 0 {
			all = append(all, mcpsf.Tool{Name: name})
			i = len(all) - 1
		}
		all[i].Description = text
	}
	// A resource without arguments is content, which changes often.
	return slices.DeleteFunc(all, func(t mcpsf.Tool) bool {
		_, listed := words[t.Name]
		return !listed
	})
}

func findingKey(f mcpsf.Finding) string { return fmt.Sprintf("%s %s", f.ID, f.Fingerprint) }
