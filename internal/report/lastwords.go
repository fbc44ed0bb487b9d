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
	of, where, lines := finalWords(r, events)
	if of == "" {
		return
	}
	p.heading("THE "+strings.ToUpper(of)+"'S LAST WORDS", where)
	for _, line := range lines {
		p.paragraph(text(""), 2, roleText, line, maxWordLines)
	}
	if len(lines) == 0 {
		p.line(dim("  It wrote nothing to stderr."))
	}
}

// finalWords are the last lines of the installation or of the server, and where
// they were written; of nobody if the run needs no explaining.
func finalWords(r *mcpsf.Report, events []mcpsf.Event) (of, where string, lines []string) {
	if r.Coverage.Static || r.Coverage.Remote || r.Verdict.Band != mcpsf.BandInconclusive && r.Session.Initialized {
		return "", "", nil
	}
	if i := r.Installation; i != nil && i.Failed != "" {
		lines = slices.DeleteFunc(strings.Split(i.Output, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
		return "installation", string(i.Manager), lines[max(0, len(lines)-3*maxLastWords):]
	}
	for _, source := range []struct {
		kind mcpsf.Kind
		name string
	}{{mcpsf.KindMCPStderr, "stderr"}, {mcpsf.KindMCPMalformed, "stdout, not MCP"}} {
		if lines = lastLines(events, source.kind); len(lines) > 0 {
			return "server", source.name, lines
		}
	}
	return "server", "", nil
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
