package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/mdtext"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Bounds of a page in Markdown. A comment on a GitHub pull request has at most
// 65,536 characters; some are left for whoever posts it.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	MaxMarkdown = 64_000
	maxTable    = 40
	maxAdvised  = 8
)

// Write writes the format for pull requests and job summaries: the verdict, a
// table of findings, the proof of each behind a fold.
func Write(buf *bytes.Buffer, data digest.Data) error {
	r := data.Report
	all := digest.Blocks(summary.MostSevereFirst(r.Findings))
	end := flows(r) + suspicions(r.SecondOpinion) + inspection(r) + coverage(r) + waived(r.Waived) + closing(r)
	buf.WriteString(verdict(r))
	table(buf, all)
	told, shown := 0, digest.Index(data.Events)
	for _, b := range all {
		fold := foldOf(b, shown)
		if buf.Len()+len(fold)+len(end) > MaxMarkdown-phrase.MaxName {
			break
		}
		buf.WriteString(fold)
		told += len(b)
	}
	if rest := len(r.Findings) - told; rest > 0 {
		fmt.Fprintf(buf, "%s without details here: %s has all of them.\n\n", wording.Counted(int64(rest), "more finding{s}"), mdtext.Code(phrase.ReportFile, phrase.MaxName))
	}
	buf.WriteString(end)
	return nil
}

func verdict(r *mcpsf.Report) string {
	v := r.Verdict
	var b strings.Builder
	fmt.Fprintf(&b, "## mcpsf: %s", mdtext.Prose(summary.BandAndScore(&v), phrase.MaxName))
	if v.Action != "" {
		b.WriteString(", " + mdtext.Prose(v.Action, phrase.MaxName))
	}
	fmt.Fprintf(&b, "\n\n%s", mdtext.Code(r.Target.Source, phrase.MaxName))
	if a := r.Artifact; a.Name != "" || a.Digest != "" {
		fmt.Fprintf(&b, " (%s)", strings.Join(strings.Fields(mdtext.Code(wording.Joined(a.Name, a.Version), phrase.MaxName)+" "+mdtext.Code(a.Digest, phrase.MaxName)), " "))
	}
	if answers := summary.Answers(&v); answers != nil {
		fmt.Fprintf(&b, "\n\n%s", mdtext.Prose(wording.UpperFirst(strings.Join(answers, ", ")), phrase.MaxSentence))
	}
	summary := cmp.Or(r.Summary, summary.Of(r))
	fmt.Fprintf(&b, "\n\n%s\n\n", mdtext.Prose(summary, phrase.MaxSentence))
	for i, reason := range v.Reasons {
		if i == maxAdvised {
			fmt.Fprintf(&b, "- and %d more\n", len(v.Reasons)-i)
			break
		}
		fmt.Fprintf(&b, "- %s\n", mdtext.Prose(reason, phrase.MaxSentence/2))
	}
	if len(v.Reasons) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

func table(buf *bytes.Buffer, all []digest.Block) {
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
		title := mdtext.Prose(f.Title, phrase.MaxName)
		if len(b) > 1 {
			title += fmt.Sprintf(" (%d times)", len(b))
		}
		fmt.Fprintf(buf, "| **%s** | %s | %s | %s | %s |\n",
			mdtext.Prose(strings.ToUpper(string(f.Severity)), phrase.MaxName), title, mdtext.Code(f.Tool, phrase.MaxName), mdtext.Code(f.ID, phrase.MaxName), mdtext.Prose(string(f.Grade), phrase.MaxName))
	}
	buf.WriteString("\n")
}

