package condition

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// detailWords describe attempts, static findings and limits.
func detailWords() []Field {
	return []Field{
		{`Syscall`, `the system call`, `Syscall == "mount"`, func(f *event.Fields) string { return f.Syscall }},
		{`What`, `what was tried or found, in one word that depends on the kind`, `What == "crash"`, func(f *event.Fields) string { return f.What }},
		{`Detail`, `the text that goes with it`, `Detail contains "password"`, func(f *event.Fields) string { return f.Detail }},
		{`Level`, `of a fact: how grave an advisory says it is`, `Level == "critical"`, func(f *event.Fields) string { return f.Level }},
		{`Package`, `of a fact: the dependency that it was found in; of a crash: the MCP SDK whose code failed`, `Package != ""`, func(f *event.Fields) string { return f.Package }},
		{`Limit`, `the limit that was hit`, `Limit == "disk"`, func(f *event.Fields) string { return f.Limit }},
		{`Action`, `what was done about it`, `Action == "killed"`, func(f *event.Fields) string { return f.Action }},
		{`Of`, "what a text belongs to: `server`, `tool`, `prompt`, `resource`, `template`, `result` or `request`", `Of == "tool"`, func(f *event.Fields) string { return f.Of }},
	}
}

// messageFieldWords describe an MCP message.
func messageFieldWords() []Field {
	return []Field{
		{`FromServer`, `true if the server sent it unasked`, `FromServer`, func(f *event.Fields) bool { return f.FromServer }},
		{`Failed`, `true if it is an error`, `Failed`, func(f *event.Fields) bool { return f.Failed }},
		{`Seconds`, `how long it took`, `Seconds > 10`, func(f *event.Fields) float64 { return f.Seconds }},
		{`ProposedPath`, `a private file or a place of persistence that a value names which the server made us send`, `ProposedPath != ""`, func(f *event.Fields) string { return f.ProposedPath }},
		{`ProposedHost`, `a host that only an encoded value names which the server made us send`, `ProposedHost != ""`, func(f *event.Fields) string { return f.ProposedHost }},
		{`ProposedFrom`, "where the server put that value: `default`, `enum`, `const`, `example`, `pattern`, `description`, `result`, `listed`, `refusal`, `source`, `agent`", `ProposedFrom == "result"`, func(f *event.Fields) string { return f.ProposedFrom }},
		{`InstallsFrom`, `the host from which a result makes its reader take software: a package index, a registry or a script for a shell, which neither the caller nor the configuration names`, `InstallsFrom != ""`, func(f *event.Fields) string { return f.InstallsFrom }},
		{`FromIndex`, `true if that is an index or a registry, from which every package then comes`, `FromIndex`, func(f *event.Fields) bool { return f.FromIndex }},
	}
}

// changeWords describe a change in the server's listings.
func changeWords() []Field {
	return []Field{
		{`Since`, "what happened in between: `calls`, `restart` or `client`", `Since == "calls"`, func(f *event.Fields) string { return f.Since }},
		{`Field`, "what of the subject differs, `\"\"` if it came or went", `Field == "description"`, func(f *event.Fields) string { return f.Field }},
		{`Was`, `what it said before`, `Was != ""`, func(f *event.Fields) string { return f.Was }},
		{`Is`, `what it says now`, `Is contains "http"`, func(f *event.Fields) string { return f.Is }},
		{`Announced`, `true if the server had announced it`, `!Announced`, func(f *event.Fields) bool { return f.Announced }},
	}
}

// attackWords describe the attack that the call made.
func attackWords() []Field {
	return []Field{
		{`Attack`, `the class of the attack`, `Attack == "path-traversal"`, func(f *event.Fields) string { return f.Attack }},
		{`Place`, `the argument that it was made through`, `Place == "/path"`, func(f *event.Fields) string { return f.Place }},
		{`Payload`, `what it put there, or the message that disrupted the server`, `Payload != ""`, func(f *event.Fields) string { return f.Payload }},
		{`Sign`, `where success shows`, `Sign == "open"`, func(f *event.Fields) string { return f.Sign }},
		{`Shown`, `true if the answer shows it`, `Shown`, func(f *event.Fields) bool { return f.Shown }},
		{`Plain`, `true if a tool without limits shows the sign as well`, `!Plain`, func(f *event.Fields) bool { return f.Plain }},
		{`Why`, `the technique, or what an answer should have been`, `Why != ""`, func(f *event.Fields) string { return f.Why }},
		{`Asks`, `true if what disrupted the server was a proper request for a tool`, `Asks`, func(f *event.Fields) bool { return f.Asks }},
	}
}

// checkWords describe a check of a server that listens.
func checkWords() []Field {
	return []Field{
		{`Check`, `what the request was to find out`, `Check == "rebinding"`, func(f *event.Fields) string { return f.Check }},
		{`Weak`, `true if the answer is not what it should be`, `Weak`, func(f *event.Fields) bool { return f.Weak }},
		{`Open`, `true if the server asks nobody for credentials`, `Open`, func(f *event.Fields) bool { return f.Open }},
		{`Private`, `true if its address is reached from its own machine or network only`, `!Private`, func(f *event.Fields) bool { return f.Private }},
	}
}
