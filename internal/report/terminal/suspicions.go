package terminal

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// suspicions lists what a model suspects.
func (p findingsPart) suspicions(o *mcpsf.SecondOpinion) {
	if o == nil || len(o.Suspicions) == 0 {
		return
	}
	p.heading("SUSPECTED BY A MODEL", fmt.Sprintf("%d, not counted", len(o.Suspicions)))
	for i := range o.Suspicions {
		if i == maxFindings {
			p.line(dim(fmt.Sprintf("%s %d more in %s", p.ellipsis, len(o.Suspicions)-i, phrase.ReportFile)))
			break
		}
		f := o.Suspicions[i].Finding
		p.findingTitle(f)
		p.paragraph(text(""), findingIndent, roleText, f.Message, 4)
		p.opinion(f.Opinion)
		p.line()
	}
	p.paragraph(text(""), 0, roleDim, wording.Joined("No rule confirms these, so they do not count.", phrase.Dropped(o)), 3)
}

func (p findingsPart) opinion(o *mcpsf.Opinion) {
	if said := phrase.Opinion(o); said != "" {
		p.paragraph(dim("  opinion"), findingIndent, roleText, said, 8)
	}
}
