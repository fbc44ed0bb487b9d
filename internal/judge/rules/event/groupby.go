package event

import (
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf"
)

// GroupFields are the fields that findings can be grouped by. Fields that change
// from run to run (a pid, a call, a number) are left out, because the group is
// part of the finding's fingerprint.
func GroupFields() []string {
	return []string{"tool", "subject", "kind", "program", "host", "domain", "endpoint", "channel", "place"}
}

// Group returns the value of one of the [GroupFields].
func (f *Fields) Group(name string) string {
	switch name {
	case "tool":
		return f.Tool
	case "subject":
		return f.Subject
	case "kind":
		return f.Kind
	case "program":
		return f.Program
	case "host":
		return f.Host
	case "domain":
		return f.Domain
	case "endpoint":
		return f.Host + " " + strconv.Itoa(f.Port)
	case "channel":
		return f.Channel
	case "place":
		return f.Place
	}
	return ""
}

// SameFields are the fields by which hits of two rules are compared. They
// include calls and events, which are stable within one run.
func SameFields() []string {
	return slices.Concat(GroupFields(), []string{"call", "event", "text", "connection"})
}

// Same returns the value of one of the [SameFields]; ok is false if the event
// has none. An empty tool is a value: the server acted outside of tool calls.
func (f *Fields) Same(name string) (value string, ok bool) {
	switch name {
	case "tool":
		if f.Tool == "" && f.Prompt != "" { // the same form as in attack events
			return mcpsf.OfPrompt + f.Prompt, true
		}
		return f.Tool, true
	case "call":
		value = f.Call
		if value == "" {
			value = f.Phase
		}
	case "event":
		if f.Seq != 0 {
			value = strconv.FormatInt(f.Seq, 10)
		}
	case "text":
		if f.Of != "" {
			value = f.Of + "\x00" + f.Subject + "\x00" + f.Part
		}
	case "connection":
		if value = f.Remote; value == "" {
			value = f.Subject
		}
	default:
		value = f.Group(name)
	}
	return value, value != ""
}
