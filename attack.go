package mcpsf

import (
	"path"
	"strings"
)

// AttackDetail says on a request what it is to find out; on the answer it says
// the same, and whether the attack succeeded.
type AttackDetail struct {
	// Class is the attack: "command-injection".
	Class string `json:"class"`
	// Place is the argument with the payload, as a JSON pointer; inside the JSON text
	// that is the argument filter, "/filter#/author". If the payload was stored by a
	// call of another tool, [StoredBy] and that tool stand behind it.
	Place string `json:"place"`
	// Payload is the value, cut to a size limit, and Why the technique in a few
	// words.
	Payload string `json:"payload"`
	Why     string `json:"why"`
	// By is the model that wrote the payload, "" if it is ours. The proof of
	// success is ours in any case.
	By string `json:"by,omitempty"`
	// Plain says that a tool without any restriction shows the sign, too: it
	// counts only if the server promises a restriction, or enforced one for
	// another form of the value.
	Plain bool `json:"plain,omitempty"`
	// Sign is where success shows, Marker what only success produces. Where an
	// echo could be mistaken for success, the payload does not contain the
	// marker.
	Sign   AttackSign `json:"sign"`
	Marker string     `json:"marker"`
	// Encoded says that the payload is percent-encoded in the address of a
	// resource.
	Encoded bool `json:"encoded,omitempty"`
	// Shown is set on an answer that holds the marker.
	Shown bool `json:"shown,omitempty"`
}

// Opens reports, for [SignOpen], whether a path is the marker, is below it, or
// has an additional extension: some servers append one.
func (a *AttackDetail) Opens(name string) bool {
	rest, ok := strings.CutPrefix(path.Clean(name), path.Clean(a.Marker))
	return ok && a.Marker != "" && (rest == "" || rest[0] == '/' || rest[0] == '.')
}

// IsOption reports, for [SignArgument], whether a program may take the marker
// for an option: it is before "--", and not the value of another option.
// Options with one hyphen mostly take the next argument as their value (-e,
// -name), those with two mostly have it after a "=", unless the same command
// line shows one with a value behind it.
func (a *AttackDetail) IsOption(args []string) bool {
	if len(args) == 0 || path.Base(args[0]) == "echo" { // echo has no dangerous options
		return false
	}
	for i := 1; i < len(args); i++ {
		switch before := args[i-1]; {
		case args[i] == "--" || args[i] == "--end-of-options":
			return false
		case args[i] != a.Marker || a.named(before):
		case i == 1 || !strings.HasPrefix(before, "-") || strings.HasPrefix(before, "--") && !takesValue(args, before):
			return true
		}
	}
	return false
}

// takesValue reports whether an option stands before a value somewhere in a
// command line.
func takesValue(args []string, option string) bool {
	for i := 1; i+1 < len(args); i++ {
		if args[i] == option && i+2 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			return true
		}
	}
	return false
}

// StoredBy stands between an argument and the tool that stored what it was given:
// "/author of save_filter".
const StoredBy = " of "

// Condition parses the marker of [SignDiffer]: the group that a payload belongs
// to, and whether its condition is true. A group has several payloads of both
// kinds, which differ in nothing else.
func (a *AttackDetail) Condition() (name string, holds, ok bool) {
	name, which, ok := strings.Cut(a.Marker, "/")
	holds = strings.HasPrefix(which, "yes")
	return name, holds, ok && a.Sign == SignDiffer && name != "" && (holds || strings.HasPrefix(which, "no"))
}

// Prompts, resources and completions are named like this where a tool's name is
// expected: "resource docs://{name}", "prompt review", "completion of prompt
// review".
const (
	OfResource   = "resource "
	OfPrompt     = "prompt "
	OfCompletion = "completion of "
)

// IsNoTool reports whether a name is that of a prompt, a resource or a
// completion.
func IsNoTool(name string) bool {
	return strings.HasPrefix(name, OfResource) || strings.HasPrefix(name, OfPrompt) || strings.HasPrefix(name, OfCompletion)
}

// Classes of calls that do not deliver a payload.
const (
	// ClassProtocol: the message is malformed or unusual in its form.
	ClassProtocol = "protocol"
	// ClassShrink: a successful attack is tried in a shorter form. It proves
	// nothing by itself.
	ClassShrink = "shrink"
)

// Classes of HTTP requests outside the protocol and without credentials, to a
// server that listens. Their place is the path.
const (
	// ClassEndpoint: a first try, whose effect is not known yet. A successful
	// request is repeated in one of the other classes.
	ClassEndpoint = "endpoint"
	// ClassEndpointCommand: the server runs a program for any client.
	ClassEndpointCommand = "endpoint-command"
	// ClassEndpointFile: the server opens any file.
	ClassEndpointFile = "endpoint-file"
	// ClassEndpointRequest: the server sends a request to any address.
	ClassEndpointRequest = "endpoint-request"
	// ClassHeaderRequest: the server connects to an address that a header names;
	// the place is the header. It is sent along with tool calls.
	ClassHeaderRequest = "header-request"
	// FromPage is appended to the class of a request as a web page of another
	// origin makes it.
	FromPage = "-page"
)

// named reports whether the argument after an option is its value: for options
// named like the argument with the payload, and for those that always have a
// value.
func (a *AttackDetail) named(option string) bool {
	plain := strings.NewReplacer("-", "", "_", "").Replace
	if !strings.HasPrefix(option, "--") {
		return false
	}
	switch option[2:] {
	case "since", "until", "after", "before", "author", "committer", "grep", "message", "format", "output", "file", "filename",
		"name", "namespace", "context", "label", "selector", "filter", "query", "regexp", "pattern", "glob", "include", "exclude",
		"branch", "tag", "title", "body", "text", "prompt", "user", "username", "host", "url", "path", "dir", "directory", "config":
		return true
	}
	return strings.EqualFold(plain(option), plain(path.Base(a.Place)))
}

// AttackSign is where the success of an attack shows.
type AttackSign string

// The signs.
const (
	// SignExec: a program with that name is executed.
	SignExec AttackSign = "exec"
	// SignArgument: a program is executed with the marker as one of its
	// arguments.
	SignArgument AttackSign = "argument"
	// SignOpen: the file with that path is opened.
	SignOpen AttackSign = "open"
	// SignRequest: a request is sent to the host of that name.
	SignRequest AttackSign = "request"
	// SignQuery: the marker is code, not data, in a database query.
	SignQuery AttackSign = "query"
	// SignAnswer: the answer contains the marker, the payload does not.
	SignAnswer AttackSign = "answer"
	// SignEcho: the answer contains the marker, and so does the payload: it
	// should have been escaped or removed.
	SignEcho AttackSign = "echo"
	// SignDiffer: payloads whose condition is true are answered in one way, those
	// whose condition is false in another: see [AttackDetail.Condition].
	SignDiffer AttackSign = "differ"
	// SignCost: the server takes far longer, or uses far more memory, than for
	// the same input of half the size.
	SignCost AttackSign = "cost"
	// SignCrash: the server ends.
	SignCrash AttackSign = "crash"
	// SignDisruption: the server no longer works as before, which is reported by
	// an event of its own.
	SignDisruption AttackSign = "disruption"
)
