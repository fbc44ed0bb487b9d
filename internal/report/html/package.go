package html

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxPackages bounds lists of packages, files and starts.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxPackages = 200

// packageView is what was run, where it came from and how it was installed.
type packageView struct {
	Facts      []fact
	Candidates []candidateView
	Installed  *installedView
	// Inspected is what static analysis found.
	Inspected []inspectedView
	Notes     []string
}

// fact is a line of a list of facts.
type fact struct {
	Name, Value string
	// Code is set for text that is not prose.
	Code bool
}

type candidateView struct {
	Command, Why, Outcome string
	Chosen                bool
}

type installedView struct {
	Facts    []fact
	Packages []string
	More     int
	Notes    []string
	Failed   string
	Output   string
}

type inspectedView struct{ Kind, Path, Text string }

// packageSection shows what was run, and how to run it again.
type packageSection struct{ *index }

func (b packageSection) packaged() packageView {
	a := b.Report.Artifact
	var v packageView
	add := b.adder(&v.Facts)
	add("name", strings.TrimSpace(a.Name+" "+a.Version), false)
	add("says of itself", a.Description, false)
	add("digest", a.Digest, true)
	if o := a.Origin; o != nil {
		add("from", o.URL, true)
		add("pinned by", o.Pin, true)
		if !o.Published.IsZero() {
			add("published", day(o.Published), false)
		}
	}
	add("started as", strings.Join(a.Command, " "), true)
	for _, c := range firstOf(a.Candidates, maxReasons) {
		v.Candidates = append(v.Candidates, candidateView{
			Command: b.line(strings.Join(c.Command, " "), maxLine), Why: b.line(c.Why, maxLine),
			Outcome: b.line(c.Outcome, maxLine), Chosen: c.Chosen,
		})
	}
	for _, n := range firstOf(a.Notes, maxReasons) {
		v.Notes = append(v.Notes, b.line(n, maxLine))
	}
	for _, f := range b.Report.Facts {
		if len(v.Inspected) == maxPackages {
			break
		}
		if b.Report.Inspection == nil || f.Kind != "code.capability" && f.Advisory == "" { // those are shown in the composition section
			v.Inspected = append(v.Inspected, inspectedView{b.line(f.Kind, maxName), b.inFile(f.Path, f.Line), b.line(strings.TrimSpace(f.Name+" "+f.Text), maxLine)})
		}
	}
	if i := b.Report.Installation; i != nil {
		v.Installed = b.installed(i)
	}
	return v
}

func (b packageSection) installed(i *mcpsf.Installation) *installedView {
	v := &installedView{Failed: b.line(i.Failed, maxProse), Output: b.lines(i.Output, maxMessage)}
	add := b.adder(&v.Facts)
	add("by", string(i.Manager), false)
	add("command", strings.Join(i.Command, " "), true)
	add("runtime", i.Runtime, false)
	took := b.Seconds(i.Seconds)
	if i.Cached {
		took += ", in an earlier run, whose events these are"
	}
	add("took", took, false)
	if !i.Before.IsZero() {
		add("registries as of", day(i.Before), false)
	}
	for _, p := range firstOf(i.Packages, maxPackages) {
		v.Packages = append(v.Packages, b.line(p, maxName))
	}
	v.More = len(i.Packages) - len(v.Packages)
	for _, n := range firstOf(i.Notes, maxReasons) {
		v.Notes = append(v.Notes, b.line(n, maxLine))
	}
	return v
}

// adder returns a function that adds facts with a value to a list.
func (b *index) adder(list *[]fact) func(name, value string, code bool) {
	return func(name, value string, code bool) {
		if value != "" {
			*list = append(*list, fact{name, b.line(value, maxProse), code})
		}
	}
}
