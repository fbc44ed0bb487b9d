package inspect

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Dependencies returns the facts about packages with advisories. It is called
// once it is known what the run loaded, so that a stored run gives the same.
func Dependencies(in *mcpsf.Inspection) []mcpsf.Fact {
	found := map[string]*mcpsf.Package{}
	for i := range in.Packages {
		found[in.Packages[i].PURL] = &in.Packages[i]
	}
	var facts []mcpsf.Fact
	for i := range in.Advisories {
		a := &in.Advisories[i]
		fact := mcpsf.Fact{Kind: "dependency.vulnerable", Name: a.Package, Text: words(a), Level: a.Severity, Advisory: a.ID}
		p := found[a.Package]
		switch {
		case a.Malicious:
			fact.Kind = "dependency.malicious"
		case a.Loaded == mcpsf.LoadedNo, p != nil && p.Dev:
			fact.Kind = "dependency.unused"
		}
		if p != nil {
			fact.Path = first(p.Found)
			if len(p.Via) > 0 {
				fact.Text += ", came in by " + strings.Join(p.Via, " > ")
			}
		}
		facts = append(facts, fact)
	}
	return facts
}

// words summarises an advisory in one line.
func words(a *mcpsf.Advisory) string {
	text := a.ID
	for _, alias := range a.Aliases {
		if strings.HasPrefix(alias, "CVE-") && alias != a.ID {
			text += " (" + alias + ")"
			break
		}
	}
	if a.Summary != "" {
		text += ": " + a.Summary
	}
	if len(a.Fixed) > 0 {
		text += fmt.Sprintf("; mended in %s", a.Fixed[0])
	}
	if a.Loaded != "" {
		text += "; loaded: " + string(a.Loaded)
	}
	return text
}
