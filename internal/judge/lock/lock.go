// Package lock keeps what servers offered and did when somebody agreed to it,
// and tells what is new since.
//
// In: a [mcpsf.Report], and mcpsf.lock with as many servers as there are. Out:
// the file with the server in it, or the differences, those that fail apart
// from those that are only told. What a server introduces fails: tools, wider
// inputs, programs, hosts, places, variables, findings. Other words, another
// version and what went away do not.
package lock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/toolset"
)

// FileName is what the file is called.
const FileName = "mcpsf.lock"

// Version is that of its format.
const Version = 1

// Lock is the file.
type Lock struct {
	Version int               `json:"lock_version"`
	Servers map[string]Server `json:"servers"`
}

// Server is what was agreed to of one.
type Server struct {
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest"`
	// Tools are what it offers; Inputs are what takes arguments beside them, as
	// "prompt review" and "resource docs://{name}".
	Tools  map[string]toolset.Tool `json:"tools"`
	Inputs map[string]toolset.Tool `json:"inputs,omitempty"`
	// Uses are what it was seen to use, Installing what its installation did
	// beyond what all do.
	Uses       Uses `json:"uses"`
	Installing Uses `json:"installing"`
	// Findings are rule and fingerprint of each.
	Findings []string `json:"findings"`
}

// Uses are names by kind, each sorted.
type Uses map[mcpsf.AccessKind][]string

// Key is what a server is called in the file.
func Key(r *mcpsf.Report) string { return toolset.Name(r.Artifact.Kind + ":" + r.Artifact.Name) }

// Put agrees to what r shows.
func (l *Lock) Put(r *mcpsf.Report) {
	if l.Servers == nil {
		l.Servers = map[string]Server{}
	}
	l.Version = Version
	l.Servers[Key(r)] = Of(r)
}

// Of is what a report shows of its server.
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

// byCaller is what a name is told by that the caller chose: ours differ from
// run to run.
const byCaller = "(what the caller names)"

// nameOf is what is kept of an access, "" for nothing. Of what every program
// does only where it writes tells something, and that it runs programs it came
// with; the rest changes with the machine.
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

// inputs are prompts and families of resources, with what they take where that
// is known.
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
	// A resource of its own is content, which comes and goes.
	return slices.DeleteFunc(all, func(t mcpsf.Tool) bool {
		_, listed := words[t.Name]
		return !listed
	})
}

func findingKey(f mcpsf.Finding) string { return fmt.Sprintf("%s %s", f.ID, f.Fingerprint) }
