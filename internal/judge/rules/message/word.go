package message

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// Word is a name that a message can use. Every string of the target is quoted,
// escaped and truncated.
type Word struct {
	Name string
	Doc  string
	text func(*Data) any
}

// Words lists all of them.
func Words() []Word {
	return []Word{
		{"Who", "`The server`, `The installation` or `The package`", func(s *Data) any { return who(s) }},
		{"Actor", "who did it: the tool in whose call it was done, the install script, or `.Who`", func(s *Data) any { return actor(s) }},
		{"When", "when, with a blank before it; empty where `.Actor` says it", func(s *Data) any { return when(s) }},
		{"Where", "in words: in which call, or when", func(s *Data) any { return whereSaid(s) }},
		{"Reason", "why nothing explains the subject", func(s *Data) any { return s.Reason }},
		{"Secret", "the kind of the decoy", func(s *Data) any { return quote.Word(s.Decoy) }},
		{"Tool", "the tool of the call", func(s *Data) any { return toolName(s.Tool) }},
		{"Method", "the method of the call", func(s *Data) any { return quote.Word(s.Method) }},
		{"Process", "the name that the process has given itself", func(s *Data) any { return quote.Text(s.Proc) }},
		{"Program", "the file that the process was executed from", func(s *Data) any { return quote.Name(s.Program, s.Home) }},
		{"Subject", "what the event is about", func(s *Data) any { return quote.Name(s.Subject, s.Home) }},
		{"Path", "the file, or the source of a leak", func(s *Data) any { return quote.Name(s.Path, s.Home) }},
		{"To", "the new name of a file, or where something went", func(s *Data) any { return quote.Name(s.To, s.Home) }},
		{"Command", "the command line", func(s *Data) any { return quote.Text(strings.Join(s.Args, " ")) }},
		{"What", "what was tried or found", func(s *Data) any { return quote.Word(s.What) }},
		{"Detail", "the text that goes with it", func(s *Data) any { return quote.Text(s.Detail) }},
		{"Package", "the dependency that it was found in, or whose code failed", func(s *Data) any { return quote.Word(s.Package) }},
		{"Syscall", "the system call", func(s *Data) any { return quote.Word(s.Syscall) }},
		{"Error", "why it failed", func(s *Data) any { return quote.Word(s.Error) }},
		{"Limit", "the limit that was hit", func(s *Data) any { return quote.Word(s.Limit) }},
		{"Action", "what was done then", func(s *Data) any { return quote.Word(s.Action) }},
		{"Seconds", "how long it took", func(s *Data) any { return strconv.FormatFloat(s.Seconds, 'f', 0, 64) }},
		{"Ended", "how the process ended", func(s *Data) any { return ended(s) }},
		{"Host", "who was spoken to", func(s *Data) any { return quote.Word(s.Host) }},
		{"HostReason", "who named the host, or that nobody did", func(s *Data) any { return s.HostReason }},
		{"Class", "what a well-known host is there for", func(s *Data) any { return s.Class }},
		{"Verb", "the method of the HTTP request", func(s *Data) any { return quote.Word(s.Verb) }},
		{"URL", "the address of the request", func(s *Data) any { return quote.Name(s.URL, "") }},
		{"Service", "the protocol", func(s *Data) any { return quote.Word(s.Service) }},
		{"Rejected", "why TLS failed", func(s *Data) any { return quote.Text(s.Rejected) }},
		{"Recipients", "mail addresses that nobody gave", func(s *Data) any { return quote.Text(strings.Join(s.Recipients, ", ")) }},
		{"Proposed", "mail addresses that only the schema of the tool gave", func(s *Data) any { return quote.Text(strings.Join(s.Proposed, ", ")) }},
		{"ProposedPath", "the private file that the server proposed", func(s *Data) any { return quote.Name(s.ProposedPath, "") }},
		{"ProposedHost", "the host that the server proposed", func(s *Data) any { return quote.Word(s.ProposedHost) }},
		{"ProposedIn", "the argument with a value that the server made", func(s *Data) any { return quote.Text(s.ProposedIn) }},
		{"ProposedFrom", "where the server put that value", func(s *Data) any { return quote.Word(s.ProposedFrom) }},
		{"Channel", "the channel of a leak", func(s *Data) any { return quote.Word(s.Channel) }},
		{"Part", "the part of a message or text", func(s *Data) any { return quote.Part(s.Part) }},
		{"Encoding", "how a leak was encoded", func(s *Data) any { return quote.Word(s.Encoding) }},
		{"Variable", "the environment variable", func(s *Data) any { return quote.Word(s.Variable) }},
		{"SecretFile", "the decoy that was read before something was sent", func(s *Data) any { return quote.Name(s.SecretFile, s.Home) }},
		{"Document", "the document of the user that was read before", func(s *Data) any { return quote.Name(s.Document, s.Home) }},
		{"FolderSecret", "the decoy in a named folder that was read before", func(s *Data) any { return quote.Name(s.FolderSecret, s.Home) }},
		{"Remote", "the connection that is the input or output of a program", func(s *Data) any { return quote.Word(s.Remote) }},
		{"Field", "what of the subject differs", func(s *Data) any { return quote.Word(s.Field) }},
		{"Was", "what it said before", func(s *Data) any { return quote.Text(s.Was) }},
		{"Is", "what it says now", func(s *Data) any { return quote.Text(s.Is) }},
		{"Place", "the argument that an attack was made through", func(s *Data) any { return quote.Text(s.Place) }},
		{"Payload", "what the attack put there", func(s *Data) any { return quote.Text(s.Payload) }},
		{"Why", "the technique of the attack", func(s *Data) any { return technique(s.Fields) }},
		{"Script", "the command line of the script of an installation", func(s *Data) any { return scriptLine(s) }},
		{"Of", "what a text belongs to, in words", func(s *Data) any { return holder(s.Fields) }},
		{"Bytes", "how many bytes went out: the body, or the address where there is none", func(s *Data) any { return s.Bytes }},
		{"Opaque", "how many random bytes went out, to that domain since the start of the server", func(s *Data) any { return max(s.Fields.Opaque, s.OpaqueTotal) }},
		{"Times", "how often it happened", func(s *Data) any { return s.Times }},
		{"Others", "how many more different things than the first were counted", func(s *Data) any { return s.Others }},
	}
}

