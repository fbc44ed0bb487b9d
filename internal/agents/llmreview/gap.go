package llmreview

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// notePrefix begins the coverage gaps of a second opinion.
const notePrefix = "a second opinion on "

// maxReason bounds the reason of a gap, maxModel the name of a model.
// no gap: bounds the text of a note
const maxReason, maxModel = 300, 120

// loss is how much a model did not review.
type loss struct{ findings, texts int }

func (l loss) String() string {
	var parts []string
	if l.findings > 0 {
		parts = append(parts, count(l.findings, "finding"))
	}
	if l.texts > 0 {
		parts = append(parts, count(l.texts, "text"))
	}
	return strings.Join(parts, " and ")
}

// gaps adds up what was not reviewed, by reason.
type gaps struct {
	reasons []string
	losses  []loss
}

func (l *gaps) add(n loss, why string) {
	if n == (loss{}) {
		return
	}
	for i := range l.reasons {
		if l.reasons[i] == why {
			l.losses[i].findings += n.findings
			l.losses[i].texts += n.texts
			return
		}
	}
	l.reasons, l.losses = append(l.reasons, why), append(l.losses, n)
}

// notes has one clause for each reason.
func (l *gaps) notes() []mcpsf.Gap {
	var notes []mcpsf.Gap
	for i := range l.reasons {
		notes = append(notes, gap.Detailed(gap.ModelReview, notePrefix+l.losses[i].String()+": "+l.reasons[i]))
	}
	return notes
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
