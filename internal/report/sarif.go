package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// What GitHub takes: at most 25,000 results, of which it shows 5,000, and ten
// megabytes. That is what they are packed; a hostile server decides how well its
// words pack, so here it is as they are. Indentation comes on top of sarifBytes.
const (
	sarifResults = 5000
	sarifBytes   = 6 << 20
	sarifTags    = 20
	sarifRuleID  = 255
	sarifShort   = 1024
	sarifLong    = 4096
	// sarifNotes bounds the reasons, and what was not covered.
	sarifNotes = 100
)

// sarif is the format of code scanning.
type sarif struct{}

var _ format = sarif{}

func (sarif) name() Format { return FormatSARIF }

func (sarif) write(buf *bytes.Buffer, doc document) error {
	r := doc.report
	run := newSarifRun(r)
	left := 0
	for _, f := range summary.MostSevereFirst(r.Findings) {
		if !run.add(&f, nil) {
			left++
		}
	}
	for i := range r.Waived {
		if w := &r.Waived[i]; !run.add(&w.Finding, w) {
			left++
		}
	}
	if left > 0 {
		run.note("warning", fmt.Sprintf("%s left out, the least severe ones: the file would be larger than code scanning takes. %s has all of them.",
			wording.Were(left, "result"), FileName))
	}
	if o := r.SecondOpinion; o != nil && len(o.Suspicions) > 0 {
		run.note("note", fmt.Sprintf("%s of the model %s left out: no rule found what it suspects. %s has all of them.",
			wording.Plural(int64(len(o.Suspicions)), "suspicion"), o.Model, FileName))
	}
	if run.cutTags {
		run.note("warning", fmt.Sprintf("Some rules have more than %d tags; the rest is left out.", sarifTags))
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{run.sarifRun}}); err != nil {
		return err
	}
	layout(buf, bytes.TrimSpace(raw.Bytes()))
	buf.WriteByte('\n')
	return nil
}

// sarifBuilder puts a run together within the limits.
type sarifBuilder struct {
	sarifRun

	report *mcpsf.Report
	rules  map[string]int
	files  map[string]int
	bytes  int
	// full is set with the first result that there was no room for: what comes
	// after it is less severe and must not take its place.
	full    bool
	cutTags bool
}

func newSarifRun(r *mcpsf.Report) *sarifBuilder {
	b := &sarifBuilder{report: r, rules: map[string]int{}, files: map[string]int{}}
	b.Tool.Driver = sarifDriver{
		Name: cmp.Or(brief(r.Tool.Name, maxName), "mcpsf"), Version: strings.TrimPrefix(brief(r.Tool.Version, maxName), "v"),
		InformationURI: "https://github.com/mcpsf/mcpsf", Rules: []sarifRule{},
	}
	b.AutomationDetails.ID = sarifCategory(r)
	b.Artifacts = []sarifArtifact{sarifPackage(r)}
	b.Results = []sarifResult{}
	b.Invocations = []sarifInvocation{{
		// A run that did not cover what it had to is not successful.
		ExecutionSuccessful: r.Verdict.Band != mcpsf.BandInconclusive,
		StartTimeUTC:        stamp(r.Run.Started),
		EndTimeUTC:          stamp(moment(r.Run, r.Run.Duration)),
	}}
	b.Properties = sarifRunFacts{
		Verdict: brief(string(r.Verdict.Band), maxName), Score: min(max(r.Verdict.Score, 0), 100),
		Action: brief(r.Verdict.Action, sarifShort), Summary: brief(r.Summary, sarifShort),
		Seed: fmt.Sprint(r.Run.Seed), RunID: brief(r.Run.ID, maxName), Coverage: summary.Extent(r.Coverage),
	}
	level := "warning"
	if r.Verdict.Band == mcpsf.BandInconclusive {
		level = "error"
	}
	b.notes(level, "", r.Verdict.Reasons)
	b.notes("note", "Not covered: ", r.Coverage.Gaps)
	return b
}

