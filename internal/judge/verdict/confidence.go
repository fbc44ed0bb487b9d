package verdict

import (
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// leastMade is the share of the planned attacks, in percent, below which the
// confidence is medium.
const leastMade = 90

// confidenceOf says how far the coverage of a run carries.
//
//	low     the run was incomplete: events lost, a monitor dead, the time limit
//	        reached, tools not called, no tool worked; or a gap could hide a
//	        thief; or the server runs remotely
//	medium  a tool never worked, not for sure, or never answered, more than half of the calls
//	        were rejected, calls were not repeated with other inputs, or left out
//	        because such calls took the server down, places in the server's own
//	        code that send data, use files, run programs or make code did not
//	        run, what it sends differs in equal starts, less than
//	        90 % of the planned attacks were made, or the run had none; or the
//	        server was not run
//	high    otherwise
func confidenceOf(c *mcpsf.Coverage, s *mcpsf.Session) mcpsf.Confidence {
	out := mcpsf.Confidence{
		Level: mcpsf.ConfidenceHigh, Tools: c.Calls.Tools, ToolsWorked: len(toolsWith(s, worked)),
		TextsRead: c.Texts, Gaps: len(c.Gaps), Reasons: []string{},
	}
	if c.Attacks != nil {
		out.AttacksPlanned, out.AttacksMade = c.Attacks.Planned, c.Attacks.Made
	}
	low, medium := append(missing(c, s), hiding(c)...), reservations(c, s, &out)
	if c.Static {
		low, medium = append(unchecked(c), hiding(c)...), []string{"static scan only: the server was not run"}
	}
	if c.Remote {
		low = append([]string{"the server runs remotely: what it does on its machine was not observed"}, low...)
	}
	switch {
	case len(low) > 0:
		out.Level = mcpsf.ConfidenceLow
	case len(medium) > 0:
		out.Level = mcpsf.ConfidenceMedium
	}
	if c.Static {
		low, medium = medium, low
	}
	out.Reasons = append(append(out.Reasons, low...), medium...)
	return out
}

// hiding returns the gaps in which a thief could hide, as reasons. A server can
// bring many of them about, so only some are named.
func hiding(c *mcpsf.Coverage) []string {
	const most = 5 // no gap: the coverage lists all of them
	var reasons []string
	more := 0
	for _, g := range c.Gaps {
		switch {
		case !g.Hides || g.Code == gap.ToolsNotCalled && c.Calls.Reached < c.Calls.Tools: // that is a reason already
		case len(reasons) == most:
			more++
		default:
			reasons = append(reasons, "not covered: "+g.Text)
		}
	}
	if more > 0 {
		reasons = append(reasons, fmt.Sprintf("%d more gaps in which a theft could hide", more))
	}
	return reasons
}

// unchecked says what a static scan could not check.
func unchecked(c *mcpsf.Coverage) []string {
	var reasons []string
	for _, m := range c.Monitors {
		if !m.Alive {
			reasons = append(reasons, fmt.Sprintf("its %s could not be checked: %s", m.Name, m.Note))
		}
	}
	return reasons
}

// reservations say where coverage is lower than it should be in a run that was
// complete: a tool that rejects its inputs does not do its work.
func reservations(c *mcpsf.Coverage, s *mcpsf.Session, n *mcpsf.Confidence) []string {
	if !s.Initialized {
		return nil
	}
	var reasons []string
	add := func(less bool, format string, args ...any) {
		if less {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	if n.ToolsWorked > 0 {
		add(n.ToolsWorked < n.Tools, "only %d of %d tools worked", n.ToolsWorked, n.Tools)
		unsure := n.ToolsWorked - len(toolsWith(s, surely))
		add(unsure == 1, "1 tool gave only answers that may be refusals")
		add(unsure > 1, "%d tools gave only answers that may be refusals", unsure)
		silent := len(toolsWith(s, called)) - len(toolsWith(s, answered))
		add(silent == 1, "1 tool never answered")
		add(silent > 1, "%d tools never answered", silent)
		total, refused := rejected(s.Calls)
		add(2*refused > total, "%d of %d tool calls were rejected, so most of what the tools do was not covered", refused, total)
	}
	for _, g := range c.Gaps {
		add(slices.Contains(limiting(), g.Code), "not covered: %s", g.Text)
	}
	add(c.Attacks == nil && !c.Remote && !slices.Contains(c.Phases, mcpsf.PhaseAttack), "no attacks were made, so weaknesses were hardly looked for")
	add(100*n.AttacksMade < leastMade*n.AttacksPlanned, "only %d of %d attacks were made", n.AttacksMade, n.AttacksPlanned)
	return reasons
}

// limiting are the gaps that make the confidence medium: honest servers have them
// often, and a thief could use them.
func limiting() []mcpsf.GapCode {
	return []mcpsf.GapCode{gap.CallsNotRepeated, gap.CallsLeftOut, gap.CodeNotRun, gap.NotCompared, gap.InstallNotCompared, gap.LockNotHonoured, gap.OlderReleases, gap.ResultsNotDecoded}
}

// rejected counts the calls of tools, and those of them that were refused.
func rejected(calls []mcpsf.Call) (total, refused int) {
	for _, c := range calls {
		if c.Tool == "" {
			continue
		}
		total++
		if c.Status == mcpsf.CallRefused {
			refused++
		}
	}
	return total, refused
}

// toolsWith returns the tools with at least one call that is like that.
func toolsWith(s *mcpsf.Session, is func(mcpsf.Call) bool) map[string]bool {
	listed := map[string]bool{}
	for _, t := range s.Tools {
		listed[t.Name] = true
	}
	tools := map[string]bool{}
	for _, c := range s.Calls {
		if is(c) && (listed[c.Tool] || len(listed) == 0) {
			tools[c.Tool] = true
		}
	}
	return tools
}

func called(c mcpsf.Call) bool { return c.Tool != "" }

func worked(c mcpsf.Call) bool { return called(c) && c.Status == mcpsf.CallOK }

func surely(c mcpsf.Call) bool { return worked(c) && !c.Doubtful }

func answered(c mcpsf.Call) bool {
	return called(c) && (c.Status == mcpsf.CallOK || c.Status == mcpsf.CallRefused)
}
