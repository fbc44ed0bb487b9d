package markdown

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/mdtext"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// opinion is a model's opinion of a finding.
func opinion(o *mcpsf.Opinion) string {
	if o == nil {
		return ""
	}
	out := fmt.Sprintf("Opinion of the model %s", mdtext.Code(o.Model, phrase.MaxName))
	if said := phrase.Stance(o); said != "" {
		out += ", which" + said
	}
	if o.Text != "" {
		out += ": " + mdtext.Prose(o.Text, phrase.MaxSentence)
	}
	return out + "\n\n"
}

// maxSuspected bounds the suspicions in Markdown.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxSuspected = 5

// suspicions lists what a model suspects behind a fold.
func suspicions(o *mcpsf.SecondOpinion) string {
	if o == nil || len(o.Suspicions) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<details>\n<summary>Suspected by the model %s, not counted: %d</summary>\n\n", mdtext.ProseHTML(o.Model, phrase.MaxName), len(o.Suspicions))
	for i := range o.Suspicions {
		if i == maxSuspected {
			fmt.Fprintf(&out, "- and %d more\n", len(o.Suspicions)-i)
			break
		}
		f := &o.Suspicions[i].Finding
		fmt.Fprintf(&out, "- %s (%s): %s", mdtext.Prose(summary.Title(f), phrase.MaxName*2), mdtext.Prose(string(f.Severity), phrase.MaxName), mdtext.Prose(f.Message, phrase.MaxSentence/4))
		if f.Opinion != nil && f.Opinion.Text != "" {
			fmt.Fprintf(&out, " Its words: %s", mdtext.Prose(f.Opinion.Text, phrase.MaxSentence/4))
		}
		out.WriteString("\n")
	}
	if said := phrase.Dropped(o); said != "" {
		out.WriteString("\n" + mdtext.Prose(said, phrase.MaxSentence/2) + "\n")
	}
	return out.String() + "\n</details>\n\n"
}
