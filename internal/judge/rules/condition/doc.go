// Package condition is the language of rules: which fields and predicates a
// condition can name, and how it becomes a function.
//
// In: the text of a condition. Out: a [Condition] that holds for an [Env] or not.
// expr parses and checks the text; translate.go makes functions of the tree.
// No condition can loop without bound. [Fields] and [Predicates] carry their own
// documentation; docs/rule-conditions.md is generated from them.
package condition
