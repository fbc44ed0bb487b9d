package report

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// The bounds of a page in Markdown. A comment on a pull request has at most
// 65,536 characters on GitHub; some are left for who puts it there.
const (
	maxMarkdown = 64_000
	maxTable    = 40
	// The rest is per finding, in characters.
	maxSentence = 1200
	maxName     = 120
	maxRequest  = 2000
)

// markdown is the format for pull requests and job summaries: the verdict, a
// table of what was found, the proof of each behind a fold.
type markdown struct{}

var _ format = markdown{}

func (markdown) name() Format { return FormatMarkdown }

func (markdown) write(buf *bytes.Buffer, doc document) error {
	r := doc.report
	all := blocks(summary.MostSevereFirst(r.Findings))
	end := mdFlows(r) + mdSuspicions(r.SecondOpinion) + mdInspection(r) + mdCoverage(r) + mdWaived(r.Waived) + mdClosing(r)
	buf.WriteString(mdVerdict(r))
	mdTable(buf, all)
	told, shown := 0, index(doc.events)
	for _, b := range all {
		fold := mdFold(b, shown)
		if buf.Len()+len(fold)+len(end) > maxMarkdown-maxName {
			break
		}
		buf.WriteString(fold)
		told += len(b)
	}
	if rest := len(r.Findings) - told; rest > 0 {
		fmt.Fprintf(buf, "%s without details here: %s has all of them.\n\n", wording.Counted(int64(rest), "more finding{s}"), code(FileName, maxName))
	}
	buf.WriteString(end)
	return nil
}

