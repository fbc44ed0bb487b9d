package html

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxAdvice bounds the recommendations.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxAdvice = 8

// maxReasons bounds lists of sentences.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxReasons = 24

type verdictView struct {
	Band string
	// Limited is set if the confidence is not high and the band does not say so.
	Limited bool
	// Answers are those to both questions, and the confidence.
	Answers []answerView
	// Level chooses shape and colour.
	Level  string
	Scored bool
	Score  int
	// Action is what to do; Caveat is what to know before.
	Action, Caveat string
	Summary        string
	Reasons        []string
	Advice         []string
	Figures        []figure
	Stderr         *outputView
	// Scale are the bands that a score can be in.
	Scale []step
	// Pin is the position of the score on it.
	Pin string
}

// answerView is the answer to one question.
type answerView struct{ Question, Band, Level, Score string }

// figure is a number with its name.
type figure struct{ Value, Label string }

// step is one band of the scale.
type step struct {
	Name, Range, Level string
	X, Width           int
	Here               bool
}

type outputView struct{ Title, Text string }

// verdictSection shows the verdict.
type verdictSection struct{ *index }

func (b verdictSection) verdict() verdictView {
	v := b.Report.Verdict
	view := verdictView{
		Band: b.line(string(v.Band), maxName), Level: bandLevel(v.Band), Limited: v.Limited() && v.Band != mcpsf.BandInconclusive, Answers: b.answers(&v),
		Scored: v.Band != mcpsf.BandInconclusive, Score: min(max(v.Score, 0), 100),
		Action: b.line(sentence(v.Action), maxProse), Summary: b.line(b.Summary, maxProse),
		Figures: b.figures(),
	}
	for _, reason := range firstOf(v.Reasons, maxReasons) {
		if !strings.Contains(strings.ToLower(b.Summary), strings.ToLower(strings.TrimRight(reason, "."))) {
			view.Reasons = append(view.Reasons, b.line(reason, maxProse))
		}
	}
	rest, advice := caveat(v.Action, b.Report.Recommendations)
	view.Caveat = b.line(rest, maxProse)
	for _, s := range firstOf(advice, maxAdvice) {
		view.Advice = append(view.Advice, b.line(s, maxProse))
	}
	if b.Stderr != nil {
		view.Stderr = &outputView{Title: b.line(b.Stderr.Title, 60), Text: b.lines(strings.Join(b.Stderr.Lines, "\n"), maxMessage)}
	}
	if view.Scored {
		view.Scale, view.Pin = scale(v.Band), fmt.Sprintf("%.1f", float64(view.Score)*0.994)
	}
	return view
}

// answers are empty for a report that has none.
func (b verdictSection) answers(v *mcpsf.Verdict) []answerView {
	if v.Behaviour.Band == "" {
		return nil
	}
	view := func(question string, a mcpsf.Answer) answerView {
		score := ""
		if a.Band != mcpsf.BandInconclusive {
			score = fmt.Sprint(min(max(a.Score, 0), 100))
		}
		return answerView{question, b.line(string(a.Band), maxName), bandLevel(a.Band), score}
	}
	return []answerView{view("Does it attack me?", v.Behaviour), view("Can it be attacked?", v.Weakness)}
}

// caveat returns what the first recommendation adds to the action, and the other
// recommendations.
func caveat(action string, advice []string) (rest string, others []string) {
	if len(advice) == 0 {
		return "", nil
	}
	rest, ok := strings.CutPrefix(advice[0], sentence(action))
	if !ok || action == "" {
		return "", advice
	}
	return strings.TrimSuffix(rest, "."), advice[1:]
}

// scale returns where the bands begin, as in package verdict.
func scale(here mcpsf.Band) []step {
	var steps []step
	for i, band := range []mcpsf.Band{mcpsf.BandPass, mcpsf.BandLow, mcpsf.BandMedium, mcpsf.BandHigh, mcpsf.BandCritical} {
		s := step{Name: string(band), Level: bandLevel(band), X: 20 * i, Width: 20, Here: band == here}
		s.Range = fmt.Sprintf("%d–%d", s.X, s.X+19)
		if band == mcpsf.BandCritical {
			s.Range = "80–100"
		}
		steps = append(steps, s)
	}
	return steps
}

func (b verdictSection) figures() []figure {
	c := b.Report.Coverage
	lost := "none lost"
	if c.Events.Lost != 0 || !c.Events.Complete {
		lost = thousands(c.Events.Lost) + " lost"
	}
	figures := []figure{
		{thousands(int64(len(b.Report.Findings))), word(len(b.Report.Findings), "finding")},
		{fmt.Sprintf("%d of %d", c.Calls.Reached, c.Calls.Tools), "tools called"},
		{thousands(int64(len(b.order))), word(len(b.order), "request") + " made"},
		{thousands(c.Events.Received), word(int(c.Events.Received), "event") + " recorded, " + lost},
	}
	if level := b.Report.Verdict.Confidence.Level; level != "" {
		figures = append(figures, figure{b.line(string(level), maxName), "confidence: " + b.rests()})
	}
	if n := len(b.Report.Waived); n > 0 {
		figures = append(figures, figure{thousands(int64(n)), "waived"})
	}
	return figures
}

// rests says in numbers what the confidence rests on.
func (b verdictSection) rests() string {
	c := b.Report.Verdict.Confidence
	return fmt.Sprintf("%d of %s worked, %d of %s made, %s read", c.ToolsWorked, plural(c.Tools, "tool"), c.AttacksMade, plural(c.AttacksPlanned, "attack"), plural(c.TextsRead, "text"))
}

// bandLevel is the name of a band in the style: one of ours, whatever the report
// says.
func bandLevel(band mcpsf.Band) string {
	switch band {
	case mcpsf.BandPass:
		return "pass"
	case mcpsf.BandLow:
		return "low"
	case mcpsf.BandMedium:
		return "medium"
	case mcpsf.BandHigh:
		return "high"
	case mcpsf.BandCritical:
		return "critical"
	}
	return "unsure"
}

// severityLevel is the name of a severity in the style.
func severityLevel(s mcpsf.Severity) string {
	switch s {
	case mcpsf.SeverityLow, mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical:
		return string(s)
	}
	return "info"
}
