package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// messageWord is something that a message can say. Every string of the target's
// is quoted, escaped and cut.
type messageWord struct {
	Name string
	Doc  string
	say  func(*said) any
}

// messageWords are all of them.
func messageWords() []messageWord {
	return []messageWord{
		{"Who", "`The server`, `The installation` or `The package`", func(s *said) any { return who(s) }},
		{"Where", "in words: in which call, or when", func(s *said) any { return whereSaid(s) }},
		{"Reason", "why nothing explains the subject", func(s *said) any { return s.reason }},
		{"Secret", "the kind of the decoy", func(s *said) any { return plain(s.Decoy) }},
		{"Tool", "the tool of the call", func(s *said) any { return toolName(s.Tool) }},
		{"Method", "the method of the call", func(s *said) any { return plain(s.Method) }},
		{"Process", "the name that the process has given itself", func(s *said) any { return quote(s.Proc) }},
		{"Program", "the file that the process was executed from", func(s *said) any { return quote(s.Program) }},
		{"Subject", "what the event is about", func(s *said) any { return quote(s.Subject) }},
		{"Path", "the file, or the source of a leak", func(s *said) any { return quote(s.Path) }},
		{"To", "the new name of a file, or where something went", func(s *said) any { return quote(s.To) }},
		{"Command", "the command line", func(s *said) any { return quote(strings.Join(s.Args, " ")) }},
		{"What", "what was tried or found", func(s *said) any { return plain(s.What) }},
		{"Detail", "the text that goes with it", func(s *said) any { return quote(s.Detail) }},
		{"Syscall", "the system call", func(s *said) any { return plain(s.Syscall) }},
		{"Error", "why it failed", func(s *said) any { return plain(s.Error) }},
		{"Limit", "the limit that was hit", func(s *said) any { return plain(s.Limit) }},
		{"Action", "what was done then", func(s *said) any { return plain(s.Action) }},
		{"Seconds", "how long it took", func(s *said) any { return strconv.FormatFloat(s.Seconds, 'f', 0, 64) }},
		{"Ended", "how the process ended", func(s *said) any { return ended(s) }},
		{"Host", "who was spoken to", func(s *said) any { return plain(s.Host) }},
		{"HostReason", "who named the host, or that nobody did", func(s *said) any { return s.hostReason }},
		{"Class", "what a well-known host is there for", func(s *said) any { return s.Class }},
		{"Verb", "the method of the HTTP request", func(s *said) any { return plain(s.Verb) }},
		{"URL", "the address of the request", func(s *said) any { return quote(s.URL) }},
		{"Service", "the protocol", func(s *said) any { return plain(s.Service) }},
		{"Rejected", "why TLS failed", func(s *said) any { return quote(s.Rejected) }},
		{"Recipients", "mail addresses that nobody gave", func(s *said) any { return quote(strings.Join(s.Recipients, ", ")) }},
		{"Proposed", "mail addresses that only the schema of the tool gave", func(s *said) any { return quote(strings.Join(s.Proposed, ", ")) }},
		{"Channel", "the channel of a leak", func(s *said) any { return plain(s.Channel) }},
		{"Part", "the part of a message or text", func(s *said) any { return plain(s.Part) }},
		{"Encoding", "how a leak was encoded", func(s *said) any { return plain(s.Encoding) }},
		{"Variable", "the environment variable", func(s *said) any { return plain(s.Variable) }},
		{"Remote", "the connection that is the input or output of a program", func(s *said) any { return plain(s.Remote) }},
		{"Field", "what of the subject differs", func(s *said) any { return plain(s.Field) }},
		{"Was", "what it said before", func(s *said) any { return quote(s.Was) }},
		{"Is", "what it says now", func(s *said) any { return quote(s.Is) }},
		{"Place", "the argument that an attack was made through", func(s *said) any { return quote(s.Place) }},
		{"Payload", "what the attack put there", func(s *said) any { return quote(s.Payload) }},
		{"Why", "the technique of the attack", func(s *said) any { return technique(s.fields) }},
		{"Script", "the command line of the script of an installation", func(s *said) any { return scriptLine(s) }},
		{"Of", "what a text belongs to, in words", func(s *said) any { return holder(s.fields) }},
		{"Times", "how often it happened", func(s *said) any { return s.times }},
		{"Others", "how many more different things than the first were counted", func(s *said) any { return s.others }},
	}
}

func knownWord(name string) bool {
	return slices.ContainsFunc(messageWords(), func(w messageWord) bool { return w.Name == name })
}

// words are what there is to say, by name.
func words(s *said) map[string]any {
	out := map[string]any{}
	for _, w := range messageWords() {
		out[w.Name] = w.say(s)
	}
	return out
}

func who(s *said) string {
	switch {
	case s.Phase == string(mcpsf.PhaseInstall):
		return "The installation"
	case s.static:
		return "The package"
	}
	return "The server"
}

func whereSaid(s *said) string {
	if s.static && s.Phase != string(mcpsf.PhaseInstall) {
		return "in " + quote(s.place)
	}
	return where(s.fields)
}

func ended(s *said) string {
	if s.Signal != "" {
		return "by signal " + plain(s.Signal)
	}
	return "with exit code " + strconv.Itoa(s.Code)
}

func scriptLine(s *said) string {
	if s.script == nil {
		return ""
	}
	return s.script.String()
}

// technique is that of an attack. What a model says of its own is quoted.
func technique(f *fields) string {
	if f.by == "" {
		return plain(f.Why)
	}
	return "proposed by " + plain(f.by) + ": " + quote(f.Why)
}

// toolName quotes the name of a tool. Of what is no tool it quotes what the
// server chose.
func toolName(name string) string {
	kind := ""
	for _, of := range []string{mcpsf.OfCompletion, mcpsf.OfResource, mcpsf.OfPrompt} {
		if rest, ok := strings.CutPrefix(name, of); ok {
			kind, name = kind+of, rest
		}
	}
	return kind + quote(name)
}

func where(f *fields) string {
	switch {
	case inCall(f) && f.Tool != "":
		return "in a call of " + toolName(f.Tool)
	case inCall(f) && f.Method != "":
		return "in a " + plain(f.Method) + " request"
	case inCall(f):
		return "in a call"
	case f.Phase == string(mcpsf.PhaseInstall):
		return "during the installation"
	case f.Call == "":
		return "before any call"
	}
	return "outside any call"
}

// holder says in words what a text belongs to.
func holder(f *fields) string {
	switch f.Of {
	case "":
		return ""
	case "server":
		return "what the server says of itself"
	case "result":
		return "a result of " + quote(f.Subject)
	case "request":
		return "what the server asks of the client (" + plain(f.Subject) + ")"
	}
	return "the " + plain(f.Of) + " " + quote(f.Subject)
}
