package markdown

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/mdtext"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxListed bounds the advisories in a comment on a pull request.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxListed = 10

// inspection describes in a few lines the package's capabilities, and the
// advisories about its packages.
func inspection(r *mcpsf.Report) string {
	in := r.Inspection
	if in == nil {
		return ""
	}
	var out strings.Builder
	if len(in.Capabilities) > 0 {
		fmt.Fprintf(&out, "**Its source can:** %s\n\n", mdtext.Prose(strings.Join(powers(in.Capabilities), "; "), phrase.MaxSentence)+".")
	}
	known := digest.LookUp(in, r.Run.Started)
	fmt.Fprintf(&out, "**Published weaknesses:** %s", mdtext.Prose(strings.Join(known.Sentences, " "), phrase.MaxSentence))
	for i, s := range known.Sources {
		if i == maxAdvised {
			break
		}
		fmt.Fprintf(&out, " Looked up in %s.", mdtext.Prose(s.Text, phrase.MaxName*2))
		if s.Stale {
			out.WriteString(" **That is too old** to say that something is not in it.")
		}
	}
	out.WriteString("\n\n")
	advisories(&out, in)
	return out.String()
}

// powers names the capabilities, where they are, and whether the run showed them.
func powers(all []mcpsf.Capability) []string {
	var said []string
	for i, a := range all {
		if i == maxAdvised*2 {
			break
		}
		s := phrase.Brief(string(a.Kind), phrase.MaxName/2)
		switch {
		case a.Count > 0:
			s += " in " + wording.Counted(int64(a.Count), "place{s}")
		default:
			s += " by dependencies"
		}
		switch a.Used {
		case mcpsf.LoadedYes:
			s += ", used"
		case mcpsf.LoadedNo:
			s += ", not used"
		}
		said = append(said, s)
	}
	return said
}

func advisories(out *strings.Builder, in *mcpsf.Inspection) {
	if len(in.Advisories) == 0 {
		return
	}
	out.WriteString("| severity | advisory | package | loaded | fixed in |\n| --- | --- | --- | --- | --- |\n")
	for i, a := range digest.WorstFirst(in.Advisories) {
		if i == maxListed {
			fmt.Fprintf(out, "| | and %d more | | | |\n", len(in.Advisories)-i)
			break
		}
		severity := "**" + mdtext.Prose(strings.ToUpper(string(a.Severity)), phrase.MaxName/2) + "**"
		switch {
		case a.Malicious:
			severity += " malicious"
		case a.Score > 0:
			severity += fmt.Sprintf(" %.1f", digest.Score(a.Score))
		}
		fmt.Fprintf(out, "| %s | %s %s | %s | %s | %s |\n", severity,
			mdtext.Code(wording.Joined(a.ID, digest.CommonName(&a)), phrase.MaxName), mdtext.Prose(a.Summary, phrase.MaxName), mdtext.Code(a.Package, phrase.MaxName), mdtext.Prose(string(a.Loaded), phrase.MaxName/2), mdtext.Code(digest.FixedIn(&a), phrase.MaxName/2))
	}
	out.WriteString("\n")
}
