// Package message writes the sentence of a finding.
//
// In: the template of a rule, and its first hit. Out: a sentence in which every
// string of the target is quoted. [Words] lists what a template can name.
package message
