package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const head = `# Published vulnerabilities, found unaided

Written by bench/cve from real runs (` + "`make cve`" + `); do not edit.
Last run: %s.

Each row is a published vulnerability of an MCP server on npm or PyPI whose
version can still be installed. It is run as a user would run it,

    mcpsf assess SOURCE --profile balanced [-- ARGUMENTS]

and mcpsf knows nothing of the advisory: the arguments come from the tool's
schema, the payloads are the same for every server, and the programs that a
server needs and that are not there are stood in for by ones that do nothing.
The list, with what counts as showing each, is bench/cve/advisories.yaml.

**%d of %d were found**; %d of the list were not run. Of those found, the fixed
version of %d was run too. On %d of these the attack that had succeeded was made
again and showed nothing; of the rest only the absence of a finding is known,
which is less: a run ends when its time is up, and not every attack has its turn.

%s

## Found

| advisory | version | what | the call that mcpsf found | evidence | fixed version |
| --- | --- | --- | --- | --- | --- |
`

const unseenHead = `
## Not found

| advisory | version | what | why not |
| --- | --- | --- | --- |
`

// page returns docs/cve-replay.md.
func page(list []advisory, known results, date string) string {
	var found, unseen strings.Builder
	n, fixable, clean, unrun := 0, 0, 0, 0
	for i := range list {
		a := &list[i]
		r := known[a.Vulnerable]
		f, how := a.shown(r)
		if r == nil {
			unrun++
		}
		if f == nil {
			fmt.Fprintf(&unseen, "| %s | %s | %s | %s |\n", link(a.ID), version(a.Vulnerable), cell(a.What, 200), cell(a.whyNot(r), 400))
			continue
		}
		n++
		state, tried, isClean := a.fixedState(known)
		if tried {
			fixable++
		}
		if isClean {
			clean++
		}
		fmt.Fprintf(&found, "| %s | %s | %s | %s | %s; %s, %s | %s |\n", link(a.ID), version(a.Vulnerable), cell(a.What, 200),
			code(how.Call, 220), code(how.Evidence, 160), f.Severity, f.Grade, state)
	}
	text := fmt.Sprintf(head, date, n, len(list), unrun, fixable, clean, builds(known)) + found.String()
	if unseen.Len() > 0 {
		text += unseenHead + unseen.String()
	}
	return text + stood(list, known)
}

// builds names the versions of mcpsf of the results.
func builds(known results) string {
	count := map[string]int{}
	for _, r := range known {
		name := r.Build
		if name == "" {
			name = "not recorded"
		}
		count[name]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%s (%d)", name, count[name]))
	}
	return "The results are of these builds: " + strings.Join(parts, ", ") + "."
}

// fixedState says what was found in the fixed version.
func (a *advisory) fixedState(known results) (text string, tried, clean bool) {
	r := known[a.Fixed]
	switch {
	case a.Fixed == "":
		return "none can be installed", false, false
	case r == nil || r.Error != "":
		return version(a.Fixed) + " was not run", false, false
	}
	if a.Still != "" {
		text = "; " + cell(a.Still, 200)
	}
	if _, how := a.shown(r); how != nil {
		return version(a.Fixed) + ": still has it " + code(how.Call, 120) + text, true, false
	}
	f, how := a.shown(known[a.Vulnerable])
	switch {
	case r.Tried == nil:
		return version(a.Fixed) + ": no finding; whether the same attack was reached was not recorded" + text, true, false
	case f != nil && !slices.Contains(r.Tried, attempt(f.Tool, how.Place, how.Why)):
		return version(a.Fixed) + ": no finding, but the same attack was not reached" + text, true, false
	}
	return version(a.Fixed) + ": clean, the same attack was made" + text, true, true
}

func (a *advisory) whyNot(r *result) string {
	switch {
	case r == nil:
		return "it was not run; to be expected: " + a.Unseen
	case a.Unseen != "":
		return a.Unseen
	case r.Error != "":
		return r.Error
	}
	return "no finding shows it"
}

// stood lists the programs that were replaced by stub programs.
func stood(list []advisory, known results) string {
	var b strings.Builder
	told := map[string]bool{}
	for _, a := range list {
		if r := known[a.Vulnerable]; r != nil && r.Missing != "" && !told[a.Vulnerable] {
			told[a.Vulnerable] = true
			fmt.Fprintf(&b, "- %s: %s\n", version(a.Vulnerable), cell(r.Missing, 300))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n## What was stood in for\n\n" + b.String()
}

// summary is what the terminal shows.
func summary(list []advisory, known results) string {
	var b strings.Builder
	for i := range list {
		a := &list[i]
		state := "not found"
		if f, _ := a.shown(known[a.Vulnerable]); f != nil {
			fixed, _, _ := a.fixedState(known)
			state = f.Rule + " " + f.Tool + "; fixed " + fixed
		}
		fmt.Fprintf(&b, "%-22s %-50s %s\n", a.ID, a.Vulnerable, state)
	}
	return b.String()
}

// link returns the URL of an advisory.
func link(id string) string {
	if strings.HasPrefix(id, "GHSA-") {
		return "[" + id + "](https://github.com/advisories/" + id + ")"
	}
	return "[" + id + "](https://nvd.nist.gov/vuln/detail/" + id + ")"
}

// version shows a source without the prefix that mcpsf needs.
func version(source string) string {
	source, args, listens := strings.Cut(source, dashes)
	source, _, _ = strings.Cut(source, variable)
	_, name, _ := strings.Cut(source, ":")
	name = "`" + strings.Replace(name, "==", "@", 1) + "`"
	if listens {
		name += " with `" + args + "`"
	}
	return name
}

// cell makes a text fit into a table.
func cell(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > limit {
		text = string(r[:limit]) + "…"
	}
	return strings.ReplaceAll(text, "|", "\\|")
}

// code shows a text as code. A backquote in it would end it.
func code(text string, limit int) string {
	text = cell(text, limit)
	if text == "" {
		return ""
	}
	fence := "`"
	if strings.Contains(text, "`") {
		fence = "``"
	}
	return fence + " " + text + " " + fence
}
