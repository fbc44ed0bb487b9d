// Package compare finds what is new in the behaviour of a server.
//
// In: the reports of two runs, usually of two versions. Out: what the second
// does, offers and is reported for that the first was not, and vice versa; as
// text, JSON or Markdown. How often something happened is not compared. What
// every program does is not compared either, unless it runs a program or
// contacts a host.
package compare

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/toolset"
)

// State is how an entry changed.
type State string

// The states.
const (
	New     State = "new"
	Gone    State = "gone"
	Changed State = "changed"
)

// Comparison lists the differences between two runs.
type Comparison struct {
	Old Side `json:"old"`
	New Side `json:"new"`
	// Caveats say why a difference may not be real, or why one may be missing.
	Caveats  []string  `json:"caveats"`
	Findings []Finding `json:"findings"`
	Accesses []Access  `json:"accesses"`
	// Tools are the changes of tools, prompts and resources.
	Tools    []Offer   `json:"tools"`
	Packages []Package `json:"packages"`
}

// Side is one of the runs.
type Side struct {
	Run     string     `json:"run"`
	Name    string     `json:"name"`
	Version string     `json:"version,omitempty"`
	Digest  string     `json:"digest"`
	Band    mcpsf.Band `json:"band"`
	Score   int        `json:"score"`
	// Behaviour and Weakness answer the two questions, Confidence says how far
	// they can be relied on.
	Behaviour  mcpsf.Band            `json:"behaviour"`
	Weakness   mcpsf.Band            `json:"weakness"`
	Confidence mcpsf.ConfidenceLevel `json:"confidence"`
}

// Finding is a finding that differs. Was is the old one if it changed.
type Finding struct {
	State   State          `json:"state"`
	Finding mcpsf.Finding  `json:"finding"`
	Was     *mcpsf.Finding `json:"was,omitempty"`
	// Waived is set if the finding is waived in the second run.
	Waived bool `json:"waived,omitempty"`
}

// Access is an access that differs.
type Access struct {
	State       State             `json:"state"`
	Kind        mcpsf.AccessKind  `json:"kind"`
	Tool        string            `json:"tool,omitempty"`
	Name        string            `json:"name"`
	Install     bool              `json:"install,omitempty"`
	Planted     string            `json:"planted,omitempty"`
	Explanation mcpsf.Explanation `json:"explanation"`
}

// Offer is a change of a tool, prompt or resource.
type Offer struct {
	// Of is "tool", or "" where the name says what it is.
	Of string `json:"of,omitempty"`

	toolset.Change
}

// Package is an installed package that differs.
type Package struct {
	State State  `json:"state"`
	Name  string `json:"name"`
	// Old and New are version and digest.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// Runs compares two runs.
func Runs(old, now *mcpsf.Report) *Comparison {
	return &Comparison{
		Old: side(old), New: side(now), Caveats: caveats(old, now),
		Findings: findings(old, now), Accesses: accesses(old, now), Tools: offers(old, now), Packages: packages(old, now),
	}
}

// Counting returns the findings that are new, or more severe than before, and not waived.
func (c *Comparison) Counting() []mcpsf.Finding {
	var all []mcpsf.Finding
	for _, f := range c.Findings {
		if !f.Waived && (f.State == New || f.State == Changed && rank(f.Finding) > rank(*f.Was)) {
			all = append(all, f.Finding)
		}
	}
	return all
}

// Empty tells whether nothing differs.
func (c *Comparison) Empty() bool {
	return len(c.Findings)+len(c.Accesses)+len(c.Tools)+len(c.Packages) == 0
}

func side(r *mcpsf.Report) Side {
	v := &r.Verdict
	return Side{
		Run: r.Run.ID, Name: r.Artifact.Name, Version: r.Artifact.Version, Digest: r.Artifact.Digest, Band: v.Band, Score: v.Score,
		Behaviour: v.Behaviour.Band, Weakness: v.Weakness.Band, Confidence: v.Confidence.Level,
	}
}

func caveats(old, now *mcpsf.Report) []string {
	list := []string{}
	if old.Artifact.Name != now.Artifact.Name {
		list = append(list, "These are two servers, not two versions of one.")
	}
	for _, r := range []struct {
		which  string
		report *mcpsf.Report
	}{{"old", old}, {"new", now}} {
		if r.report.Verdict.Incomplete() {
			list = append(list, "The "+r.which+" run was inconclusive: what it did not see may have been there.")
		}
		if c := r.report.Coverage.Calls; c.Reached < c.Tools {
			list = append(list, "The "+r.which+" run did not reach every tool.")
		}
	}
	if only := onlyInOne(old, now); len(only) > 0 {
		list = append(list, "Only one of the runs had the "+strings.Join(only, ", ")+" phase: what it finds shows in that run alone. Use the same flags for both.")
	}
	if old.Tool.Version != now.Tool.Version {
		list = append(list, "They were judged by two versions of mcpsf; mcpsf report --rejudge judges the old one anew.")
	}
	return list
}

// onlyInOne returns the phases that the user requested in one run only. Other
// phases depend on what the server does.
func onlyInOne(old, now *mcpsf.Report) []string {
	var only []string
	for _, p := range []mcpsf.Phase{mcpsf.PhaseInspect, mcpsf.PhaseInstall, mcpsf.PhaseAttack} {
		if slices.Contains(old.Coverage.Phases, p) != slices.Contains(now.Coverage.Phases, p) {
			only = append(only, string(p))
		}
	}
	return only
}