func mdVerdict(r *mcpsf.Report) string {
	v := r.Verdict
	var b strings.Builder
	fmt.Fprintf(&b, "## mcpsf: %s", prose(string(v.Band), maxName))
	if v.Band != mcpsf.BandInconclusive {
		fmt.Fprintf(&b, " %d/100", min(max(v.Score, 0), 100))
	}
	if v.Action != "" {
		b.WriteString(", " + prose(v.Action, maxName))
	}
	fmt.Fprintf(&b, "\n\n%s", code(r.Target.Source, maxName))
	if a := r.Artifact; a.Name != "" || a.Digest != "" {
		fmt.Fprintf(&b, " (%s)", strings.Join(strings.Fields(code(wording.Joined(a.Name, a.Version), maxName)+" "+code(a.Digest, maxName)), " "))
	}
	summary := cmp.Or(r.Summary, summary.Of(r))
	fmt.Fprintf(&b, "\n\n%s\n\n", prose(summary, maxSentence))
	for i, reason := range v.Reasons {
		if i == maxAdvice {
			fmt.Fprintf(&b, "- and %d more\n", len(v.Reasons)-i)
			break
		}
		fmt.Fprintf(&b, "- %s\n", prose(reason, maxSentence/2))
	}
	if len(v.Reasons) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

func mdTable(buf *bytes.Buffer, all []block) {
	if len(all) == 0 {
		return
	}
	buf.WriteString("| severity | finding | tool | rule | grade |\n| --- | --- | --- | --- | --- |\n")
	for i, b := range all {
		if i == maxTable {
			fmt.Fprintf(buf, "| | and %s | | | |\n", wording.Counted(int64(len(all)-i), "more row{s}"))
			break
		}
		f := b[0]
		title := prose(f.Title, maxName)
		if len(b) > 1 {
			title += fmt.Sprintf(" (%d times)", len(b))
		}
		fmt.Fprintf(buf, "| **%s** | %s | %s | %s | %s |\n",
			prose(strings.ToUpper(string(f.Severity)), maxName), title, code(f.Tool, maxName), code(f.ID, maxName), prose(string(f.Grade), maxName))
	}
	buf.WriteString("\n")
}

// mdFold is everything about findings that differ in what they are about only.
// Up to the first empty line it is HTML, and behind that Markdown again.
func mdFold(b block, events map[int64]*mcpsf.Event) string {
	f := b[0]
	var out strings.Builder
	fmt.Fprintf(&out, "<details>\n<summary>%s: %s</summary>\n\n", proseHTML(strings.ToUpper(string(f.Severity)), maxName), proseHTML(summary.Title(&f), maxName*2))
	message, others := b.told()
	out.WriteString(prose(message, maxSentence) + "\n\n")
	if len(others) > 0 {
		out.WriteString("The same holds for:\n\n")
	}
	for i, s := range others {
		if i == maxSubjects {
			fmt.Fprintf(&out, "- and %d more\n", len(others)-i)
			break
		}
		fmt.Fprintf(&out, "- %s\n", code(s, maxName*2))
	}
	if len(others) > 0 {
		out.WriteString("\n")
	}
	if f.Explanation != nil && f.Explanation.Reason != "" {
		fmt.Fprintf(&out, "Considered: %s.\n\n", prose(f.Explanation.Reason, maxSentence/2))
	}
	out.WriteString(mdEvidence(b, events))
	out.WriteString(mdOpinion(f.Opinion))
	if f.Reproduce != "" {
		out.WriteString("To see it again, send:\n\n" + codeBlock(f.Reproduce, maxRequest) + "\n")
	}
	if f.Remediation != "" {
		fmt.Fprintf(&out, "What to do: %s\n\n", prose(f.Remediation, maxSentence))
	}
	if ids := taxonomies(f.Maps); len(ids) > 0 {
		fmt.Fprintf(&out, "Known as %s\n\n", code(strings.Join(ids, " "), maxSentence/2))
	}
	return out.String() + "</details>\n\n"
}

// mdEvidence shows the first of the events that prove it. They are not called
// #7: that would be a link to an issue.
func mdEvidence(b block, events map[int64]*mcpsf.Event) string {
	evidence := b.evidence()
	var out strings.Builder
	f := b[0]
	if places := b.places(); len(places) > 0 {
		return "Read without running it, in " + code(listed(places, maxSubjects), maxSentence) + ".\n\n"
	}
	fmt.Fprintf(&out, "Seen %s", wording.Counted(int64(b.occurrences()), "time{s}"))
	switch calls := b.calls(); {
	case len(calls) > 0:
		fmt.Fprintf(&out, " in %s", code(wording.Joined("call "+listed(calls, maxSubjects), of(f.Tool)), maxName))
	case f.Phase != "":
		fmt.Fprintf(&out, " in phase %s", code(string(f.Phase), maxName))
	}
	out.WriteString(".\n\n")
	for i, seq := range evidence {
		if i == maxEvidence {
			fmt.Fprintf(&out, "- and %s\n", wording.Counted(int64(len(evidence)-i), "more event{s}"))
			break
		}
		fmt.Fprintf(&out, "- event %d", seq)
		if e := events[seq]; e != nil {
			verb, what := describe(e)
			fmt.Fprintf(&out, ": %s", code(wording.Joined(verb, what), maxName*2))
		}
		out.WriteString("\n")
	}
	if len(evidence) > 0 {
		out.WriteString("\n")
	}
	return out.String()
}

func mdCoverage(r *mcpsf.Report) string {
	c := r.Coverage
	out := "**Coverage:** " + prose(summary.Extent(c), maxSentence)
	if n := len(c.Gaps); n > 0 {
		out += fmt.Sprintf(" Not covered: %s", prose(c.Gaps[0], maxSentence/2))
		if n > 1 {
			out += fmt.Sprintf(" (and %d more)", n-1)
		}
	}
	return out + "\n\n"
}

func mdWaived(all []mcpsf.Waived) string {
	if len(all) == 0 {
		return ""
	}
	var ids []string
	for _, w := range all {
		ids = append(ids, w.Finding.ID)
	}
	return fmt.Sprintf("**Not counted:** %s waived by %s: %s\n\n", wording.Counted(int64(len(all)), "finding{s}"),
		code(all[0].File, maxName), code(listed(ids, maxAdvice), maxSentence/2))
}

func mdClosing(r *mcpsf.Report) string {
	return fmt.Sprintf("%s, run %s, seed %s\n", code(wording.Joined(r.Tool.Name, r.Tool.Version), maxName), code(r.Run.ID, maxName), code(fmt.Sprint(r.Run.Seed), maxName))
}

// index finds events by their number.
func index(events []mcpsf.Event) map[int64]*mcpsf.Event {
	all := make(map[int64]*mcpsf.Event, len(events))
	for i := range events {
		all[events[i].Seq] = &events[i]
	}
	return all
}

// taxonomies lists the ids in public taxonomies.
func taxonomies(m mcpsf.Maps) []string {
	var all []string
	for _, list := range [][]string{m.OWASPMCP, m.CWE, m.ATTACK, m.ATLAS, m.SAFEMCP} {
		all = append(all, list...)
	}
	return all
}
