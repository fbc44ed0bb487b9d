package mcpsf

import (
	"path"
	"strings"
)

// AttackDetail says, on a request of ours, what it was made to find out; on the
// answer it says the same, and whether the answer shows it.
type AttackDetail struct {
	// Class is the attack: "command-injection".
	Class string `json:"class"`
	// Place is where in the arguments the payload stands, as a JSON pointer.
	Place string `json:"place"`
	// Payload is what stands there, cut to a size limit, and Why the technique
	// in a few words.
	Payload string `json:"payload"`
	Why     string `json:"why"`
	// By is the model that wrote the payload, "" if it is one of ours. What
	// proves the attack is ours in any case.
	By string `json:"by,omitempty"`
	// Plain says that a tool with no limit to what it works on shows the sign,
	// too: it means something only if the server promises a limit, or kept one
	// when it was asked in another way.
	Plain bool `json:"plain,omitempty"`
	// Sign is where success shows, Marker what only success brings about. The
	// payload does not contain the marker where an echo could be taken for it.
	Sign   AttackSign `json:"sign"`
	Marker string     `json:"marker"`
	// Encoded says that the payload stands percent-encoded in the address of a
	// resource.
	Encoded bool `json:"encoded,omitempty"`
	// Shown is set on an answer that holds the marker.
	Shown bool `json:"shown,omitempty"`
}

// Opens tells, for [SignOpen], whether a path is the marker, lies below it, or
// has an ending more: servers append one.
func (a *AttackDetail) Opens(name string) bool {
	rest, ok := strings.CutPrefix(path.Clean(name), path.Clean(a.Marker))
	return ok && a.Marker != "" && (rest == "" || rest[0] == '/' || rest[0] == '.')
}

// IsOption tells, for [SignArgument], whether the marker stands where a program
// may take it for an option: before "--", and not behind one that takes a value.
// Those of a single hyphen mostly do (-e, -name), those of two mostly have
// theirs behind a "=".
func (a *AttackDetail) IsOption(args []string) bool {
	if len(args) == 0 || path.Base(args[0]) == "echo" { // which has none that matter
		return false
	}
	for i := 1; i < len(args); i++ {
		switch before := args[i-1]; {
		case args[i] == "--" || args[i] == "--end-of-options":
			return false
		case args[i] != a.Marker || a.named(before):
		case i == 1 || !strings.HasPrefix(before, "-") || strings.HasPrefix(before, "--"):
			return true
		}
	}
	return false
}

// Condition reads the marker of [SignDiffer]: which payloads belong together,
// and whether the condition of this one holds. There are several of either sort,
// which differ in nothing else.
func (a *AttackDetail) Condition() (name string, holds, ok bool) {
	name, which, ok := strings.Cut(a.Marker, "/")
	holds = strings.HasPrefix(which, "yes")
	return name, holds, ok && a.Sign == SignDiffer && name != "" && (holds || strings.HasPrefix(which, "no"))
}

// What takes arguments and is no tool is called so where tools are named:
// "resource docs://{name}", "prompt review", "completion of prompt review".
const (
	OfResource   = "resource "
	OfPrompt     = "prompt "
	OfCompletion = "completion of "
)

// IsNoTool tells whether a name is that of something else than a tool.
func IsNoTool(name string) bool {
	return strings.HasPrefix(name, OfResource) || strings.HasPrefix(name, OfPrompt) || strings.HasPrefix(name, OfCompletion)
}

// Classes of calls that no payload makes an attack.
const (
	// ClassProtocol: the message is odd in its form.
	ClassProtocol = "protocol"
	// ClassShrink: an attack that worked is tried in a shorter form. It proves
	// nothing by itself.
	ClassShrink = "shrink"
)

// Classes of requests that are made beside the protocol and without credentials,
// to what a server that listens has there. Their place is the path.
const (
	// ClassEndpoint: what is there is not known yet. What works is made once
	// more, as one of the others.
	ClassEndpoint = "endpoint"
	// ClassEndpointCommand: a program is run for whoever asks.
	ClassEndpointCommand = "endpoint-command"
	// ClassEndpointFile: any file is opened.
	ClassEndpointFile = "endpoint-file"
	// ClassEndpointRequest: any address is asked for something.
	ClassEndpointRequest = "endpoint-request"
	// ClassHeaderRequest: any address that a header names is asked for something;
	// the place is the header. It goes with calls of tools.
	ClassHeaderRequest = "header-request"
	// FromPage is behind the class of a request as the page of a stranger
	// makes it.
	FromPage = "-page"
)

// named tells whether what follows an option is its value: one that is called
// like the argument that the payload stands in, and those that have one
// everywhere.
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
	// SignArgument: some program is executed with the marker as an argument of
	// its own.
	SignArgument AttackSign = "argument"
	// SignOpen: the file of that path is opened.
	SignOpen AttackSign = "open"
	// SignRequest: the host of that name is asked for something.
	SignRequest AttackSign = "request"
	// SignQuery: the marker stands as code, not as data, in what a database
	// is asked.
	SignQuery AttackSign = "query"
	// SignAnswer: the answer holds the marker, which the payload does not.
	SignAnswer AttackSign = "answer"
	// SignEcho: the answer holds the marker, which the payload does: what
	// should have been made harmless was not.
	SignEcho AttackSign = "echo"
	// SignDiffer: payloads whose condition holds are answered in one way, and
	// those whose condition does not in another: see [AttackDetail.Condition].
	SignDiffer AttackSign = "differ"
	// SignCost: the server takes far longer, or far more, than for the same
	// input of half the size.
	SignCost AttackSign = "cost"
	// SignCrash: the server ends.
	SignCrash AttackSign = "crash"
	// SignDisruption: the server does not go on as before, which is told by an
	// event of its own.
	SignDisruption AttackSign = "disruption"
)
