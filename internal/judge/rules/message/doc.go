// Package message writes the sentence of a finding.
//
// In: the template of a rule, and what its first hit was. Out: a sentence in which
// every string of the target's is quoted. [Words] are what it can say.
package message
