package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/internal/report/html"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// writeHTML writes the page for browsers. What is shown, and in which words, is
// decided here, as for the terminal; package html decides how it looks.
func writeHTML(buf *bytes.Buffer, data digest.Data) error {
	r := data.Report
	groups, hidden := htmlGroups(r, data.Events)
	run := &html.Run{
		Report: r, Events: data.Events,
		Summary: cmp.Or(r.Summary, summary.Of(r)), Stderr: htmlStderr(r, data.Events),
		Findings: htmlBlocks(r.Findings), Groups: groups, Hidden: hidden, Consulted: strings.Join(phrase.Consulted(r.SecondOpinion), ", "),
		Words: html.Words{
			Clean: safetext.Clean, Indent: indent, Describe: phrase.Event, Size: wording.Size, Seconds: wording.Seconds, Amount: wording.Amount, Spent: phrase.Usage,
			Loud: func(e *mcpsf.Event) bool { return digest.Quiet(e, e.Call) == "" },
		},
	}
	run.Flows = digest.Flows(r)
	if in := r.Inspection; in != nil {
		run.Advisories, run.Lookup = digest.WorstFirst(in.Advisories), htmlLookup(digest.LookUp(in, r.Run.Started))
	}
	return html.Write(buf, run)
}

func htmlBlocks(findings []mcpsf.Finding) []html.Block {
	var all []html.Block
	for _, b := range digest.Blocks(summary.MostSevereFirst(findings)) {
		message, others := b.Told()
		all = append(all, html.Block{
			Findings: b, Message: message, Others: others, Evidence: b.Evidence(), Places: b.Places(), Reproduce: phrase.Request(b[0].Reproduce),
		})
	}
	return all
}

func htmlGroups(r *mcpsf.Report, events []mcpsf.Event) (list []html.Group, hidden int) {
	runs, hidden := digest.ShownRuns(digest.Groups(events, r.Findings), digest.Calls(r))
	for _, run := range runs {
		first := run[0]
		g := html.Group{Phase: first.Phase, Call: first.Call}
		for _, each := range run {
			g.Total += each.Total
		}
		if len(run) > 1 {
			g.Last = run[len(run)-1].Call
		}
		for _, r := range first.Rows {
			g.Rows = append(g.Rows, html.Row{Event: r.Event, Count: r.Count, Timeless: r.Timeless})
		}
		for _, t := range first.Folded {
			if t.What != digest.Unspoken && len(run) == 1 {
				g.Folded = append(g.Folded, wording.Counted(t.Count, t.What))
			}
		}
		list = append(list, g)
	}
	return list, hidden
}

func htmlLookup(l digest.Lookup) html.Lookup {
	out := html.Lookup{Sentences: l.Sentences, Unsure: l.Unsure}
	for _, s := range l.Sources {
		out.Sources = append(out.Sources, html.LookupSource{Text: s.Text, Stale: s.Stale})
	}
	return out
}

func htmlStderr(r *mcpsf.Report, events []mcpsf.Event) *html.Output {
	out := digest.Stderr(r, events)
	if out == nil {
		return nil
	}
	return &html.Output{Title: out.Title, Lines: out.Lines}
}

// indent formats JSON of the target; invalid JSON is only cleaned.
func indent(raw []byte) string {
	var compact, buf bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return safetext.Clean(string(raw))
	}
	encode.IndentVisible(&buf, compact.Bytes())
	return buf.String()
}
