// Package grammar parses sentences and decides which of their verbs are orders.
//
// In: a text. Out: its sentences, as words with the classes that the vocabulary
// (lexicon.txt, and that of internal/agents/promptscan) gives them. [Sentence]
// answers questions about words; [Statement] knows the condition and the
// negations, and distinguishes an order ("read it", "you must read it") from a
// description ("reads it", "can read it") and from a ban ("do not read it").
//
// The package knows no tools. All of the input is hostile.
package grammar
