package rulefile

import (
	"errors"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/message"
)

// Rule is the description of a rule.
type Rule struct {
	ID       string
	Title    string
	Category mcpsf.Category
	Severity mcpsf.Severity
	Grade    mcpsf.Grade
	Weight   int
	// Kinds are the kinds of events that the rule examines, Facts the kinds of facts.
	Kinds     []mcpsf.Kind
	Facts     []string
	Rationale string
	// Remediation is general advice; that of a finding names the file or host.
	Remediation string
	Maps        mcpsf.Maps
	// Builtin is set for the built-in rules.
	Builtin bool
}

// Compiled is a compiled rule file.
type Compiled struct {
	Rule
	File string
	// When is the condition on one event or fact. A sequence has none; its steps
	// in Chain do.
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
	// source is the whole file if its tests were skipped.
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

// Count is the number of hits that a group needs to become a finding.
type Count struct {
	// Distinct names the field whose different values are counted; with "" every
	// hit counts.
	Distinct string `yaml:"distinct"`
	Min      int    `yaml:"min"`
	// Max is 0 for no upper bound.
	Max int `yaml:"max"`
	// Per is the time within which the hits must occur, "" for any; Seconds is
	// the same as a number.
	Per     string  `yaml:"per"`
	Seconds float64 `yaml:"-"`
}

// Possible tells whether the rule can match an event with that sieve.
func (r *Compiled) Possible(s condition.Sieve) bool {
	if r.Chain == nil {
		return s.Judge(r.When.Tree) != condition.No
	}
	return slices.ContainsFunc(r.Chain.Steps, func(st Step) bool {
		return slices.Contains(st.Kinds, s.Kind) && s.Judge(st.When.Tree) != condition.No
	})
}
