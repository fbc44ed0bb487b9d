package sarif

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// GitHub's limits: at most 25,000 results, of which it shows 5,000, and ten megabytes
// compressed. A hostile server decides how well its text compresses, so the limit
// applies to uncompressed bytes here. Indentation is not counted in maxBytes.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxResults = 5000
	maxBytes   = 6 << 20
	maxTags    = 20
	maxRuleID  = 255
	maxShort   = 1024
	maxLong    = 4096
	// MaxNotes bounds the reasons and the gaps.
	MaxNotes = 100
)

// Write writes the format of code scanning.
func Write(buf *bytes.Buffer, data digest.Data) error {
	r := data.Report
	run := newRun(r)
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
			wording.Were(left, "result"), phrase.ReportFile))
	}
	if o := r.SecondOpinion; o != nil && len(o.Suspicions) > 0 {
		run.note("note", fmt.Sprintf("%s of the model %s left out: no rule found what it suspects. %s has all of them.",
			wording.Plural(int64(len(o.Suspicions)), "suspicion"), o.Model, phrase.ReportFile))
	}
	if run.cutTags {
		run.note("warning", fmt.Sprintf("Some rules have more than %d tags; the rest is left out.", maxTags))
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(Log{Schema: schema, Version: version, Runs: []Run{run.Run}}); err != nil {
		return err
	}
	encode.Indent(buf, bytes.TrimSpace(raw.Bytes()))
	buf.WriteByte('\n')
	return nil
}

// builder makes a SARIF run within the limits.
type builder struct {
	Run

	report *mcpsf.Report
	rules  map[string]int
	files  map[string]int
	bytes  int
	// full is set with the first result that did not fit: later ones are less
	// severe and must not take its place.
	full    bool
	cutTags bool
}

func newRun(r *mcpsf.Report) *builder {
	b := &builder{report: r, rules: map[string]int{}, files: map[string]int{}}
	b.Tool.Driver = driver{
		Name: cmp.Or(phrase.Brief(r.Tool.Name, phrase.MaxName), "mcpsf"), Version: strings.TrimPrefix(phrase.Brief(r.Tool.Version, phrase.MaxName), "v"),
		InformationURI: "https://github.com/mcpsf/mcpsf", Rules: []Rule{},
	}
	b.AutomationDetails.ID = category(r)
	b.Artifacts = []artifact{packagePath(r)}
	b.Results = []Result{}
	b.Invocations = []invocation{{
		// A run with insufficient coverage is not successful.
		ExecutionSuccessful: !r.Verdict.Incomplete(),
		StartTimeUTC:        encode.Stamp(r.Run.Started),
		EndTimeUTC:          encode.Stamp(encode.Moment(r.Run, r.Run.Duration)),
	}}
	b.Properties = runFacts{
		Verdict: phrase.Brief(string(r.Verdict.Band), phrase.MaxName), Score: min(max(r.Verdict.Score, 0), 100),
		Behaviour: answer(r.Verdict.Behaviour), Weakness: answer(r.Verdict.Weakness),
		Decides: phrase.Brief(string(r.Verdict.Decides), phrase.MaxName), Confidence: phrase.Brief(string(r.Verdict.Confidence.Level), phrase.MaxName), Limited: r.Verdict.Limited(),
		Action: phrase.Brief(r.Verdict.Action, maxShort), Summary: phrase.Brief(r.Summary, maxShort),
		Seed: fmt.Sprint(r.Run.Seed), RunID: phrase.Brief(r.Run.ID, phrase.MaxName), Coverage: summary.Extent(r.Coverage),
	}
	level := "warning"
	if r.Verdict.Incomplete() {
		level = "error"
	}
	b.notes(level, "", r.Verdict.Reasons)
	b.notes("note", "Not covered: ", gapTexts(r.Coverage.Gaps))
	return b
}

// gapTexts returns what was not covered, in words.
func gapTexts(gaps []mcpsf.Gap) []string {
	texts := make([]string, len(gaps))
	for i := range gaps {
		texts[i] = gaps[i].Text
	}
	return texts
}

