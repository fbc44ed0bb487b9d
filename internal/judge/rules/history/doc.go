// Package history holds what has happened in a run so far, where later events
// depend on it. Calls, processes, files and network traffic each have a type.
//
// In: events, in order. What depends on later events is collected in a walk
// before. Out: a [Run] that describes an event and answers about the past.
package history
