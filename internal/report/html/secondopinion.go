package html

import "github.com/mcpsf/mcpsf"

// opinionView is what a model says about a finding.
type opinionView struct{ Model, Stance, Text string }

func (b *index) opinion(o *mcpsf.Opinion) *opinionView {
	if o == nil {
		return nil
	}
	v := &opinionView{Model: b.line(o.Model, maxName), Text: b.line(o.Text, maxProse)}
	switch o.Stance {
	case mcpsf.StanceAgrees:
		v.Stance = "agrees"
	case mcpsf.StanceDisagrees:
		v.Stance = "disagrees"
	}
	return v
}

// suspectedView is what a model suspects and no rule found.
type suspectedView struct {
	Model string
	List  []suspicionView
	More  int
}

type suspicionView struct {
	Level, Severity, Title, Message, Rule, Quote string
	Opinion                                      *opinionView
}

func (b findingsSection) suspected() suspectedView {
	o := b.Report.SecondOpinion
	if o == nil {
		return suspectedView{}
	}
	v := suspectedView{Model: b.line(o.Model, maxName)}
	for i := range firstOf(o.Suspicions, maxFindings) {
		s := &o.Suspicions[i]
		f := &s.Finding
		v.List = append(v.List, suspicionView{
			Level: severityLevel(f.Severity), Severity: b.line(string(f.Severity), 40), Title: b.line(f.Title, maxProse),
			Message: b.line(f.Message, maxProse), Rule: b.line(f.ID, maxName), Quote: b.line(s.Quote, maxLine), Opinion: b.opinion(f.Opinion),
		})
	}
	v.More = len(o.Suspicions) - len(v.List)
	return v
}
