// Package summary puts the verdict and the advice into words.
//
// In: a report that has been judged. Out: two sentences, a list of advice, the
// findings in order of severity. It adds nothing that the report does not say,
// and the same report always gives the same words.
package summary

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Of describes the verdict in one or two sentences. The same report always gives
// the same words.
func Of(r *mcpsf.Report) string {
	if r.Verdict.Band == mcpsf.BandInconclusive {
		return inconclusive(r)
	}
	if r.Coverage.Static {
		return onlyRead(r)
	}
	if len(r.Findings) == 0 {
		return "No findings. " + Extent(r.Coverage)
	}
	return mostSevere(r.Findings) + " " + Extent(r.Coverage)
}

// onlyRead describes the verdict on a package that was not run.
func onlyRead(r *mcpsf.Report) string {
	const rest = "Static scan only: the server was not run."
	if len(r.Findings) == 0 {
		return "No findings. " + rest
	}
	return mostSevere(r.Findings) + " " + rest
}

// Recommendations says what to do, most urgent first: the advice of the
// findings, then what would make the next run cover more. For a theft it is
// three lines. The same report always gives the same list.
func Recommendations(r *mcpsf.Report) []string {
	if list := theft(r); list != nil {
		return list
	}
	var list []string
	if r.Verdict.Action != "" {
		list = append(list, wording.UpperFirst(r.Verdict.Action)+caveat(r)+".")
	}
	if restricts(&r.Verdict) {
		list = append(list, "Run it with the files, hosts and variables that mcpsf policy lists and no others, and let only agents call it that read nothing untrusted.")
	}
	seen := make(map[string]bool)
	for _, group := range byRule(MostSevereFirst(r.Findings)) {
		if s := wording.OneLine(Advice(group)); s != "" && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return append(list, widen(r)...)
}

// restricts tells whether the verdict is about a weakness that has to be kept
// from attackers. The advice then says how.
func restricts(v *mcpsf.Verdict) bool {
	return v.Decides == mcpsf.CategoryWeakness && (v.Band == mcpsf.BandMedium || v.Band == mcpsf.BandHigh || v.Band == mcpsf.BandCritical)
}

// Advice says what to do about the findings of one rule. It joins the files,
// hosts and tools of their remediations in one list.
func Advice(findings []mcpsf.Finding) string {
	var texts []string
	for i := range findings {
		if s := findings[i].Remediation; s != "" {
			texts = append(texts, s)
		}
	}
	return wording.Merge(texts)
}

// byRule groups the findings by rule, in order of each rule's first finding.
func byRule(findings []mcpsf.Finding) [][]mcpsf.Finding {
	var groups [][]mcpsf.Finding
	index := make(map[string]int)
	for _, f := range findings {
		i, ok := index[f.ID]
		if !ok {
			i = len(groups)
			index[f.ID] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// caveat says what a good verdict does not cover.
func caveat(r *mcpsf.Report) string {
	blind := r.Coverage.Gaps
	if r.Verdict.Band != mcpsf.BandPass || len(blind) == 0 {
		return ""
	}
	topic, _, _ := strings.Cut(wording.Clause(blind[0].Text), ":")
	s := ", but note what was not covered: " + topic
	if n := len(blind) - 1; n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s
}

// Extent says what the verdict is based on.
func Extent(c mcpsf.Coverage) string {
	lost := "none"
	if c.Events.Lost != 0 {
		lost = fmt.Sprint(c.Events.Lost)
	}
	return fmt.Sprintf("%d of %s called, %s recorded, %s lost.",
		c.Calls.Reached, wording.Count(c.Calls.Tools, "tool"), wording.Plural(c.Events.Received, "event"), lost)
}

func inconclusive(r *mcpsf.Report) string {
	s := "No verdict"
	if len(r.Verdict.Reasons) > 0 {
		s += ": " + wording.Clause(r.Verdict.Reasons[0])
	}
	s += "."
	if len(r.Findings) > 0 {
		s += " " + mostSevere(r.Findings)
	}
	return s
}

// mostSevere says how many findings there are and names the most severe.
func mostSevere(findings []mcpsf.Finding) string {
	f := MostSevereFirst(findings)[0]
	s := Title(&f)
	if len(findings) == 1 {
		return "1 finding: " + s + "."
	}
	return fmt.Sprintf("%d findings, most severe: %s.", len(findings), s)
}

// Title says what was found and where. The tool is inserted before the colon of
// a title that has one: "Rug pull in add: definition changes".
func Title(f *mcpsf.Finding) string {
	s := strings.TrimRight(f.Title, ".")
	if f.Tool == "" {
		return s
	}
	name, detail, ok := strings.Cut(s, ": ")
	name += " in " + f.Tool
	if ok {
		name += ": " + detail
	}
	return name
}

// widen lists what would make another run see more.
func widen(r *mcpsf.Report) []string {
	var list []string
	c := r.Coverage
	if c.Remote {
		return append(list, widenRemote(r)...)
	}
	if c.Static {
		return append(list, "Run it in the sandbox with mcpsf assess: the scan did not run it.")
	}
	if !r.Session.Initialized {
		list = append(list, "The server never answered initialize: give the right start command after \"--\", or the settings it needs with --env, and run again.")
	}
	if missed := c.Calls.Tools - c.Calls.Reached; missed > 0 {
		list = append(list, fmt.Sprintf("%s never called: give the server the settings it needs with --env and run again.", wording.Were(missed, "tool")))
	}
	if n := c.Calls.Timeout; n > 0 {
		list = append(list, fmt.Sprintf("%s: run again with a longer --timeout if the server is meant to be slow.", wording.Count(n, "call")+" timed out"))
	}
	for _, l := range c.Limits {
		if l.Hit {
			list = append(list, fmt.Sprintf("The limit on %s (%s) was reached: raise it only if the server has a reason to need more.", l.Name, wording.Amount(l.Limit, l.Unit)))
		}
	}
	if c.Events.Lost != 0 || !c.Events.Complete {
		list = append(list, "Events were lost: run again, on a machine with more memory if it happens twice.")
	}
	return list
}

// widenRemote is widen for a server that runs elsewhere.
func widenRemote(r *mcpsf.Report) []string {
	var list []string
	if !r.Session.Initialized {
		list = append(list, "The server never answered initialize: check the address, give the credentials it wants with --header or MCPSF_BEARER, and run again.")
	}
	if missed := r.Coverage.Calls.Tools - r.Coverage.Calls.Reached; missed > 0 {
		list = append(list, fmt.Sprintf("%s not called: --yes-i-may-attack-this calls every tool, if the server is yours or its owner agrees.", wording.Were(missed, "tool")))
	}
	return append(list, "Assess its package in the sandbox if that is published: what the server does on its own machine cannot be observed from here.")
}
