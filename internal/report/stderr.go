package report

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// How much of a server's stderr is shown: its last lines, and lines of the page
// for each of them.
const (
	maxStderr      = 5
	maxStderrLines = 8
)

// output is the end of what the server, or its installation, wrote.
type output struct {
	title string
	lines []string
}

// stderr shows what the server wrote last where the run was incomplete: it is
// mostly the reason.
func (p *page) stderr(r *mcpsf.Report, events []mcpsf.Event) {
	out := stderrOf(r, events)
	if out == nil {
		return
	}
	p.heading(strings.ToUpper(out.title), "")
	for _, line := range out.lines {
		p.paragraph(text(""), 2, roleText, line, maxStderrLines)
	}
	if len(out.lines) == 0 {
		p.line(dim("  It is empty."))
	}
}

// stderrOf is the end of the installation's output or of the server's; nil if
// the run was complete.
func stderrOf(r *mcpsf.Report, events []mcpsf.Event) *output {
	if r.Coverage.Static || r.Coverage.Remote || r.Verdict.Band != mcpsf.BandInconclusive && r.Session.Initialized {
		return nil
	}
	if i := r.Installation; i != nil && i.Failed != "" {
		lines := slices.DeleteFunc(strings.Split(i.Output, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
		return &output{"Installation output (" + string(i.Manager) + ")", lines[max(0, len(lines)-3*maxStderr):]}
	}
	const title = "Server stderr"
	if lines := lastLines(events, mcpsf.KindMCPStderr); len(lines) > 0 {
		return &output{title, lines}
	}
	if lines := lastLines(events, mcpsf.KindMCPMalformed); len(lines) > 0 {
		return &output{"Server stdout (not MCP)", lines}
	}
	return &output{title: title}
}

// lastLines returns the last lines of output of one kind, in order.
func lastLines(events []mcpsf.Event, kind mcpsf.Kind) []string {
	var lines []string
	for _, e := range slices.Backward(events) {
		if e.Kind != kind || e.MCP == nil {
			continue
		}
		for _, line := range slices.Backward(strings.Split(words(e.MCP.Body), "\n")) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			lines = append(lines, line)
			if len(lines) == maxStderr {
				slices.Reverse(lines)
				return lines
			}
		}
	}
	slices.Reverse(lines)
	return lines
}