func knownWord(name string) bool {
	return slices.ContainsFunc(Words(), func(w Word) bool { return w.Name == name })
}

// values returns the text of every word, by name.
func values(s *Data) map[string]any {
	out := map[string]any{}
	for _, w := range Words() {
		out[w.Name] = w.text(s)
	}
	return out
}

func who(s *Data) string {
	switch {
	case s.Phase == string(mcpsf.PhaseInstall):
		return "The installation"
	case s.Static:
		return "The package"
	}
	return "The server"
}

func whereSaid(s *Data) string {
	if s.Static && s.Phase != string(mcpsf.PhaseInstall) {
		return "in " + quote.Text(s.File)
	}
	return where(s.Fields)
}

// actor returns who did it: the tool of the call, the install script, or the
// server.
func actor(s *Data) string {
	switch {
	case s.Static:
	case scriptLine(s) != "":
		return "The install script " + scriptLine(s)
	case s.Phase != string(mcpsf.PhaseInstall) && event.InCall(s.Fields) && s.Tool != "":
		return toolName(s.Tool)
	}
	return who(s)
}

// when says when it was done, with a leading space, unless the actor already says it.
func when(s *Data) string {
	if s.Static || scriptLine(s) != "" || s.Phase == string(mcpsf.PhaseInstall) || event.InCall(s.Fields) && s.Tool != "" {
		return ""
	}
	return " " + whereSaid(s)
}

func ended(s *Data) string {
	if s.Signal != "" {
		return "by signal " + quote.Word(s.Signal)
	}
	return "with exit code " + strconv.Itoa(s.Code)
}

func scriptLine(s *Data) string {
	if s.Script == nil {
		return ""
	}
	return s.Script.String()
}

// technique returns the technique of an attack. Text written by a model is quoted.
func technique(f *event.Fields) string {
	if f.By == "" {
		return quote.Word(f.Why)
	}
	return "proposed by " + quote.Word(f.By) + ": " + quote.Text(f.Why)
}

// toolName quotes the name of a tool. For a prompt or resource it quotes only
// the part that the server chose.
func toolName(name string) string {
	kind := ""
	for _, of := range []string{mcpsf.OfCompletion, mcpsf.OfResource, mcpsf.OfPrompt} {
		if rest, ok := strings.CutPrefix(name, of); ok {
			kind, name = kind+of, rest
		}
	}
	return kind + quote.Identifier(name)
}

func where(f *event.Fields) string {
	switch {
	case event.InCall(f) && f.Tool != "":
		return "in a call of " + toolName(f.Tool)
	case event.InCall(f) && f.Method != "":
		return "in a " + quote.Word(f.Method) + " request"
	case event.InCall(f):
		return "in a call"
	case f.Phase == string(mcpsf.PhaseInstall):
		return "during the installation"
	case f.Call == "":
		return "before any call"
	}
	return "outside any call"
}

// holder says in words what a text belongs to.
func holder(f *event.Fields) string {
	switch f.Of {
	case "":
		return ""
	case "server":
		return "the server instructions"
	case "result":
		if method, ok := strings.CutPrefix(f.Subject, event.Notification); ok {
			return "a notification of the server (" + quote.Word(method) + ")"
		}
		return "a result of " + toolName(f.Subject)
	case "request":
		return "a request of the server (" + quote.Word(f.Subject) + ")"
	}
	return "the " + quote.Word(f.Of) + " " + toolName(f.Subject)
}
