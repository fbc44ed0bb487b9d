package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// Summary words the verdict in one or two sentences. The same report always
// gives the same words.
func Summary(r *mcpsf.Report) string {
	if r.Verdict.Band == mcpsf.BandInconclusive {
		return inconclusive(r)
	}
	if r.Coverage.Static {
		return onlyRead(r)
	}
	if len(r.Findings) == 0 {
		return "Nothing suspicious was seen: " + reach(r.Coverage)
	}
	return gravest(r.Findings) + " " + reach(r.Coverage)
}

// onlyRead words the verdict on a package that was not run.
func onlyRead(r *mcpsf.Report) string {
	const rest = "Nothing of it was run."
	if len(r.Findings) == 0 {
		return "Nothing suspicious was read. " + rest
	}
	return gravest(r.Findings) + " " + rest
}

// Recommendations tells what to do, most urgent first: what the findings ask
// for, then what would make the next run see more. The same report always
// gives the same list.
func Recommendations(r *mcpsf.Report) []string {
	var list []string
	if r.Verdict.Action != "" {
		list = append(list, upperFirst(r.Verdict.Action)+caveat(r)+".")
	}
	seen := make(map[string]bool)
	for _, f := range gravestFirst(r.Findings) {
		if s := f.Remediation; s != "" && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return append(list, widen(r)...)
}

// caveat keeps a good verdict from being taken for more than it is.
func caveat(r *mcpsf.Report) string {
	blind := r.Coverage.Blind
	if r.Verdict.Band != mcpsf.BandPass || len(blind) == 0 {
		return ""
	}
	topic, _, _ := strings.Cut(asClause(blind[0]), ":")
	s := ", knowing what was not tested: " + topic
	if n := len(blind) - 1; n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s + ` (see "not seen")`
}

// reach words what the verdict rests on.
func reach(c mcpsf.Coverage) string {
	lost := "none"
	if c.Events.Lost != 0 {
		lost = fmt.Sprint(c.Events.Lost)
	}
	return fmt.Sprintf("%d of %s called, %s recorded, %s lost.",
		c.Calls.Reached, plural(int64(c.Calls.Tools), "tool"), plural(c.Events.Received, "event"), lost)
}

func inconclusive(r *mcpsf.Report) string {
	s := "The run does not allow a verdict"
	if len(r.Verdict.Reasons) > 0 {
		s += ": " + asClause(r.Verdict.Reasons[0])
	}
	s += "."
	if len(r.Findings) > 0 {
		s += " Even so: " + lowerFirst(gravest(r.Findings))
	}
	return s
}

// gravest words how many findings there are and the worst of them.
func gravest(findings []mcpsf.Finding) string {
	f := gravestFirst(findings)[0]
	s := titleOf(&f)
	if len(findings) == 1 {
		return "1 finding: " + s + "."
	}
	return fmt.Sprintf("%d findings, the gravest: %s.", len(findings), s)
}

// titleOf words what was found and where.
func titleOf(f *mcpsf.Finding) string {
	s := strings.TrimRight(f.Title, ".")
	switch {
	case mcpsf.IsNoTool(f.Tool):
		s += ", in " + f.Tool
	case f.Tool != "":
		s += ", in tool " + f.Tool
	}
	return s
}

// widen lists what would make another run see more.
func widen(r *mcpsf.Report) []string {
	var list []string
	c := r.Coverage
	if c.Remote {
		return append(list, widenRemote(r)...)
	}
	if c.Static {
		return append(list, "Nothing of it was run: see what it does with mcpsf assess.")
	}
	if !r.Session.Initialized {
		list = append(list, "The server never answered initialize: give the right start command after \"--\", or the settings it needs with --env, and run again.")
	}
	if missed := c.Calls.Tools - c.Calls.Reached; missed > 0 {
		list = append(list, fmt.Sprintf("%s never reached: give the server the settings it needs with --env and run again.", were(missed, "tool")))
	}
	if n := c.Calls.Timeout; n > 0 {
		list = append(list, fmt.Sprintf("%s out of time: run again with a longer --timeout if the server is meant to be slow.", ran(n, "call")))
	}
	for _, l := range c.Limits {
		if l.Hit {
			list = append(list, fmt.Sprintf("The limit on %s (%s) was reached: raise it only if the server has a reason to need more.", l.Name, amount(l.Limit, l.Unit)))
		}
	}
	if c.Events.Lost != 0 || !c.Events.Complete {
		list = append(list, "Events were lost: run again, on a machine with more memory if it happens twice.")
	}
	return list
}

// widenRemote does so for a server that runs elsewhere.
func widenRemote(r *mcpsf.Report) []string {
	var list []string
	if !r.Session.Initialized {
		list = append(list, "The server never answered initialize: check the address, give the credentials it wants with --header or MCPSF_BEARER, and run again.")
	}
	if missed := r.Coverage.Calls.Tools - r.Coverage.Calls.Reached; missed > 0 {
		list = append(list, fmt.Sprintf("%s not called: --yes-i-may-attack-this calls every tool, if the server is yours or its owner agrees.", were(missed, "tool")))
	}
	return append(list, "What it does where it runs can be seen only there: assess the package it is made of, if that is published.")
}

func were(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " was"
	}
	return plural(int64(n), noun) + " were"
}

func ran(n int, noun string) string { return plural(int64(n), noun) + " ran" }

// asClause makes a sentence fit behind a colon.
func asClause(s string) string { return strings.TrimRight(lowerFirst(s), ".") }

func upperFirst(s string) string { return first(s, unicode.ToUpper) }

// lowerFirst is for joining a sentence to another. It leaves abbreviations
// alone: "MCP ..." stays.
func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return first(s, unicode.ToLower)
}

func first(s string, change func(rune) rune) string {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError {
		return s
	}
	return string(change(r)) + s[size:]
}
