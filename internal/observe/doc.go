// Package observe turns everything that was seen into one ordered stream of
// events, each tied to the MCP call that caused it.
//
// In: kernel records, messages, network traffic.
//
// Out: events, in memory and as events.jsonl; which planted secret left, and
// how it was encoded.
//
// Never: lose an event without counting it; decide whether an event is bad.
package observe