// foldOf writes everything about one block of findings. Up to the first empty
// line it is HTML, after that Markdown.
func foldOf(b digest.Block, events map[int64]*mcpsf.Event) string {
	f := b[0]
	var out strings.Builder
	fmt.Fprintf(&out, "<details>\n<summary>%s: %s</summary>\n\n", mdtext.ProseHTML(strings.ToUpper(string(f.Severity)), phrase.MaxName), mdtext.ProseHTML(summary.Title(&f), phrase.MaxName*2))
	message, others := b.Told()
	out.WriteString(mdtext.Prose(message, phrase.MaxSentence) + "\n\n")
	if len(others) > 0 {
		out.WriteString("The same holds for:\n\n")
	}
	for i, s := range others {
		if i == phrase.MaxSubjects {
			fmt.Fprintf(&out, "- and %d more\n", len(others)-i)
			break
		}
		fmt.Fprintf(&out, "- %s\n", mdtext.Code(s, phrase.MaxName*2))
	}
	if len(others) > 0 {
		out.WriteString("\n")
	}
	if f.Explanation != nil && f.Explanation.Reason != "" {
		fmt.Fprintf(&out, "Considered: %s.\n\n", mdtext.Prose(f.Explanation.Reason, phrase.MaxSentence/2))
	}
	out.WriteString(evidenceOf(b, events))
	out.WriteString(opinion(f.Opinion))
	if f.Reproduce != "" {
		out.WriteString("To see it again, send:\n\n" + mdtext.CodeBlock(f.Reproduce, phrase.MaxRequest) + "\n")
	}
	if f.Remediation != "" {
		fmt.Fprintf(&out, "What to do: %s\n\n", mdtext.Prose(wording.OneLine(f.Remediation), phrase.MaxSentence))
	}
	if ids := digest.Taxonomies(f.Maps); len(ids) > 0 {
		fmt.Fprintf(&out, "Known as %s\n\n", mdtext.Code(strings.Join(ids, " "), phrase.MaxSentence/2))
	}
	return out.String() + "</details>\n\n"
}

// evidenceOf shows the first events that prove it. It does not write #7, which
// would be a link to an issue.
func evidenceOf(b digest.Block, events map[int64]*mcpsf.Event) string {
	evidence := b.Evidence()
	var out strings.Builder
	f := b[0]
	if places := b.Places(); len(places) > 0 {
		return "Read without running it, in " + mdtext.Code(phrase.Listed(places, phrase.MaxSubjects), phrase.MaxSentence) + ".\n\n"
	}
	fmt.Fprintf(&out, "Seen %s", wording.Counted(int64(b.Occurrences()), "time{s}"))
	switch calls := b.Calls(); {
	case len(calls) > 0:
		fmt.Fprintf(&out, " in %s", mdtext.Code(wording.Joined("call "+phrase.Listed(calls, phrase.MaxSubjects), phrase.OfTool(f.Tool)), phrase.MaxName))
	case f.Phase != "":
		fmt.Fprintf(&out, " in phase %s", mdtext.Code(string(f.Phase), phrase.MaxName))
	}
	out.WriteString(".\n\n")
	for i, seq := range evidence {
		if i == phrase.MaxEvidence {
			fmt.Fprintf(&out, "- and %s\n", wording.Counted(int64(len(evidence)-i), "more event{s}"))
			break
		}
		fmt.Fprintf(&out, "- event %d", seq)
		if e := events[seq]; e != nil {
			verb, what := phrase.Event(e)
			fmt.Fprintf(&out, ": %s", mdtext.Code(wording.Joined(verb, what), phrase.MaxName*2))
		}
		out.WriteString("\n")
	}
	if len(evidence) > 0 {
		out.WriteString("\n")
	}
	return out.String()
}

func coverage(r *mcpsf.Report) string {
	c := r.Coverage
	out := "**Coverage:** " + mdtext.Prose(summary.Extent(c), phrase.MaxSentence)
	if n := len(c.Gaps); n > 0 {
		out += fmt.Sprintf(" Not covered: %s", mdtext.Prose(c.Gaps[0].Text, phrase.MaxSentence/2))
		if n > 1 {
			out += fmt.Sprintf(" (and %d more)", n-1)
		}
	}
	return out + "\n\n"
}

func waived(all []mcpsf.Waived) string {
	if len(all) == 0 {
		return ""
	}
	var ids []string
	for _, w := range all {
		ids = append(ids, w.Finding.ID)
	}
	return fmt.Sprintf("**Not counted:** %s waived by %s: %s\n\n", wording.Counted(int64(len(all)), "finding{s}"),
		mdtext.Code(all[0].File, phrase.MaxName), mdtext.Code(phrase.Listed(ids, maxAdvised), phrase.MaxSentence/2))
}

func closing(r *mcpsf.Report) string {
	return fmt.Sprintf("%s, run %s, seed %s\n", mdtext.Code(wording.Joined(r.Tool.Name, r.Tool.Version), phrase.MaxName), mdtext.Code(r.Run.ID, phrase.MaxName), mdtext.Code(fmt.Sprint(r.Run.Seed), phrase.MaxName))
}
