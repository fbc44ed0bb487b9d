// Package toolkit knows what the tools of an agent can do.
//
// In comes a tool as a model gets it: a name, a description, a JSON Schema. Out
// comes its [Profile]: its parameters, what each of them is for, and what the
// tool can do (read files, send mail, run commands, ...). Arguments for a call
// are filled by the same knowledge.
//
// The words by which abilities and parameters are recognised stand in
// abilities.yaml and roles.yaml.
package toolkit
