// Package meaning knows what a parameter of a tool is for, by its name and the words
// about it, and a value for it with which an ordinary server succeeds.
//
// In: names and descriptions of parameters, the name and description of their tool,
// the name of the server, and the files, folders and hosts that exist for it. Out: a
// [Kind] and a value.
//
// Never: it reads no JSON Schema and no JSON, and it chooses no value that the server
// proposes. A [Proof] may be one: it is kept here for who makes inputs. Names and
// descriptions are hostile: only the beginning of each is read.
package meaning
