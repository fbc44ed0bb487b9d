package terminal

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
)

// maxStderrLines is how many lines of the page one line of stderr may take.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxStderrLines = 8

// stderr shows the last output of the server if the run was incomplete: it
// usually states the reason.
func (p verdictPart) stderr(r *mcpsf.Report, events []mcpsf.Event) {
	out := digest.Stderr(r, events)
	if out == nil {
		return
	}
	p.heading(strings.ToUpper(out.Title), "")
	for _, line := range out.Lines {
		p.paragraph(text(""), 2, roleText, line, maxStderrLines)
	}
	if len(out.Lines) == 0 {
		p.line(dim("  It is empty."))
	}
}
