package report

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// How much of a server's last words is shown: lines of its own, and lines of
// the page for each of them.
const (
	maxLastWords = 5
	maxWordLines = 8
)

// lastWords shows what the server wrote last where the run needs explaining:
// it is mostly the reason.
func (p *page) lastWords(r *mcpsf.Report, events []mcpsf.Event) {
	if r.Coverage.Remote || r.Verdict.Band != mcpsf.BandInconclusive && r.Session.Initialized {
		return
	}
	if i := r.Installation; i != nil && i.Failed != "" {
		p.heading("THE INSTALLATION'S LAST WORDS", string(i.Manager))
		lines := slices.DeleteFunc(strings.Split(i.Output, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
		for _, line := range lines[max(0, len(lines)-3*maxLastWords):] {
			p.paragraph(text(""), 2, roleText, line, maxWordLines)
		}
		return
	}
	for _, source := range []struct {
		kind mcpsf.Kind
		name string
	}{{mcpsf.KindMCPStderr, "stderr"}, {mcpsf.KindMCPJunk, "stdout, not MCP"}} {
		if lines := lastLines(events, source.kind); len(lines) > 0 {
			p.heading("THE SERVER'S LAST WORDS", source.name)
			for _, line := range lines {
				p.paragraph(text(""), 2, roleText, line, maxWordLines)
			}
			return
		}
	}
	p.heading("THE SERVER'S LAST WORDS", "")
	p.line(dim("  It wrote nothing to stderr."))
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
			if len(lines) == maxLastWords {
				slices.Reverse(lines)
				return lines
			}
		}
	}
	slices.Reverse(lines)
	return lines
}
