package terminal

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// inspection says what was read, as part of the coverage.
func (p coveragePart) inspection(r *mcpsf.Report) {
	in := r.Inspection
	if in == nil {
		return
	}
	p.facts("source", coverageIndent, p.sourceFacts(in))
	p.facts("capabilities", coverageIndent, p.abilityFacts(in.Capabilities))
	p.facts("packages", coverageIndent, p.packageFacts(in.Packages))
	p.facts("advisories", coverageIndent, p.advisoryFacts(in, r.Run.Started))
}

func (p coveragePart) sourceFacts(in *mcpsf.Inspection) []string {
	facts := []string{fmt.Sprintf("%d of %s parsed", in.Files.Parsed, wording.Plural(int64(in.Files.Source), "source file"))}
	if n := len(in.Tools); n > 0 {
		facts = append(facts, wording.Plural(int64(n), "tool")+" defined")
	}
	return facts
}

// abilityFacts name the capabilities of the server's own source, and those of
// its dependencies only.
func (p coveragePart) abilityFacts(all []mcpsf.Capability) []string {
	var facts []string
	for _, a := range all {
		fact := string(a.Kind)
		switch {
		case a.Count > 0:
			fact += " in " + wording.Plural(int64(a.Count), "place")
		default:
			fact += " by dependencies"
		}
		if a.Used != "" {
			fact += ", used: " + string(a.Used)
		}
		facts = append(facts, fact)
	}
	if len(facts) == 0 {
		facts = []string{"none found in the code that was parsed"}
	}
	return facts
}

func (p coveragePart) packageFacts(all []mcpsf.Package) []string {
	installed, dev := 0, 0
	for i := range all {
		if all[i].Installed {
			installed++
		}
		if all[i].Dev {
			dev++
		}
	}
	facts := []string{wording.Plural(int64(len(all)), "package"), fmt.Sprintf("%d installed", installed)}
	if dev > 0 {
		facts = append(facts, fmt.Sprintf("%d for development only", dev))
	}
	return facts
}

// advisoryFacts returns the sentences of the other formats as parts of a line.
func (p coveragePart) advisoryFacts(in *mcpsf.Inspection, run time.Time) []string {
	looked := digest.LookUp(in, run)
	var facts []string
	for _, sentence := range looked.Sentences {
		first, size := utf8.DecodeRuneInString(sentence)
		facts = append(facts, string(unicode.ToLower(first))+strings.TrimSuffix(sentence[size:], "."))
	}
	if slices.ContainsFunc(looked.Sources, func(s digest.LookupSource) bool { return s.Stale }) {
		facts = append(facts, "update it with mcpsf db update")
	}
	return facts
}
