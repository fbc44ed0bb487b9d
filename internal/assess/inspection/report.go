package inspection

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/assess/coderun"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Shown is what the run showed about a package. The zero value is nothing.
type Shown struct {
	Events []mcpsf.Event
	Boxes  []boxwatch.Observed
	Code   coderun.Result
}

// AddTo adds to the report what was read, and what the run showed about it.
func AddTo(r *mcpsf.Report, found *inspect.Result, run *Shown) {
	if found == nil {
		return
	}
	in := found.Inspection
	if len(run.Events) > 0 && !r.Coverage.Static {
		var opened []string
		for i := range run.Boxes {
			opened = append(opened, run.Boxes[i].Received.Loaded...)
		}
		inspect.Used(&in, run.Events, opened)
	}
	r.Coverage.Code = run.Code.Coverage
	r.Inspection = &in
	if !r.Coverage.Static {
		r.Coverage.Gaps = append(append(r.Coverage.Gaps, unread(&in)...), notRun(&in, &run.Code)...)
	}
	if !slices.Contains(r.Coverage.Phases, mcpsf.PhaseInspect) {
		r.Coverage.Phases = append([]mcpsf.Phase{mcpsf.PhaseInspect}, r.Coverage.Phases...)
	}
	r.Facts = append(append(r.Facts, found.Facts...), inspect.Dependencies(&in)...)
}

// maxNamed is how many places the sentence of a gap names.
// no gap: bounds what is shown; the count has all
const maxNamed = 3

// notRun says what the server's own source can do that the run never showed: a
// theft behind a condition that was not met looks like that.
func notRun(in *mcpsf.Inspection, code *coderun.Result) []mcpsf.Gap {
	ran := code.Coverage
	if ran == nil {
		return neverShown(in)
	}
	gaps := neverSent(in, code.Ran)
	if ran.NotRun == 0 {
		return gaps
	}
	var names []string
	for _, p := range ran.PlacesNotRun[:min(len(ran.PlacesNotRun), maxNamed)] {
		names = append(names, fmt.Sprintf("%s:%d (%s)", p.Path, p.Line, p.What))
	}
	if more := ran.NotRun - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	g := gap.Detailed(gap.CodeNotRun, "what its code does in "+wording.Count(ran.NotRun, "place")+" that did not run: "+strings.Join(names, ", "))
	g.Count = int64(ran.NotRun)
	return append(gaps, g)
}

// neverSent says that code for the network ran and nothing was sent: what it
// would send is as unknown as if it had not run.
func neverSent(in *mcpsf.Inspection, ran []mcpsf.CodePlace) []mcpsf.Gap {
	for i := range in.Capabilities {
		c := &in.Capabilities[i]
		if c.Kind != mcpsf.CapabilityNetwork || c.Used != mcpsf.LoadedNo {
			continue
		}
		for _, at := range c.Places {
			if slices.ContainsFunc(ran, func(p mcpsf.CodePlace) bool { return p.Path == at.Path && p.Line == at.Line }) {
				return []mcpsf.Gap{gap.Detailed(gap.CodeNotRun, fmt.Sprintf("what its code sends: %s:%d (%s) ran, and nothing was sent", at.Path, at.Line, at.Name))}
			}
		}
	}
	return nil
}

// neverShown does the same where it was not recorded what ran: only whole kinds
// of use are known then.
func neverShown(in *mcpsf.Inspection) []mcpsf.Gap {
	what := map[mcpsf.CapabilityKind]string{
		mcpsf.CapabilityNetwork: "the network", mcpsf.CapabilityFiles: "files", mcpsf.CapabilityExec: "other programs",
	}
	var gaps []mcpsf.Gap
	for i := range in.Capabilities {
		c := &in.Capabilities[i]
		if what[c.Kind] == "" || len(c.Places) == 0 || c.Used != mcpsf.LoadedNo {
			continue
		}
		at := &c.Places[0]
		g := gap.Detailed(gap.CodeNotRun, fmt.Sprintf("its use of %s: its code has it (%s:%d), and this run never showed it; which places ran was not recorded", what[c.Kind], at.Path, at.Line))
		g.Count = int64(c.Count)
		gaps = append(gaps, g)
	}
	return gaps
}

// unread says what the inspection did not read.
func unread(in *mcpsf.Inspection) []mcpsf.Gap {
	var blind []mcpsf.Gap
	if in.Lookup.Missing != "" && len(in.Packages) > 0 {
		blind = append(blind, gap.Detailed(gap.Advisories, "what is published about its packages: "+in.Lookup.Missing))
	}
	blind = append(blind, Uncompared(in)...)
	if n := len(in.Gaps); n > 0 {
		more := ""
		if n > 1 {
			more = fmt.Sprintf(", and %d more notes of that kind", n-1)
		}
		g := gap.Detailed(gap.SourceNotRead, "of its package: "+in.Gaps[0]+more)
		g.Count = int64(n)
		blind = append(blind, g)
	}
	return blind
}
