package event

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lineage"
)

// Fields describe one event as conditions see it. They are flat: a field that
// does not apply is empty.
//
// Conditions cannot access the event itself: expr compares a [mcpsf.Kind] with a
// string as unequal without an error, and a detail that is nil for this kind
// would stop the rule.
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

// OriginFields say when something happened, who did it, and its subject.
type OriginFields struct {
	Kind  string
	Phase string
	Call  string
	// Method and Tool are those of the call the event belongs to. Prompt is the
	// name in a prompts/get.
	Method string
	Tool   string
	Prompt string
	// Proc is the process's name, which the process can choose. Program is the
	// file it was executed from, which it cannot choose.
	Proc    string
	Program string
	PID     int
	Seq     int64
	T       float64
	// Script is the install script the event belongs to, nil for the package
	// manager itself.
	Script *lineage.Script
	// Server is set for the first process of the sandbox. Pending is set while
	// the call has no response yet.
	Server  bool
	Pending bool
	// Subject is the path that was changed or read, the program, the address or
	// the intent. Target is the path that an explanation has to name, where that
	// is not the subject.
	Subject string
	Target  string
	Error   string
}

// fileFields describe a file.
type fileFields struct {
	Path  string
	To    string
	Flags string
	// Changed is set when the event changed the file system, Destroyed when it
	// removed or replaced existing content.
	Changed   bool
	Destroyed bool
	// Runnable is set when the file's new mode makes it executable, OpenToAll
	// when everybody may write to it.
	Runnable  bool
	OpenToAll bool
	// Decoy is the kind of decoy that the subject is, "" if none.
	Decoy string
	// Sets are the settings of git that the file got, as "section.key=value".
	Sets []string
}

// processFields describe a process that starts or ends.
type processFields struct {
	Args   []string
	Memory bool
	Thread bool
	Code   int
	Signal string
	// Remote is the connection that a program has as its input or output.
	Remote string
}

// netFields describe the host that was contacted.
type netFields struct {
	// Reach of an address: "unix", "loopback", "any" or "remote".
	Reach   string
	Address string
	Port    int
	// Host is the name that was contacted, or the address if there was no name.
	// Domain is its registrable domain; Class is its class if well known.
	Host   string
	Domain string
	Class  string
	// Named is the name that the fake resolver gave the address for.
	Named string
	// Resolver is set for a connection to the sandbox's own resolver. Unseen is
	// set for a connection that a later network event describes by its name.
	Resolver bool
	Unseen   bool
	// Registry is set for what an installation must contact: the resolver and
	// the gateway to the package registries.
	Registry bool
}

// requestFields describe a request to a host.
type requestFields struct {
	// Verb is the HTTP method, Service the protocol, Sent the number of bytes
	// sent, and Rejected why the TLS handshake failed.
	Verb    string
	URL     string
	Headers []mcpsf.HTTPHeader
	Body    string
	Status  int
	Service string
	Sent    int64
	// Bytes is in how many bytes of the message the sender could have put data.
	Bytes    int64
	Rejected string
	// Recipients are mail addresses that neither the call, the configuration nor an
	// answer names. Proposed are those that only the server's own schema names.
	Recipients []string
	Proposed   []string
	// Query is the query sent to a database.
	Query *mcpsf.QueryDetail
}

// leakFields describe known data that was found in outgoing data.
type leakFields struct {
	// Planted is set for a canary, Given for data of the caller, Configured for
	// data of the configuration. Belongs: it goes to its own service. Outside:
	// over the network. Writes: not only in an address. Hidden: encoded on
	// purpose.
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
	// Variable is the name of an environment variable that was read or leaked, or
	// that the sender had read before. All is set when all were read at once.
	Variable string
	All      bool
	heldFields
}

// heldFields say which secrets the server holds when it sends something: Variable
// is an environment variable that it read by name, SecretFile a decoy file. Both
// were read before, and nothing of the user's explains it.
type heldFields struct {
	// Documented is set if the package's documentation mentions the variable.
	Documented bool
	SecretFile string
	// FolderSecret is a decoy that was read before in a folder that the caller
	// named: that explains the read, and not where its content goes.
	FolderSecret string
	// Document is a document of the user's that was read before, unexplained.
	Document string
	// ReadBy is the event of the read.
	ReadBy int64
	// Opaque is how many random bytes of the message nobody can derive, and
	// OpaqueTotal how many the domain got since the server was started.
	Opaque      int64
	OpaqueTotal int64
}

// detailFields describe attempts, facts and limits.
type detailFields struct {
	Syscall string
	What    string
	Detail  string
	// For a fact: Level is the severity that its source states, Package the
	// dependency that it was found in. For a crash Package is the MCP SDK whose
	// code failed.
	Level   string
	Package string
	Limit   string
	Action  string
	// Of is what a text belongs to: "tool", "result", ...
	Of string
}

// messageFields describe an MCP message.
type messageFields struct {
	FromServer bool
	Failed     bool
	Seconds    float64
	// Size is the size of a message; Line is a line of standard error.
	Size int64
	Line string
	// ProposedPath is a private file or a place of persistence, ProposedHost a
	// host that nobody else names, in a value of our request that the server
	// made. ProposedIn is the argument, ProposedFrom where the server put it.
	ProposedPath string
	ProposedHost string
	ProposedIn   string
	ProposedFrom string
	// InstallsFrom is the host from which a result makes its reader take software
	// and that nobody named.
	InstallsFrom string
	// FromIndex is set if that is an index or a registry, from which every package
	// then comes.
	FromIndex bool
}

// changeFields describe a change in what the server lists.
type changeFields struct {
	// Since says what happened between the two listings, Field which part
	// changed ("" if the subject was added or removed), Was and Is the old and
	// new value. Announced is set if the server sent a notification.
	Since     string
	Field     string
	Was       string
	Is        string
	Announced bool
}

// attackFields describe the attack that the call made.
type attackFields struct {
	// Attack is the class, Place the argument, Payload its value, Sign what
	// success looks like. Shown is set if the answer shows the sign.
	Attack  string
	Place   string
	Payload string
	Sign    string
	Shown   bool
	// Plain is set if the sign also appears for a tool without limits. Why is
	// the technique.
	Plain bool
	Why   string
	By    string // the model that wrote the payload
	// Encoded is set if the payload is percent-encoded in an address.
	Encoded bool
	// Asks is set if a valid tool call disrupted the server.
	Asks bool
}

// checkFields describe a check of a server that listens.
type checkFields struct {
	// Check is the name of the check. Weak is set if the answer is insecure,
	// Open if the server requires no credentials, Private if its address is not
	// reachable from the Internet.
	Check   string
	Weak    bool
	Open    bool
	Private bool
}
