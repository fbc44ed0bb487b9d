package report

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// A model's words stand apart from ours: each is labelled as its opinion, with
// its name, and what it suspects has a section of its own.

// opinionOf words a model's opinion of a finding, "" if there is none.
func opinionOf(o *mcpsf.Opinion) string {
	if o == nil {
		return ""
	}
	return strings.TrimSuffix("the model "+o.Model+stanceOf(o)+": "+o.Text, ": ")
}

func stanceOf(o *mcpsf.Opinion) string {
	switch o.Stance {
	case mcpsf.StanceAgrees:
		return " agrees"
	case mcpsf.StanceDoubts:
		return " doubts it"
	}
	return ""
}

// consulted says how a model was asked, in a few facts; none if it was not.
func consulted(o *mcpsf.SecondOpinion) []string {
	if o == nil {
		return nil
	}
	facts := []string{o.Model, fmt.Sprintf("%d of %s taken", o.Answered, wording.Plural(int64(o.Asked), "answer"))}
	for _, n := range []struct {
		count int
		what  string
	}{
		{o.Turned, "discarded: it obeyed what it was to judge"},
		{o.Untested, "discarded: it passed over what was planted to test it"},
		{o.Failed, "failed"},
	} {
		if n.count > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	if n := o.Invented + o.Repeated + o.Beyond; n > 0 {
		facts = append(facts, wording.Plural(int64(n), "suspicion")+" dropped")
	}
	return append(facts, spent(&o.Usage))
}

// dropped says which suspicions of a model are not told, "" if all are.
func dropped(o *mcpsf.SecondOpinion) string {
	var parts []string
	for _, n := range []struct {
		count int
		what  string
	}{
		{o.Invented, "quoted what is nowhere in the run"}, {o.Repeated, "repeated what is told already"}, {o.Beyond, "made no sense or were too many"},
	} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Dropped: " + strings.Join(parts, ", ") + "."
}

// suspicions lists what a model suspects.
func (p *page) suspicions(o *mcpsf.SecondOpinion) {
	if o == nil || len(o.Suspicions) == 0 {
		return
	}
	p.heading("SUSPECTED BY A MODEL", fmt.Sprintf("%d, not counted", len(o.Suspicions)))
	for i := range o.Suspicions {
		if i == maxFindings {
			p.line(dim(fmt.Sprintf("%s %d more in %s", p.ellipsis, len(o.Suspicions)-i, FileName)))
			break
		}
		f := o.Suspicions[i].Finding
		p.findingTitle(f)
		p.paragraph(text(""), findingIndent, roleText, f.Message, 4)
		p.opinion(f.Opinion)
		p.line()
	}
	p.paragraph(text(""), 0, roleDim, wording.Joined("No rule confirms these, so they do not count.", dropped(o)), 3)
}

func (p *page) opinion(o *mcpsf.Opinion) {
	if said := opinionOf(o); said != "" {
		p.paragraph(dim("  opinion"), findingIndent, roleText, said, 8)
	}
}

// mdOpinion is a model's opinion of a finding.
func mdOpinion(o *mcpsf.Opinion) string {
	if o == nil {
		return ""
	}
	out := fmt.Sprintf("Opinion of the model %s", code(o.Model, maxName))
	if said := stanceOf(o); said != "" {
		out += ", which" + said
	}
	if o.Text != "" {
		out += ": " + prose(o.Text, maxSentence)
	}
	return out + "\n\n"
}

// maxSuspected bounds the suspicions in Markdown.
const maxSuspected = 5

// mdSuspicions lists what a model suspects behind a fold.
func mdSuspicions(o *mcpsf.SecondOpinion) string {
	if o == nil || len(o.Suspicions) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<details>\n<summary>Suspected by the model %s, not counted: %d</summary>\n\n", proseHTML(o.Model, maxName), len(o.Suspicions))
	for i := range o.Suspicions {
		if i == maxSuspected {
			fmt.Fprintf(&out, "- and %d more\n", len(o.Suspicions)-i)
			break
		}
		f := &o.Suspicions[i].Finding
		fmt.Fprintf(&out, "- %s (%s): %s", prose(summary.Title(f), maxName*2), prose(string(f.Severity), maxName), prose(f.Message, maxSentence/4))
		if f.Opinion != nil && f.Opinion.Text != "" {
			fmt.Fprintf(&out, " Its words: %s", prose(f.Opinion.Text, maxSentence/4))
		}
		out.WriteString("\n")
	}
	if said := dropped(o); said != "" {
		out.WriteString("\n" + prose(said, maxSentence/2) + "\n")
	}
	return out.String() + "\n</details>\n\n"
}
