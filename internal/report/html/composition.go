package html

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// compositionView is what was read in the package before it ran.
type compositionView struct {
	Lede       string
	Powers     []powerView
	Advisories advisoriesView
	Parts      partsView
	Tools      sourceToolsView
	Gaps       []string
	MoreGaps   int
	// Ran is false if nothing was run.
	Ran bool
}

// compositionSection shows what the package consists of.
type compositionSection struct{ *index }

func (b compositionSection) composition() *compositionView {
	in := b.Report.Inspection
	if in == nil {
		return nil
	}
	known := newInventory(in)
	v := &compositionView{Ran: !b.Report.Coverage.Static, Lede: b.readings(in)}
	v.Powers = b.powers(in.Capabilities, known)
	v.Advisories = b.advisories(known)
	v.Parts = b.parts(known)
	v.Tools = b.sourceTools(in.Tools)
	for _, s := range firstOf(in.Gaps, maxReasons) {
		v.Gaps = append(v.Gaps, b.line(sentence(s), maxLine))
	}
	v.MoreGaps = len(in.Gaps) - len(v.Gaps)
	return v
}

// partsData returns what the script shows of the packages, nil if none were
// read, and its approximate size in bytes.
func (v *compositionView) partsData() (*partsData, int) {
	if v == nil {
		return nil, 0
	}
	return &v.Parts.data, v.Parts.used
}

// readings says how much was read.
func (b compositionSection) readings(in *mcpsf.Inspection) string {
	s := "Read without running any of it: " + plural(len(in.Packages), "package")
	if f := in.Files; f.Source > 0 {
		s += fmt.Sprintf(", and %s of %s understood", thousands(int64(f.Parsed)), plural(f.Source, "source file"))
		if f.Bytes > 0 {
			s += " (" + b.Size(f.Bytes) + ")"
		}
	} else {
		s += ", and no source file in a language that is read"
	}
	return s + "."
}

// Bounds for one capability: places and dependencies, and how many are visible
// at first.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxPowers  = 10
	maxPlaces  = 20
	fewPlaces  = 3
	maxNeeders = 60
)

// powerView is a capability of the package.
type powerView struct {
	Name, Words string
	// Places are where its own source does it, Further those behind a fold, and
	// MorePlaces counts the rest.
	Places, Further []placeView
	MorePlaces      int
	// Packages are the dependencies that have it.
	Packages     []string
	MorePackages int
	Declared     string
	// Used is "yes" or "no", "" if unknown.
	Used   string
	Events []eventRef
}

type placeView struct{ Where, Name, Tools string }

// eventRef names an event and says what it is.
type eventRef struct {
	Seq    int64
	Linked bool
	What   string
}

func (b compositionSection) powers(all []mcpsf.Capability, known *inventory) []powerView {
	events := b.named(all)
	var list []powerView
	for _, a := range firstOf(all, maxPowers) {
		v := powerView{Name: b.line(string(a.Kind), 60), Words: powerWords(a.Kind), Declared: b.line(a.Declared, maxLine)}
		for _, p := range firstOf(a.Places, maxPlaces) {
			v.Places = append(v.Places, b.place(p))
		}
		v.MorePlaces = max(a.Count-len(v.Places), 0)
		if len(v.Places) > fewPlaces+1 {
			v.Places, v.Further = v.Places[:fewPlaces], v.Places[fewPlaces:]
		}
		for _, purl := range firstOf(a.Packages, maxNeeders) {
			v.Packages = append(v.Packages, b.line(known.title(purl), maxName/2))
		}
		v.MorePackages = len(a.Packages) - len(v.Packages)
		if a.Used == mcpsf.LoadedYes || a.Used == mcpsf.LoadedNo {
			v.Used = string(a.Used)
		}
		for _, seq := range firstOf(a.Evidence, maxEvidence) {
			v.Events = append(v.Events, b.reference(seq, events[seq]))
		}
		list = append(list, v)
	}
	return list
}

func (b compositionSection) place(p mcpsf.CodePlace) placeView {
	v := placeView{Where: b.inFile(p.Path, p.Line), Name: b.line(p.Name, 80)}
	if len(p.Tools) > 0 {
		v.Tools = b.line(strings.Join(firstOf(p.Tools, maxSubjects), ", "), maxName)
	}
	return v
}

// named finds the events in which capabilities were used.
func (b compositionSection) named(all []mcpsf.Capability) map[int64]*mcpsf.Event {
	found := make(map[int64]*mcpsf.Event)
	for _, a := range firstOf(all, maxPowers) {
		for _, seq := range firstOf(a.Evidence, maxEvidence) {
			found[seq] = nil
		}
	}
	for i := range b.Events {
		if _, ok := found[b.Events[i].Seq]; ok {
			found[b.Events[i].Seq] = &b.Events[i]
		}
	}
	return found
}

func (b compositionSection) reference(seq int64, e *mcpsf.Event) eventRef {
	v := eventRef{Seq: seq, Linked: b.shown[seq]}
	if e != nil {
		verb, what := b.Describe(e)
		v.What = b.line(strings.TrimSpace(verb+" "+what), maxName/2)
	}
	return v
}

// inFile names a place in a file.
func (b *index) inFile(file string, line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", b.line(file, maxName), line)
	}
	return b.line(file, maxName)
}

// powerWords describe a capability, "" for an unknown one.
func powerWords(p mcpsf.CapabilityKind) string {
	switch p {
	case mcpsf.CapabilityExec:
		return "runs programs"
	case mcpsf.CapabilityFiles:
		return "reads and changes files"
	case mcpsf.CapabilityNetwork:
		return "uses the network"
	case mcpsf.CapabilityDynamic:
		return "runs code that it makes"
	case mcpsf.CapabilityNative:
		return "loads native code"
	case mcpsf.CapabilityEnviron:
		return "reads its environment"
	case mcpsf.CapabilityCredential:
		return "reads credentials"
	}
	return ""
}
