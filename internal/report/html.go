package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/html"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// htmlFormat writes the page for browsers. What is shown and how it is said is
// decided here, as for the terminal; how it looks is package html's.
type htmlFormat struct{}

var _ format = htmlFormat{}

func (htmlFormat) name() Format { return FormatHTML }

func (htmlFormat) write(buf *bytes.Buffer, doc document) error {
	r := doc.report
	groups, hidden := htmlGroups(r, doc.events)
	run := &html.Run{
		Report: r, Events: doc.events,
		Summary: cmp.Or(r.Summary, summary.Of(r)), Stderr: htmlStderr(r, doc.events),
		Findings: htmlBlocks(r.Findings), Groups: groups, Hidden: hidden, Consulted: strings.Join(consulted(r.SecondOpinion), ", "),
		Words: html.Words{
			Clean: safetext.Clean, Indent: indent, Describe: describe, Size: wording.Size, Seconds: wording.Seconds, Amount: wording.Amount, Spent: spent,
			Loud: func(e *mcpsf.Event) bool { return quiet(e, e.Call) == "" },
		},
	}
	run.Flows = flowsOf(r)
	if in := r.Inspection; in != nil {
		run.Advisories, run.Lookup = worstFirst(in.Advisories), lookedUp(in, r.Run.Started)
	}
	return html.Write(buf, run)
}

func htmlBlocks(findings []mcpsf.Finding) []html.Block {
	var all []html.Block
	for _, b := range blocks(summary.MostSevereFirst(findings)) {
		message, others := b.told()
		all = append(all, html.Block{
			Findings: b, Message: message, Others: others, Evidence: b.evidence(), Places: b.places(), Reproduce: readable(b[0].Reproduce),
		})
	}
	return all
}

func htmlGroups(r *mcpsf.Report, events []mcpsf.Event) (list []html.Group, hidden int) {
	runs, hidden := shownRuns(groups(events, r.Findings), callsOf(r))
	for _, run := range runs {
		first := run[0]
		g := html.Group{Phase: first.phase, Call: first.call}
		for _, each := range run {
			g.Total += each.total
		}
		if len(run) > 1 {
			g.Last = run[len(run)-1].call
		}
		for _, r := range first.rows {
			g.Rows = append(g.Rows, html.Row{Event: r.event, Count: r.count, Timeless: r.timeless})
		}
		for _, t := range first.folded {
			if t.what != unspoken && len(run) == 1 {
				g.Folded = append(g.Folded, wording.Counted(t.count, t.what))
			}
		}
		list = append(list, g)
	}
	return list, hidden
}

func htmlStderr(r *mcpsf.Report, events []mcpsf.Event) *html.Output {
	out := stderrOf(r, events)
	if out == nil {
		return nil
	}
	return &html.Output{Title: out.title, Lines: out.lines}
}

// indent lays out JSON of the target's; what is none, it cleans.
func indent(raw []byte) string {
	var compact, buf bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return safetext.Clean(string(raw))
	}
	layout(&buf, compact.Bytes())
	return buf.String()
}