// notes adds a notification for each of a list, as far as the bound.
func (b *sarifBuilder) notes(level, before string, all []string) {
	for i, text := range all {
		if i == sarifNotes {
			b.note(level, fmt.Sprintf("%sand %d more in %s", before, len(all)-i, FileName))
			return
		}
		b.note(level, before+text)
	}
}

func (b *sarifBuilder) note(level, text string) {
	notes := &b.Invocations[0].Notifications
	*notes = append(*notes, sarifNotification{Level: level, Message: sarifText{Text: cmp.Or(sarifMessage(text, sarifShort), "no reason given")}})
}

// add puts a finding into the run, or says that there is no room for it. waived
// is the user's decision not to count it, nil if there is none.
func (b *sarifBuilder) add(f *mcpsf.Finding, waived *mcpsf.Waived) bool {
	if b.full {
		return false
	}
	id := cmp.Or(brief(f.ID, sarifRuleID), "unnamed")
	rule, known := b.rules[id]
	if !known {
		rule = len(b.Tool.Driver.Rules)
	}
	result := sarifResult{
		RuleID: id, RuleIndex: rule, Level: sarifLevelOf(f),
		Message:         sarifText{Text: sarifMessage(cmp.Or(f.Message, f.Title, f.ID, "no message"), sarifLong)},
		Locations:       []sarifLocation{b.location(f)},
		OccurrenceCount: max(f.Occurrences, 1),
		Properties:      b.facts(f),
	}
	if same := brief(f.Fingerprint, maxName); same != "" {
		// GitHub knows a result again by the first, and makes it up from the line
		// if it is not there: all results of a rule would be one.
		result.PartialFingerprints = map[string]string{"primaryLocationLineHash": same, "mcpsf/v1": same}
	}
	if len(b.report.Waived) > 0 {
		result.Suppressions = sarifSuppressions(waived) // of all results or of none
	}
	size := encodedSize(result)
	var added sarifRule
	if !known {
		added = b.rule(id, f)
		size += encodedSize(added)
	}
	if len(b.Results) == sarifResults || b.bytes+size > sarifBytes {
		b.full = true
		return false
	}
	if !known {
		b.rules[id] = rule
		b.Tool.Driver.Rules = append(b.Tool.Driver.Rules, added)
	}
	b.bytes += size
	b.Results = append(b.Results, result)
	return true
}

func (b *sarifBuilder) facts(f *mcpsf.Finding) sarifResultFacts {
	facts := sarifResultFacts{
		Severity: brief(string(f.Severity), maxName), Grade: brief(string(f.Grade), maxName), Weight: f.Weight,
		Phase: brief(string(f.Phase), maxName), Call: brief(f.Call, maxName), Tool: brief(f.Tool, sarifShort),
		Evidence: list(f.Evidence[:min(len(f.Evidence), sarifNotes)]), Reproduce: brief(f.Reproduce, sarifLong), Remediation: brief(f.Remediation, sarifShort),
		PURL: brief(f.Package, maxPURL), Advisories: sarifAdvisories(b.report, f),
	}
	if f.Explanation != nil {
		facts.Explanation = brief(f.Explanation.Reason, sarifShort)
	}
	facts.Opinion = brief(opinionOf(f.Opinion), sarifShort)
	return facts
}

func sarifSuppressions(w *mcpsf.Waived) []sarifSuppression {
	if w == nil {
		return []sarifSuppression{}
	}
	return []sarifSuppression{{
		Kind: "external", Status: "accepted", Justification: brief(w.Reason, sarifShort),
		Properties: sarifWaiverFacts{File: brief(w.File, sarifShort), Until: stamp(w.Until)},
	}}
}

// encodedSize is how long v is as JSON.
func encodedSize(v any) int {
	var buf bytes.Buffer
	if jsonLine(&buf, v) != nil {
		return sarifBytes
	}
	return buf.Len()
}
