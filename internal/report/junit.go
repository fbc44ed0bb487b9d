package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxCases bounds the test cases; one more says how many findings are left.
const maxCases = 5000

// junit is the format that every build server shows: the verdict is a test case,
// and so is every finding. What the gate holds against the server has failed,
// what is below it has something to say, what the user waived was skipped, and
// a verdict that could not be given is an error.
type junit struct{}

var _ format = junit{}

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Time     string     `xml:"time,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitReason `xml:"failure,omitempty"`
	Error   *junitReason `xml:"error,omitempty"`
	Skipped *junitReason `xml:"skipped,omitempty"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func (junit) name() Format { return FormatJUnit }

func (junit) write(buf *bytes.Buffer, doc document) error {
	r := doc.report
	gate := gateOf(doc.style.FailOn)
	cases := []junitCase{junitVerdict(r, gate)}
	findings := summary.MostSevereFirst(r.Findings)
	for i := range findings {
		if i == maxCases {
			cases = append(cases, junitRest(findings[i:], gate))
			break
		}
		cases = append(cases, junitFinding(&findings[i], gate))
	}
	for i := range r.Waived[:min(len(r.Waived), maxCases)] {
		cases = append(cases, junitWaived(&r.Waived[i]))
	}
	buf.WriteString(xml.Header)
	enc := xml.NewEncoder(buf)
	enc.Indent("", "  ")
	if err := enc.Encode(junitAll(r, cases)); err != nil {
		return err
	}
	buf.WriteByte('\n')
	return nil
}

// junitAll counts the cases and puts them into their suite.
func junitAll(r *mcpsf.Report, cases []junitCase) junitSuites {
	s := junitSuite{
		Name: cmp.Or(brief(r.Target.Source, maxSentence), "mcpsf"), Tests: len(cases), Time: junitTime(r),
		Timestamp: strings.TrimSuffix(stamp(r.Run.Started.Truncate(time.Second)), ".000Z"), Cases: cases,
		Properties: []junitProperty{
			{"verdict", brief(string(r.Verdict.Band), maxName)}, {"score", fmt.Sprint(min(max(r.Verdict.Score, 0), 100))},
			{"artifact", brief(wording.Joined(r.Artifact.Name, r.Artifact.Version), maxName)}, {"digest", brief(r.Artifact.Digest, maxName)},
			{"run", brief(r.Run.ID, maxName)}, {"seed", fmt.Sprint(r.Run.Seed)}, {"mcpsf", brief(r.Tool.Version, maxName)},
			{"coverage", summary.Extent(r.Coverage)},
		},
	}
	for i := range cases {
		switch c := &cases[i]; {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	return junitSuites{
		Name: "mcpsf", Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Skipped: s.Skipped, Time: s.Time, Suite: s,
	}
}

func junitVerdict(r *mcpsf.Report, gate int) junitCase {
	v := r.Verdict
	c := junitCase{Class: "mcpsf", Name: "verdict", Time: junitTime(r)}
	message := brief(fmt.Sprintf("%s: %s", v.Band, v.Action), maxSentence)
	text := []string{brief(cmp.Or(r.Summary, summary.Of(r)), maxSentence)}
	for _, reason := range v.Reasons[:min(len(v.Reasons), sarifNotes)] {
		text = append(text, brief(reason, maxSentence))
	}
	reason := &junitReason{Message: message, Type: brief(string(v.Band), maxName), Text: strings.Join(text, "\n")}
	bands := []mcpsf.Band{mcpsf.BandPass, mcpsf.BandLow, mcpsf.BandMedium, mcpsf.BandHigh, mcpsf.BandCritical}
	switch rank := slices.Index(bands, v.Band); {
	case rank < 0:
		c.Error = reason
	case rank >= gate:
		c.Failure = reason
	default:
		c.Out = message + "\n" + reason.Text
	}
	return c
}

func junitFinding(f *mcpsf.Finding, gate int) junitCase {
	c := junitCaseOf(f)
	text := junitText(f)
	if rankOf(f) >= gate {
		c.Failure = &junitReason{Message: brief(cmp.Or(f.Message, f.Title), maxSentence), Type: brief(string(f.Severity), maxName), Text: text}
	} else {
		c.Out = text
	}
	return c
}

func junitWaived(w *mcpsf.Waived) junitCase {
	c := junitCaseOf(&w.Finding)
	reason := "waived: " + w.Reason
	if until := stamp(w.Until); until != "" {
		reason += " (until " + until[:len("2006-01-02")] + ")"
	}
	c.Skipped = &junitReason{Message: brief(reason, maxSentence)}
	c.Out = junitText(&w.Finding)
	return c
}

// junitRest stands for the findings that have no case of their own.
func junitRest(rest []mcpsf.Finding, gate int) junitCase {
	c := junitCase{Class: "mcpsf", Name: "further findings", Time: "0.000"}
	text := fmt.Sprintf("%s, less severe than those above, only in %s", wording.Counted(int64(len(rest)), "more finding{s}"), FileName)
	if slices.ContainsFunc(rest, func(f mcpsf.Finding) bool { return rankOf(&f) >= gate }) {
		c.Failure = &junitReason{Message: text}
	} else {
		c.Out = text
	}
	return c
}

// junitCaseOf names a case so that the same finding has the same name next time:
// build servers compare by it.
func junitCaseOf(f *mcpsf.Finding) junitCase {
	name := cmp.Or(summary.Title(f), f.ID, "finding")
	if f.Fingerprint != "" {
		name += " (" + f.Fingerprint + ")"
	}
	return junitCase{Class: "mcpsf." + brief(f.ID, maxName), Name: brief(name, maxSentence), Time: "0.000"}
}

func junitText(f *mcpsf.Finding) string {
	lines := []string{
		fmt.Sprintf("%s, %s", brief(string(f.Severity), maxName), brief(string(f.Grade), maxName)),
		brief(f.Message, maxSentence),
		junitEvidence(f),
	}
	if f.Reproduce != "" {
		lines = append(lines, "reproduce: "+brief(f.Reproduce, maxRequest))
	}
	if f.Remediation != "" {
		lines = append(lines, "fix: "+brief(f.Remediation, maxSentence))
	}
	return strings.Join(lines, "\n")
}

// junitEvidence says where it was seen: in the run, or in the package.
func junitEvidence(f *mcpsf.Finding) string {
	if static(f) {
		return "place: " + brief(placeOf(f), maxSentence)
	}
	return "evidence: events " + brief(eventNumbers(f.Evidence), maxName) + junitCall(f)
}

func junitCall(f *mcpsf.Finding) string {
	if f.Call == "" {
		return ""
	}
	return ", call " + brief(wording.Joined(f.Call, of(f.Tool)), maxName)
}

func junitTime(r *mcpsf.Report) string {
	return fmt.Sprintf("%.3f", min(max(r.Run.Duration, 0), longest))
}

// gateOf is the rank from which on something fails, one that nothing reaches for
// "never".
func gateOf(failOn string) int {
	if failOn == "never" {
		return summary.SeverityRank(mcpsf.SeverityCritical) + 1
	}
	if rank := summary.SeverityRank(mcpsf.Severity(failOn)); rank > 0 {
		return rank
	}
	return summary.SeverityRank(mcpsf.SeverityMedium)
}

// rankOf is how severe a finding is for a gate: signs alone count one band lower,
// as in the verdict.
func rankOf(f *mcpsf.Finding) int {
	rank := summary.SeverityRank(f.Severity)
	if f.Grade == mcpsf.GradeSuspected {
		rank--
	}
	return rank
}
