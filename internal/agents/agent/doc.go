// Package agent has an agent use a server, and tells what the server's texts
// made it do.
//
// In come a server that can be called, what it offers, a model (or the obedient
// agent, which follows rules) and secrets to plant. The agent is given an
// ordinary task, the server's tools, and tools of ours beside them: files, mail,
// the web, a store of passwords, a memory. Out come actions: what it did that its
// user had not asked for, and the text of the server without which it did not.
//
// That a text is to blame is not read from its words but proved by ablation: the
// conversation is had again with that text blank and all else the same. What the
// agent does not do then was caused by the text.
//
// Everything that the server says is hostile, and so is what a model replies:
// both are bounded, and nothing of them is run.
package agent
