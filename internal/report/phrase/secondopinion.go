package phrase

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// A model's words are separate from ours: each is labelled as an opinion with
// the model's name, and its suspicions have a section of their own.

// Opinion describes a model's opinion of a finding, "" if there is none.
func Opinion(o *mcpsf.Opinion) string {
	if o == nil {
		return ""
	}
	return strings.TrimSuffix("the model "+o.Model+Stance(o)+": "+o.Text, ": ")
}

// Stance says whether a model agrees with a finding, "" if it does not say.
func Stance(o *mcpsf.Opinion) string {
	switch o.Stance {
	case mcpsf.StanceAgrees:
		return " agrees"
	case mcpsf.StanceDisagrees:
		return " disagrees"
	}
	return ""
}

// Consulted says how a model was asked, in a few facts; none if it was not.
func Consulted(o *mcpsf.SecondOpinion) []string {
	if o == nil {
		return nil
	}
	facts := []string{o.Model, fmt.Sprintf("%d of %s taken", o.Answered, wording.Plural(int64(o.Asked), "answer"))}
	for _, n := range []struct {
		count int
		what  string
	}{
		{o.Turned, "discarded: it obeyed what it was to judge"},
		{o.Untested, "discarded: it passed over what was planted to test it"},
		{o.Failed, "failed"},
	} {
		if n.count > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	if n := o.Invented + o.Repeated + o.Beyond; n > 0 {
		facts = append(facts, wording.Plural(int64(n), "suspicion")+" dropped")
	}
	return append(facts, Usage(&o.Usage))
}

// Dropped says which suspicions of a model are not shown, "" if all are.
func Dropped(o *mcpsf.SecondOpinion) string {
	var parts []string
	for _, n := range []struct {
		count int
		what  string
	}{
		{o.Invented, "quoted what is nowhere in the run"}, {o.Repeated, "repeated what is told already"}, {o.Beyond, "made no sense or were too many"},
	} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Dropped: " + strings.Join(parts, ", ") + "."
}

// Usage says how much a model was used.
func Usage(u *mcpsf.ModelUsage) string {
	s := wording.Plural(u.TokensIn+u.TokensOut, "token")
	if u.Estimated {
		s = "about " + s
	}
	if u.Dollars != nil {
		s += fmt.Sprintf(", $%.2f", *u.Dollars)
	}
	return s
}
