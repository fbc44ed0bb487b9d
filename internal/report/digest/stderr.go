package digest

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// MaxStderr is how many of the last lines are shown.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const MaxStderr = 5

// Output is the end of what the server, or its installation, wrote.
type Output struct {
	Title string
	Lines []string
}

// Stderr returns the end of the installation's or the server's output; nil if
// the run was complete.
func Stderr(r *mcpsf.Report, events []mcpsf.Event) *Output {
	if r.Coverage.Static || r.Coverage.Remote || r.Verdict.Band != mcpsf.BandInconclusive && r.Session.Initialized {
		return nil
	}
	if i := r.Installation; i != nil && i.Failed != "" {
		lines := slices.DeleteFunc(strings.Split(i.Output, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
		return &Output{"Installation Output (" + string(i.Manager) + ")", lines[max(0, len(lines)-3*MaxStderr):]}
	}
	const title = "Server stderr"
	if lines := lastLines(events, mcpsf.KindMCPStderr); len(lines) > 0 {
		return &Output{title, lines}
	}
	if lines := lastLines(events, mcpsf.KindMCPMalformed); len(lines) > 0 {
		return &Output{"Server stdout (not MCP)", lines}
	}
	return &Output{Title: title}
}

// lastLines returns the last lines of output of one kind, in order.
func lastLines(events []mcpsf.Event, kind mcpsf.Kind) []string {
	var lines []string
	for _, e := range slices.Backward(events) {
		if e.Kind != kind || e.MCP == nil {
			continue
		}
		for _, line := range slices.Backward(strings.Split(phrase.Text(e.MCP.Body), "\n")) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			lines = append(lines, line)
			if len(lines) == MaxStderr {
				slices.Reverse(lines)
				return lines
			}
		}
	}
	slices.Reverse(lines)
	return lines
}
