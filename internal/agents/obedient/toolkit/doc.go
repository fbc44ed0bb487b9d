// Package toolkit knows what the tools of an agent can do.
//
// In: a tool as a model gets it: a name, a description, a JSON Schema. Out: its
// [Profile]: its parameters, the role of each, and what the tool can do (read
// files, send mail, run commands, ...). Arguments for a call are filled from
// the profile.
//
// abilities.yaml and roles.yaml have the words by which abilities and
// parameters are recognised.
package toolkit
