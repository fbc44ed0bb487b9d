// Package safetext makes hostile text safe to show. It is the only place that does.
//
// In: any string that a target, a registry or a model may have chosen.
//
// Out: the same as one line that steers no terminal, hides nothing and has an end;
// or as JSON in which everything beyond ASCII is escaped.
//
// Never: let pass a control character (C0, C1), a bidirectional mark, a tag character or
// anything else that cannot be seen.
package safetext
