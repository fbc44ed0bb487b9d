// Package agent lets an agent use a server, and reports what the server's texts
// made it do.
//
// In: a server that can be called, what it offers, a model (or the obedient
// agent, which follows rules) and secrets to plant. The agent gets an ordinary
// task, the server's tools, and decoy tools beside them: files, mail, the web,
// a password store, a memory. Out: actions that the user had not asked for, and
// the text of the server that caused each.
//
// The cause is not guessed from a text's words but proved by ablation: the
// conversation is repeated with that text blank and everything else the same.
// An action that the agent then does not take was caused by the text.
//
// Everything that the server sends is hostile, and so is what a model replies:
// both are bounded, and nothing of them is executed.
package agent
