// Package mcpsf is the vocabulary of the project: the types that travel
// between the stages of an assessment, and nothing else.
//
// Data flows one way:
//
//	Target -> Artifact -> (sandbox, drive) -> Event -> Finding -> Verdict -> Report
//
// A [Target] is what the user named. A source turns it into an [Artifact]:
// digest-pinned bytes and the way to start the server in them. The sandbox
// runs the artifact, the session speaks MCP with it and reports every
// [Message]; the monitor turns messages and kernel records into one ordered
// stream of [Event]. Rules turn events into [Finding], the findings and the
// [Coverage] decide the [Verdict], and the [Report] contains all of it.
//
// The package imports the standard library only, so that every stage can
// import it and no stage needs to import another.
package mcpsf
