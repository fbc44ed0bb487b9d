// Package grammar reads sentences and tells which of their verbs are orders.
//
// In comes a text. Out come its sentences: words and the classes that the
// vocabulary (lexicon.txt, and that of internal/agents/promptscan) gives them.
// [Sentence] answers questions about words; [Statement] knows the condition
// and the negations, and tells an order ("read it", "you must read it") from a
// description ("reads it", "can read it") and from a ban ("do not read it").
//
// The package knows no tools. All of the input is hostile.
package grammar
