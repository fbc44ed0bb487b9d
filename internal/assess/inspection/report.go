package inspection

import (
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
)

// AddTo adds to the report what was read, and what the run showed about it.
func AddTo(r *mcpsf.Report, found *inspect.Result, events []mcpsf.Event, seen []boxwatch.Observed) {
	if found == nil {
		return
	}
	in := found.Inspection
	if len(events) > 0 && !r.Coverage.Static {
		var opened []string
		for i := range seen {
			opened = append(opened, seen[i].Received.Loaded...)
		}
		inspect.Used(&in, events, opened)
	}
	r.Inspection = &in
	if !r.Coverage.Static {
		r.Coverage.Gaps = append(append(r.Coverage.Gaps, unread(&in)...), notRun(&in)...)
	}
	if !slices.Contains(r.Coverage.Phases, mcpsf.PhaseInspect) {
		r.Coverage.Phases = append([]mcpsf.Phase{mcpsf.PhaseInspect}, r.Coverage.Phases...)
	}
	r.Facts = append(append(r.Facts, found.Facts...), inspect.Dependencies(&in)...)
}

// notRun says what the server's own source can do that the run never showed: a
// theft behind a condition that was not met looks like that.
func notRun(in *mcpsf.Inspection) []mcpsf.Gap {
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
		g := gap.Detailed(gap.CodeNotRun, fmt.Sprintf("its use of %s: its code has it (%s:%d), and this run never showed it", what[c.Kind], at.Path, at.Line))
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
