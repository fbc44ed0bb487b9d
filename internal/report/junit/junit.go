package junit

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/gate"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxListedGaps bounds the gaps of the coverage that are listed.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxListedGaps = 100

// MaxCases bounds the test cases; one more says how many findings are left.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const MaxCases = 5000

// Suites is the document: one suite, with a test case for the verdict and one
// for each finding. A finding at or above the gate has failed, one below it has
// output, a waived one is skipped, and a verdict that cannot be relied on is an
// error.
type Suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"`
	Suite    suite    `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Timestamp  string     `xml:"timestamp,attr,omitempty"`
	Properties []property `xml:"properties>property"`
	Cases      []Case     `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Case is the JUnit element testcase.
type Case struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Time    string  `xml:"time,attr"`
	Failure *Reason `xml:"failure,omitempty"`
	Error   *Reason `xml:"error,omitempty"`
	Skipped *Reason `xml:"skipped,omitempty"`
	Out     string  `xml:"system-out,omitempty"`
}

// Reason is the message of a failure, error or skipped case.
type Reason struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Write writes the test suite. The gate says what fails the build; nil is for
// findings from medium on.
func Write(buf *bytes.Buffer, data digest.Data, g *gate.Gate) error {
	r := data.Report
	if g == nil {
		g = gate.Medium()
	}
	cases := []Case{verdict(r, g)}
	findings := summary.MostSevereFirst(r.Findings)
	for i := range findings {
		if i == MaxCases {
			cases = append(cases, restCase(findings[i:], g))
			break
		}
		cases = append(cases, finding(&findings[i], g))
	}
	for i := range r.Waived[:min(len(r.Waived), MaxCases)] {
		cases = append(cases, waived(&r.Waived[i]))
	}
	buf.WriteString(xml.Header)
	enc := xml.NewEncoder(buf)
	enc.Indent("", "  ")
	if err := enc.Encode(all(r, cases)); err != nil {
		return err
	}
	buf.WriteByte('\n')
	return nil
}

