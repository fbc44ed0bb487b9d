package event

import (
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf"
)

// GroupFields are the fields that can name a group. Anything that changes
// from run to run (a pid, a call, a number) is left out: the group is the
// finding's fingerprint.
func GroupFields() []string {
	return []string{"tool", "subject", "kind", "program", "host", "domain", "endpoint", "channel", "place"}
}

// Group is the value of one of the [GroupFields].
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

// SameFields are the fields by which hits of two rules are told to be about the
// same thing. Within one run calls and events identify something, too.
func SameFields() []string {
	return slices.Concat(GroupFields(), []string{"call", "event", "text", "connection"})
}

// Same is the value of one of the [SameFields]; ok is false if the event has
// none. No tool is a value: the server did it by itself.
func (f *Fields) Same(name string) (value string, ok bool) {
	switch name {
	case "tool":
		if f.Tool == "" && f.Prompt != "" { // attacks name it so
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
