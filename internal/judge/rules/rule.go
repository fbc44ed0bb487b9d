package rules

import (
	"errors"
	"slices"

	"github.com/mcpsf/mcpsf"
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

// Set is a compiled set of rules. It is immutable and safe for concurrent use.
type Set struct {
	rules []*rule
	// leftOut are the ids of those that [Set.Only] has left out.
	leftOut []string
}

// Rules lists the rules in the order of their ids.
func (s *Set) Rules() []Rule {
	out := make([]Rule, len(s.rules))
	for i, r := range s.rules {
		out[i] = r.Rule
	}
	return out
}

// rule is a compiled rule file.
type rule struct {
	Rule
	file string
	// when is the condition over one event or fact; for a sequence it is nil
	// and chain has those of the steps.
	when    condition
	chain   *chain
	group   []string
	count   count
	message *message
	// advice is the template of the remediation.
	advice *message
	tests  []test
	// sum is the hash of the file.
	sum [32]byte
	// source is the whole file if its tests were left out.
	source []byte
}

// tested returns the rule with its tests.
func (r *rule) tested() (*rule, error) {
	if r.source == nil {
		return r, nil
	}
	whole, problems := parseFile(r.file, r.source)
	return whole, errors.Join(problems...)
}

// count asks for a number of hits before a group of them is a finding.
type count struct {
	// Distinct names the field whose different values are counted; with ""
	// every hit counts.
	Distinct string `yaml:"distinct"`
	Min      int    `yaml:"min"`
	// Max is 0 for no upper bound.
	Max int `yaml:"max"`
	// Per is the time that they have to lie in, "" for any; per is that in
	// seconds.
	Per string `yaml:"per"`
	per float64
}

// possible tells whether the rule can have something to say about an event of
// which no more is known than that.
func (r *rule) possible(s sieve) bool {
	if r.chain == nil {
		return s.judge(r.when.tree) != no
	}
	return slices.ContainsFunc(r.chain.steps, func(st step) bool {
		return slices.Contains(st.kinds, s.kind) && s.judge(st.when.tree) != no
	})
}
