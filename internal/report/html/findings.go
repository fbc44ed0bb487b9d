package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Bounds of the findings: how many are shown, how many subjects one has, how
// many events, how many are visible at first, and how many bytes all folded
// details may take.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxFindings = 60
	maxSubjects = 20
	maxEvidence = 12
	fewEvents   = 4
	roomFields  = 900 << 10
)

type findingsView struct {
	List []findingView
	// Counts are by severity, the most severe first.
	Counts []count
	Total  int
	// More is how many are in report.json only.
	More int
}

type count struct {
	Level string
	N     int
}

type findingView struct {
	// ID is the anchor's number.
	ID          int
	Level       string
	Severity    string
	Grade, Rule string
	Title       string
	Message     string
	Others      []string
	MoreOthers  int
	Where       string
	Seen        int
	// Evidence are the first events, Further those behind a fold, and
	// MoreEvidence counts those that are not on the page.
	Evidence, Further []eventView
	MoreEvidence      int
	Explanation       *explanationView
	Opinion           *opinionView
	Reproduce         *reproduceView
	Fix               string
	Taxonomy          []taxonomy
	Fingerprints      []string
}

// explanationView is what explains the access.
type explanationView struct {
	By string
	// Explained is false if nothing does.
	Explained bool
	Reason    string
}

type reproduceView struct{ Call, Message string }

type taxonomy struct {
	Name string
	IDs  []string
}

// findingsSection shows the findings, and what a model suspects.
type findingsSection struct{ *index }

func (b findingsSection) findings() findingsView {
	view := findingsView{Total: len(b.Report.Findings)}
	for _, s := range []mcpsf.Severity{
		mcpsf.SeverityCritical, mcpsf.SeverityHigh, mcpsf.SeverityMedium, mcpsf.SeverityLow, mcpsf.SeverityInfo,
	} {
		n := 0
		for _, block := range b.Run.Findings {
			for _, f := range block.Findings {
				if severityLevel(f.Severity) == string(s) {
					n++
				}
			}
		}
		if n > 0 {
			view.Counts = append(view.Counts, count{string(s), n})
		}
	}
	room := roomFields
	for i, block := range b.Run.Findings {
		if i < maxFindings {
			view.List = append(view.List, b.finding(i, block, &room))
			continue
		}
		view.More += len(block.Findings)
	}
	return view
}

func (b findingsSection) finding(i int, block Block, room *int) findingView {
	f := block.Findings[0]
	v := findingView{
		ID: i + 1, Level: severityLevel(f.Severity), Severity: b.line(string(f.Severity), 40),
		Grade: b.line(string(f.Grade), 40), Rule: b.line(f.ID, maxName), Title: b.line(summary.Title(&f), maxProse),
		Message: b.line(block.Message, maxProse), Where: b.where(block), Explanation: b.explanation(f.Explanation), Opinion: b.opinion(f.Opinion),
		Fix: b.line(wording.OneLine(summary.Advice(block.Findings)), maxProse), Taxonomy: b.taxonomy(f.Maps),
	}
	for _, s := range firstOf(block.Others, maxSubjects) {
		v.Others = append(v.Others, b.line(s, maxLine))
	}
	v.MoreOthers = len(block.Others) - len(v.Others)
	for _, f := range block.Findings {
		v.Seen += max(f.Occurrences, 1)
	}
	for _, f := range firstOf(block.Findings, maxSubjects) {
		if f.Fingerprint != "" {
			v.Fingerprints = append(v.Fingerprints, b.line(f.Fingerprint, maxName))
		}
	}
	v.Evidence, v.MoreEvidence = b.evidence(block.Evidence, room)
	if len(v.Evidence) > fewEvents+1 {
		v.Evidence, v.Further = v.Evidence[:fewEvents], v.Evidence[fewEvents:]
	}
	if f.Reproduce != "" {
		v.Reproduce = &reproduceView{Call: b.line(block.Reproduce, maxProse)}
		if f.Reproduce != block.Reproduce {
			v.Reproduce.Message = b.line(f.Reproduce, maxMessage)
		}
	}
	return v
}

// evidence shows events. Each can be unfolded where it is shown first, while
// there is room.
func (b findingsSection) evidence(seqs []int64, room *int) (views []eventView, more int) {
	for _, seq := range seqs {
		e := b.proofs[seq].event
		if e == nil || len(views) == maxEvidence {
			more++
			continue
		}
		v := b.event(e)
		fields := b.fields(e)
		if size := cost(fields); size <= *room {
			*room -= size
			v.Fields = fields
			v.Anchor = !b.shown[seq]
			b.shown[seq] = true
		}
		views = append(views, v)
	}
	return views, more
}

// where names the calls of findings.
func (b findingsSection) where(block Block) string {
	f := block.Findings[0]
	if n := len(block.Places); n > 0 {
		s := "Read without running it, in " + strings.Join(firstOf(block.Places, fewPlaces), ", ")
		if n > fewPlaces {
			s += fmt.Sprintf(" and %d more places", n-fewPlaces)
		}
		return b.line(s, maxLine*2)
	}
	var calls []string
	for _, f := range block.Findings {
		if f.Call != "" && !slices.Contains(calls, f.Call) {
			calls = append(calls, f.Call)
		}
	}
	s := "In phase " + string(f.Phase)
	switch {
	case len(calls) == 0 && f.Phase == "":
		return ""
	case len(calls) > 6:
		s = fmt.Sprintf("First in calls %s and %d more", strings.Join(calls[:6], ", "), len(calls)-6)
	case len(calls) > 1:
		s = "First in calls " + strings.Join(calls, ", ")
	case len(calls) == 1:
		s = "First in call " + calls[0]
	}
	if f.Tool != "" {
		s += " of " + f.Tool
	}
	return b.line(s, maxLine)
}

func (b *index) explanation(e *mcpsf.Explanation) *explanationView {
	if e == nil || e.By == "" && e.Reason == "" {
		return nil
	}
	v := &explanationView{By: "the " + b.line(string(e.By), 40), Explained: e.By != mcpsf.ByNobody, Reason: b.line(e.Reason, maxLine)}
	if e.By == mcpsf.ByNature {
		v.By = "its nature"
	}
	return v
}

func (b findingsSection) taxonomy(m mcpsf.Maps) []taxonomy {
	var list []taxonomy
	for _, t := range []taxonomy{
		{"OWASP MCP", m.OWASPMCP},
		{"CWE", m.CWE},
		{"ATT&CK", m.ATTACK},
		{"ATLAS", m.ATLAS},
		{"SAFE-MCP", m.SAFEMCP},
	} {
		if len(t.IDs) == 0 {
			continue
		}
		clean := taxonomy{Name: t.Name}
		for _, id := range firstOf(t.IDs, maxSubjects) {
			clean.IDs = append(clean.IDs, b.line(id, 60))
		}
		list = append(list, clean)
	}
	return list
}
