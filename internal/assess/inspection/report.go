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
		r.Coverage.Gaps = append(r.Coverage.Gaps, unread(&in)...)
	}
	if !slices.Contains(r.Coverage.Phases, mcpsf.PhaseInspect) {
		r.Coverage.Phases = append([]mcpsf.Phase{mcpsf.PhaseInspect}, r.Coverage.Phases...)
	}
	r.Facts = append(append(r.Facts, found.Facts...), inspect.Dependencies(&in)...)
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