func answer(a mcpsf.Answer) answerFacts {
	return answerFacts{Band: phrase.Brief(string(a.Band), phrase.MaxName), Score: min(max(a.Score, 0), 100)}
}

// notes adds a notification for each entry of a list, up to the bound.
func (b *builder) notes(level, before string, all []string) {
	for i, text := range all {
		if i == MaxNotes {
			b.note(level, fmt.Sprintf("%sand %d more in %s", before, len(all)-i, phrase.ReportFile))
			return
		}
		b.note(level, before+text)
	}
}

func (b *builder) note(level, text string) {
	notes := &b.Invocations[0].Notifications
	*notes = append(*notes, notification{Level: level, Message: Text{Text: cmp.Or(message(text, maxShort), "no reason given")}})
}

// add adds a finding, or counts that it does not fit. waived is the user's
// waiver, nil if there is none.
func (b *builder) add(f *mcpsf.Finding, waived *mcpsf.Waived) bool {
	if b.full {
		return false
	}
	id := cmp.Or(phrase.Brief(f.ID, maxRuleID), "unnamed")
	rule, known := b.rules[id]
	if !known {
		rule = len(b.Tool.Driver.Rules)
	}
	result := Result{
		RuleID: id, RuleIndex: rule, Level: levelOf(f),
		Message:         Text{Text: message(cmp.Or(f.Message, f.Title, f.ID, "no message"), maxLong)},
		Locations:       []Location{b.location(f)},
		OccurrenceCount: max(f.Occurrences, 1),
		Properties:      b.facts(f),
	}
	if same := phrase.Brief(f.Fingerprint, phrase.MaxName); same != "" {
		// GitHub identifies a result by the first one. Without it GitHub
		// computes one from the line, and all results of a rule would be one.
		result.PartialFingerprints = map[string]string{"primaryLocationLineHash": same, "mcpsf/v1": same}
	}
	if len(b.report.Waived) > 0 {
		result.Suppressions = suppressions(waived) // for all results or for none
	}
	size := encodedSize(result)
	var added Rule
	if !known {
		added = b.rule(id, f)
		size += encodedSize(added)
	}
	if len(b.Results) == maxResults || b.bytes+size > maxBytes {
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

func (b *builder) facts(f *mcpsf.Finding) resultFacts {
	facts := resultFacts{
		Category: phrase.Brief(string(f.Category), phrase.MaxName), Severity: phrase.Brief(string(f.Severity), phrase.MaxName), Grade: phrase.Brief(string(f.Grade), phrase.MaxName), Weight: f.Weight,
		Phase: phrase.Brief(string(f.Phase), phrase.MaxName), Call: phrase.Brief(f.Call, phrase.MaxName), Tool: phrase.Brief(f.Tool, maxShort),
		Evidence: phrase.NonNil(f.Evidence[:min(len(f.Evidence), MaxNotes)]), Reproduce: phrase.Brief(f.Reproduce, maxLong), Remediation: phrase.Brief(wording.OneLine(f.Remediation), maxShort),
		PURL: phrase.Brief(f.Package, phrase.MaxPURL), Advisories: advisories(b.report, f),
	}
	if f.Explanation != nil {
		facts.Explanation = phrase.Brief(f.Explanation.Reason, maxShort)
	}
	facts.Opinion = phrase.Brief(phrase.Opinion(f.Opinion), maxShort)
	return facts
}

func suppressions(w *mcpsf.Waived) []suppression {
	if w == nil {
		return []suppression{}
	}
	return []suppression{{
		Kind: "external", Status: "accepted", Justification: phrase.Brief(w.Reason, maxShort),
		Properties: waiverFacts{File: phrase.Brief(w.File, maxShort), Until: encode.Stamp(w.Until)},
	}}
}

// encodedSize is the length of v as JSON.
func encodedSize(v any) int {
	var buf bytes.Buffer
	if encode.Line(&buf, v) != nil {
		return maxBytes
	}
	return buf.Len()
}
