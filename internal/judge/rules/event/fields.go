package event

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lineage"
)

// Fields describe one event, flat: a field that does not apply is empty. They
// are what the conditions of rules see of it.
//
// The event itself is hidden from conditions on purpose: expr compares a
// [mcpsf.Kind] with a string as unequal without a word, and a detail that is nil
// for this kind would stop the rule.
type Fields struct {
	OriginFields
	fileFields
	processFields
	netFields
	requestFields
	leakFields
	detailFields
	messageFields
	changeFields
	attackFields
	checkFields
}

// OriginFields say when something happened, by whom, and what it is about.
type OriginFields struct {
	Kind  string
	Phase string
	Call  string
	// Method and Tool are those of the call the event belongs to, prompt is the
	// one that was asked for.
	Method string
	Tool   string
	Prompt string
	// Proc is the process's name, which it can choose; Program the file it
	// was executed from, which it cannot.
	Proc    string
	Program string
	PID     int
	Seq     int64
	T       float64
	// Script is what of an installation the event belongs to, nil for the
	// package manager itself.
	Script *lineage.Script
	// Server is set for the first process of the sandbox, Pending while the
	// call has no response yet.
	Server  bool
	Pending bool
	// Subject is what the event is about: the path that was changed or read,
	// the program, the address, the intent. target is the path that an
	// explanation has to name, where that is not the subject.
	Subject string
	Target  string
	Error   string
}

// fileFields are about a file, or something that lies in one.
type fileFields struct {
	Path  string
	To    string
	Flags string
	// Changed is set when the event altered the file system, Destroyed when
	// it took away or replaced content that was there.
	Changed   bool
	Destroyed bool
	// Runnable is set when the file's new mode lets it be executed, OpenToAll
	// when it lets everybody write.
	Runnable  bool
	OpenToAll bool
	// Decoy is the kind of the decoy the subject is.
	Decoy string
}

// processFields are about a process that begins or ends.
type processFields struct {
	Args   []string
	Memory bool
	Thread bool
	Code   int
	Signal string
	// Remote is the connection that a program has as its input or output.
	Remote string
}

// netFields are about who was spoken to.
type netFields struct {
	// Reach of an address: "unix", "loopback", "any" or "remote".
	Reach   string
	Address string
	Port    int
	// Host is the name that was spoken to, or the address where there was
	// none; Domain the part of it that one owner has; Class what is known of it.
	Host   string
	Domain string
	Class  string
	// Named is the name that the address was handed out for.
	Named string
	// Resolver is set for a connection to the machine's own resolver. Unseen
	// for one that the network will tell more of, by the name it was for.
	Resolver bool
	Unseen   bool
	// Registry is set for what an installation has to speak to: the resolver
	// and the gateway to the package registries.
	Registry bool
}

// requestFields are about what was said to a host.
type requestFields struct {
	// Verb is the method of a request of HTTP, Service what was spoken, Sent
	// how many bytes went out and Rejected why TLS came to nothing.
	Verb     string
	URL      string
	Headers  []mcpsf.HTTPHeader
	Body     string
	Status   int
	Service  string
	Sent     int64
	Rejected string
	// Recipients are mail addresses in a request or mail that nobody gave,
	// Proposed those that only the server's own schema did.
	Recipients []string
	Proposed   []string
	// Query is what a database was asked.
	Query *mcpsf.QueryDetail
}

// leakFields are about something that was recognised on its way out.
type leakFields struct {
	// Planted for a secret of ours, Given for what the caller gave, Configured
	// for what the server was started with; Belongs if it goes to the service it
	// is for; Outside if it goes over the network; Writes if it is not merely
	// part of an address; Hidden if somebody encoded it.
	Planted    bool
	Given      bool
	Configured bool
	Belongs    bool
	Outside    bool
	Writes     bool
	Hidden     bool
	Channel    string
	Part       string
	Encoding   string
	LeakID     string
	// Variable is the name of one, All is set when all were read at once.
	Variable string
	All      bool
}

// detailFields say what was tried, found or limited.
type detailFields struct {
	Syscall string
	What    string
	Detail  string
	// Of a fact: Level is how grave others say it is, Package the dependency
	// that it was found in.
	Level   string
	Package string
	Limit   string
	Action  string
	// Of is what a text belongs to: "tool", "result", ...
	Of string
}

// messageFields are about a message of the protocol.
type messageFields struct {
	FromServer bool
	Failed     bool
	Seconds    float64
	// Size is that of a message, line one of standard error.
	Size int64
	Line string
}

// changeFields are about what the server says differently.
type changeFields struct {
	// Since tells what happened in between, Field what of the subject it is (""
	// if it came or went), Was and Is what it said and says; Announced is set if
	// it had said so.
	Since     string
	Field     string
	Was       string
	Is        string
	Announced bool
}

// attackFields are about the attack that the call made.
type attackFields struct {
	// Attack is what the call was to find out, Place and Payload what it put
	// where, Sign where success shows; Shown is set if the answer shows it.
	Attack  string
	Place   string
	Payload string
	Sign    string
	Shown   bool
	// Plain is set if a tool without limits shows the sign, too, and Why is the
	// technique.
	Plain bool
	Why   string
	By    string // the model that wrote the payload
	// Encoded is set if the payload stands percent-encoded in an address.
	Encoded bool
	// Asks is set if what disrupted the server was a proper request for a tool.
	Asks bool
}

// checkFields are about a check of a server that listens.
type checkFields struct {
	// Check is what the request was to find out; Weak is set if the answer is
	// not what it should be, Open if the server asks nobody for credentials,
	// Private if its address cannot be reached from everywhere.
	Check   string
	Weak    bool
	Open    bool
	Private bool
}
