package event

import "strconv"

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
