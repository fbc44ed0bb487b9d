// Package promptscan finds prompt injection in what a server says to a model.
//
// In: one JSON object as the server sent it: the answer to initialize, a tool,
// a prompt, a resource, a result. Out: details: hidden text (invisible
// characters, homoglyphs, comments, encodings), tool poisoning and indirect
// prompt injection (instructions that are not about using the tool), tool
// shadowing, parameters that collect the conversation.
//
// Sentences are judged by a small grammar, not by single words. A vocabulary
// (lexicon.txt) says which words are verbs of reading, of passing on, of
// telling, which are secrets, conversations, other tools. The grammar says
// which combinations, addressed to the model, no honest author of a tool
// writes. "Never include API keys in the query" and "detects texts such as
// 'ignore previous instructions'" have the words but not the meaning.
//
// It is pure and linear in the size of the text. All of the input is hostile.
package promptscan
