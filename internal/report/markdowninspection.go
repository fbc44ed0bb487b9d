package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxListed bounds the advisories in a comment on a pull request.
const maxListed = 10

// mdInspection tells what the package is made of in a few lines: its powers, and
// what is published about its packages.
func mdInspection(r *mcpsf.Report) string {
	in := r.Inspection
	if in == nil {
		return ""
	}
	var out strings.Builder
	if len(in.Capabilities) > 0 {
		fmt.Fprintf(&out, "**Its source can:** %s\n\n", prose(strings.Join(mdPowers(in.Capabilities), "; "), maxSentence)+".")
	}
	known := lookedUp(in, r.Run.Started)
	fmt.Fprintf(&out, "**Published weaknesses:** %s", prose(strings.Join(known.Says, " "), maxSentence))
	for i, s := range known.Sources {
		if i == maxAdvice {
			break
		}
		fmt.Fprintf(&out, " Looked up in %s.", prose(s.Text, maxName*2))
		if s.Stale {
			out.WriteString(" **That is too old** to say that something is not in it.")
		}
	}
	out.WriteString("\n\n")
	mdAdvisories(&out, in)
	return out.String()
}

// mdPowers name the powers, where they are, and whether the run showed them.
func mdPowers(all []mcpsf.Capability) []string {
	var said []string
	for i, a := range all {
		if i == maxAdvice*2 {
			break
		}
		s := brief(string(a.Kind), maxName/2)
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

func mdAdvisories(out *strings.Builder, in *mcpsf.Inspection) {
	if len(in.Advisories) == 0 {
		return
	}
	out.WriteString("| severity | advisory | package | loaded | fixed in |\n| --- | --- | --- | --- | --- |\n")
	for i, a := range worstFirst(in.Advisories) {
		if i == maxListed {
			fmt.Fprintf(out, "| | and %d more | | | |\n", len(in.Advisories)-i)
			break
		}
		severity := "**" + prose(strings.ToUpper(string(a.Severity)), maxName/2) + "**"
		switch {
		case a.Malicious:
			severity += " malicious"
		case a.Score > 0:
			severity += fmt.Sprintf(" %.1f", score(a.Score))
		}
		fmt.Fprintf(out, "| %s | %s %s | %s | %s | %s |\n", severity,
			code(wording.Joined(a.ID, commonName(&a)), maxName), prose(a.Summary, maxName), code(a.Package, maxName), prose(string(a.Loaded), maxName/2), code(fixedIn(&a), maxName/2))
	}
	out.WriteString("\n")
}

// commonName is the name that an advisory has in the list that all others refer
// to, "" if it has none there or that is its own.
func commonName(a *mcpsf.Advisory) string {
	if i := slices.IndexFunc(a.Aliases, func(s string) bool { return strings.HasPrefix(s, "CVE-") && s != a.ID }); i >= 0 {
		return a.Aliases[i]
	}
	return ""
}

func fixedIn(a *mcpsf.Advisory) string {
	if len(a.Fixed) == 0 {
		return ""
	}
	return a.Fixed[0]
}