// all counts the cases and puts them into their suite.
func all(r *mcpsf.Report, cases []Case) Suites {
	s := suite{
		Name: cmp.Or(phrase.Brief(r.Target.Source, phrase.MaxSentence), "mcpsf"), Tests: len(cases), Time: seconds(r),
		Timestamp: strings.TrimSuffix(encode.Stamp(r.Run.Started.Truncate(time.Second)), ".000Z"), Cases: cases,
		Properties: []property{
			{"verdict", phrase.Brief(string(r.Verdict.Band), phrase.MaxName)}, {"score", fmt.Sprint(min(max(r.Verdict.Score, 0), 100))},
			{"behaviour", phrase.Brief(string(r.Verdict.Behaviour.Band), phrase.MaxName)}, {"weakness", phrase.Brief(string(r.Verdict.Weakness.Band), phrase.MaxName)},
			{"confidence", phrase.Brief(string(r.Verdict.Confidence.Level), phrase.MaxName)},
			{"artifact", phrase.Brief(wording.Joined(r.Artifact.Name, r.Artifact.Version), phrase.MaxName)}, {"digest", phrase.Brief(r.Artifact.Digest, phrase.MaxName)},
			{"run", phrase.Brief(r.Run.ID, phrase.MaxName)}, {"seed", fmt.Sprint(r.Run.Seed)}, {"mcpsf", phrase.Brief(r.Tool.Version, phrase.MaxName)},
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
	return Suites{
		Name: "mcpsf", Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Skipped: s.Skipped, Time: s.Time, Suite: s,
	}
}

func verdict(r *mcpsf.Report, g *gate.Gate) Case {
	v := r.Verdict
	c := Case{Class: "mcpsf", Name: "verdict", Time: seconds(r)}
	message := phrase.Brief(fmt.Sprintf("%s: %s", summary.Band(&v), v.Action), phrase.MaxSentence)
	text := []string{phrase.Brief(cmp.Or(r.Summary, summary.Of(r)), phrase.MaxSentence), strings.Join(summary.Answers(&v), ", ")}
	for _, reason := range v.Reasons[:min(len(v.Reasons), maxListedGaps)] {
		text = append(text, phrase.Brief(reason, phrase.MaxSentence))
	}
	reason := &Reason{Message: message, Type: phrase.Brief(string(v.Band), phrase.MaxName), Text: strings.Join(text, "\n")}
	switch {
	case g.FailsVerdict(&v):
		c.Failure = reason
	case g.Unsure(&v) || !slices.Contains(mcpsf.Bands(), v.Band):
		c.Error = reason
	default:
		c.Out = message + "\n" + reason.Text
	}
	return c
}

func finding(f *mcpsf.Finding, g *gate.Gate) Case {
	c := caseOf(f)
	text := detailText(f)
	if g.FailsFinding(f) {
		c.Failure = &Reason{Message: phrase.Brief(cmp.Or(f.Message, f.Title), phrase.MaxSentence), Type: phrase.Brief(string(f.Severity), phrase.MaxName), Text: text}
	} else {
		c.Out = text
	}
	return c
}

func waived(w *mcpsf.Waived) Case {
	c := caseOf(&w.Finding)
	reason := "waived: " + w.Reason
	if until := encode.Stamp(w.Until); until != "" {
		reason += " (until " + until[:len("2006-01-02")] + ")"
	}
	c.Skipped = &Reason{Message: phrase.Brief(reason, phrase.MaxSentence)}
	c.Out = detailText(&w.Finding)
	return c
}

// restCase stands for the findings that have no case of their own.
func restCase(rest []mcpsf.Finding, g *gate.Gate) Case {
	c := Case{Class: "mcpsf", Name: "further findings", Time: "0.000"}
	text := fmt.Sprintf("%s, less severe than those above, only in %s", wording.Counted(int64(len(rest)), "more finding{s}"), phrase.ReportFile)
	if slices.ContainsFunc(rest, func(f mcpsf.Finding) bool { return g.FailsFinding(&f) }) {
		c.Failure = &Reason{Message: text}
	} else {
		c.Out = text
	}
	return c
}

// caseOf names a case so that the same finding has the same name in every run:
// build servers compare by name.
func caseOf(f *mcpsf.Finding) Case {
	name := cmp.Or(summary.Title(f), f.ID, "finding")
	if f.Fingerprint != "" {
		name += " (" + f.Fingerprint + ")"
	}
	return Case{Class: "mcpsf." + phrase.Brief(f.ID, phrase.MaxName), Name: phrase.Brief(name, phrase.MaxSentence), Time: "0.000"}
}

func detailText(f *mcpsf.Finding) string {
	lines := []string{
		fmt.Sprintf("%s, %s, %s", phrase.Brief(string(f.Severity), phrase.MaxName), phrase.Brief(string(f.Grade), phrase.MaxName), phrase.Brief(string(f.Category), phrase.MaxName)),
		phrase.Brief(f.Message, phrase.MaxSentence),
		evidence(f),
	}
	if f.Reproduce != "" {
		lines = append(lines, "reproduce: "+phrase.Brief(f.Reproduce, phrase.MaxRequest))
	}
	if f.Remediation != "" {
		lines = append(lines, "fix: "+phrase.Brief(wording.OneLine(f.Remediation), phrase.MaxSentence))
	}
	return strings.Join(lines, "\n")
}

// evidence says where it was found: in the run, or in the package.
func evidence(f *mcpsf.Finding) string {
	if digest.Static(f) {
		return "place: " + phrase.Brief(digest.Place(f), phrase.MaxSentence)
	}
	return "evidence: events " + phrase.Brief(phrase.EventNumbers(f.Evidence), phrase.MaxName) + call(f)
}

func call(f *mcpsf.Finding) string {
	if f.Call == "" {
		return ""
	}
	return ", call " + phrase.Brief(wording.Joined(f.Call, phrase.OfTool(f.Tool)), phrase.MaxName)
}

func seconds(r *mcpsf.Report) string {
	return fmt.Sprintf("%.3f", min(max(r.Run.Duration, 0), encode.Longest))
}
