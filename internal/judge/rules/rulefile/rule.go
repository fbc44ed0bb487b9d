package rulefile

import (
	"errors"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/message"
)

// Rule is what a rule says about itself.
type Rule struct {
	ID       string
	Title    string
	Severity mcpsf.Severity
	Grade    mcpsf.Grade
	Weight   int
	// Kinds are those of the events it looks at, Facts those of the facts.
	Kinds     []mcpsf.Kind
	Facts     []string
	Rationale string
	// Remediation is what to do in general; a finding names the file or host.
	Remediation string
	Maps        mcpsf.Maps
	// Builtin is set for the rules that come with the program.
	Builtin bool
}

// Compiled is a compiled rule file.
type Compiled struct {
	Rule
	File string
	// When is the condition over one event or fact; for a sequence it is nil
	// and chain has those of the steps.
	When  condition.Condition
	Chain *Sequence
	Group []string
	Count Count
	// Covers are the rules whose findings this one replaces.
	Covers  []Cover
	Message *message.Message
	// Advice is the template of the remediation.
	Advice *message.Message
	Tests  []Test
	// Sum is the hash of the file.
	Sum [32]byte
	// source is the whole file if its tests were left out.
	source []byte
}

// Tested returns the rule with its tests.
func (r *Compiled) Tested() (*Compiled, error) {
	if r.source == nil {
		return r, nil
	}
	whole, problems := Parse(r.File, r.source)
	return whole, errors.Join(problems...)
}

// Count asks for a number of hits before a group of them is a finding.
type Count struct {
	// Distinct names the field whose different values are counted; with ""
	// every hit counts.
	Distinct string `yaml:"distinct"`
	Min      int    `yaml:"min"`
	// Max is 0 for no upper bound.
	Max int `yaml:"max"`
	// Per is the time that they have to lie in, "" for any; Seconds is the same
	// as a number.
	Per     string  `yaml:"per"`
	Seconds float64 `yaml:"-"`
}

// Possible tells whether the rule can have something to say about an event of
// which no more is known than that.
func (r *Compiled) Possible(s condition.Sieve) bool {
	if r.Chain == nil {
		return s.Judge(r.When.Tree) != condition.No
	}
	return slices.ContainsFunc(r.Chain.Steps, func(st Step) bool {
		return slices.Contains(st.Kinds, s.Kind) && s.Judge(st.When.Tree) != condition.No
	})
}
