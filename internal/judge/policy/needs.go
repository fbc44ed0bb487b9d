package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Needs is what a server needed in the run.
type Needs struct {
	// Server is the name of the artifact, usable as a key. Artifact describes
	// what was run.
	Server, Artifact string
	// Caveats say why the settings may be too narrow or do not help, most
	// important first.
	Caveats []string
	// Uses are all accesses outside of the installation, by tool.
	Uses []Use
	// Installed is how many accesses the installation made.
	Installed int
	// Memory is the limit that the server stayed below, 0 if it reached it.
	Memory int64
}

// Use is one access and whether it is granted.
type Use struct {
	Kind mcpsf.AccessKind
	Tool string
	// Name is what was used, with folders of the sandbox as placeholders.
	Name string
	// By and Reason are the explanation.
	By     mcpsf.Explainer
	Reason string
	// Refused says why it is not granted, "" if it is.
	Refused string
	// Passed is set if the name stands for a value that the user or the model passes.
	Passed bool
}

// Of reads the needs from a report. It fails if the server ran elsewhere.
func Of(r *mcpsf.Report) (*Needs, error) {
	if r.Coverage.Remote {
		return nil, &mcpsf.Error{
			Code:    mcpsf.CodeUsage,
			Message: "the server of this run runs elsewhere, so nothing of what it uses was seen; assess the package it is made of",
		}
	}
	n := &Needs{Server: key(r.Artifact.Name), Artifact: artifact(r), Caveats: caveats(r), Memory: memory(r.Coverage.Limits)}
	p := placesOf(r)
	for _, a := range r.Accesses {
		if a.Phase == mcpsf.PhaseInstall {
			n.Installed++
			continue
		}
		n.Uses = append(n.Uses, p.use(a, r.Findings))
	}
	slices.SortFunc(n.Uses, compareUses)
	n.Uses = slices.Compact(n.Uses)
	return n, nil
}

func compareUses(a, b Use) int {
	return cmp.Or(
		strings.Compare(a.Tool, b.Tool),
		cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.Refused, b.Refused),
		strings.Compare(string(a.By), string(b.By)),
		strings.Compare(a.Reason, b.Reason),
	)
}

func kindRank(k mcpsf.AccessKind) int {
	return slices.Index([]mcpsf.AccessKind{
		mcpsf.AccessProgram, mcpsf.AccessHost, mcpsf.AccessListen, mcpsf.AccessWrite, mcpsf.AccessRead, mcpsf.AccessVariable,
	}, k)
}

// use decides about one access.
func (p places) use(a mcpsf.Access, findings []mcpsf.Finding) Use {
	u := Use{Kind: a.Kind, Tool: a.Tool, Name: p.name(a), By: a.Explanation.By, Reason: a.Explanation.Reason}
	u.Passed = u.Name == workspace || u.Name == passed
	u.Refused = refusal(a, &u, findings)
	return u
}

// refusal says why an access is not granted, "" if it is.
func refusal(a mcpsf.Access, u *Use, findings []mcpsf.Finding) string {
	switch {
	case a.Planted == mcpsf.DecoyDocument && !u.Passed:
		return "it is a document of the user's"
	case a.Planted != "" && !u.Passed:
		return fmt.Sprintf("it is a secret (planted: %s)", a.Planted)
	case a.Explanation.By == mcpsf.ByNobody || a.Explanation.By == "":
		return "nobody explains it"
	case u.Passed:
		return ""
	case a.Name == "*":
		return "there were too many to list"
	case !harmless(a.Kind, a.Name):
		return "its name cannot be written down safely"
	case tooWide(u.Name):
		return "it is too much to grant at once"
	case strings.Contains(a.Name, "#"):
		return "its name differs from run to run"
	}
	if id := accuser(a, findings); id != "" {
		return fmt.Sprintf("the finding %s is about it", id)
	}
	return ""
}

// accuser returns the rule of a finding that names what was used. What every
// program uses is exempt, because it is needed anyway.
func accuser(a mcpsf.Access, findings []mcpsf.Finding) string {
	name := a.Name
	if a.Kind == mcpsf.AccessHost || a.Kind == mcpsf.AccessListen {
		name, _ = splitPort(name)
	}
	if a.Explanation.By == mcpsf.ByNature || name == "" {
		return ""
	}
	name = strings.ToLower(name)
	for _, f := range findings {
		grave := f.Severity == mcpsf.SeverityMedium || f.Severity == mcpsf.SeverityHigh || f.Severity == mcpsf.SeverityCritical
		if grave && namesIt(strings.ToLower(f.Message), name) {
			return f.ID
		}
	}
	return ""
}

// namesIt tells whether text contains name, and not as part of a longer name.
func namesIt(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(name)
		before := begin == 0 || !partOfName(text[begin-1])
		after := end == len(text) || !partOfName(text[end]) || text[end] == '.' && (end+1 == len(text) || text[end+1] == ' ')
		if before && after {
			return true
		}
		at = begin + 1
	}
}

func partOfName(c byte) bool {
	return c == '.' || c == '-' || c == '_' || c == '/' ||
		c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// granted returns the names of a kind that may be used, each once, in order.
func (n *Needs) granted(kind mcpsf.AccessKind) []string {
	var list []string
	for _, u := range n.Uses {
		if u.Kind == kind && u.Refused == "" && u.Name != passed {
			list = append(list, u.Name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// memory returns the memory limit if it was enforced and not reached.
func memory(limits []mcpsf.LimitStatus) int64 {
	for _, l := range limits {
		if l.Name == mcpsf.LimitMemory && !l.Hit && l.Unit == "bytes" {
			return l.Limit
		}
	}
	return 0
}
