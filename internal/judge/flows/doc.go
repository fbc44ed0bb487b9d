// Package flows finds toxic flows: combinations of servers that are dangerous for one agent.
//
// In: reports of finished runs of the servers that one agent uses. Out: a [Graph] of their
// tools with the roles observed for each: it returns text that strangers can write
// (untrusted), it reads private data, or it sends data out. If all three roles are present,
// in one server or in several, a stranger's text can make the agent send the private data
// out: that is a [Flow].
//
// Roles come from observed behaviour. What a tool or its source only declares is a role of a
// lower [Level]. A tool that never ran is reported as unknown. Harmless but powerful servers
// have flows too, so a flow is no finding and does not change the verdict.
package flows
