package rules

import (
	"regexp"
	"strconv"

	"github.com/mcpsf/mcpsf"
)

// maxArgs bounds the argument vector a condition sees.
const maxArgs = 64

// env is what a condition can say: the fields of the event at hand, flat and
// never nil, and a few questions about it.
//
// The event itself is not in it on purpose: expr compares a [mcpsf.Kind] with
// a string as unequal without a word, and a detail that is nil for this kind
// would stop the rule.
type env struct {
	fields
	questions
	// functions are the questions once more, by their place; asked counts the
	// events that they were about.
	functions []any
	asked     int
	// steps are the events that the earlier steps of a sequence were, and
	// member is the one of a list that a condition is asked about.
	steps  []*fields
	member string
	// matched is what patterns said of short texts: a run has few names, and
	// each of them thousands of times.
	matched map[matching]bool
}

type matching struct {
	pattern *regexp.Regexp
	text    string
}

// Bounds on what is remembered of patterns.
const (
	maxMatched = 10_000
	maxShort   = 64
)

func (e *env) matches(pattern *regexp.Regexp, text string) bool {
	if len(text) > maxShort {
		return pattern.MatchString(text)
	}
	key := matching{pattern, text}
	is, known := e.matched[key]
	if !known {
		is = pattern.MatchString(text)
		if len(e.matched) < maxMatched {
			e.matched[key] = is
		}
	}
	return is
}

// fields describe one event. A field that does not apply is empty.
type fields struct {
	Kind  string
	Phase string
	Call  string
	// Method and Tool are those of the call the event belongs to.
	Method string
	Tool   string
	prompt string
	// Proc is the process's name, which it can choose; Program the file it
	// was executed from, which it cannot.
	Proc    string
	Program string
	pid     int
	seq     int64
	t       float64
	// script is what of an installation the event belongs to, nil for the
	// package manager itself.
	script *script
	// Server is set for the first process of the sandbox, Pending while the
	// call has no response yet.
	Server  bool
	Pending bool
	// Subject is what the event is about: the path that was changed or read,
	// the program, the address, the intent. target is the path that an
	// explanation has to name, where that is not the subject.
	Subject string
	target  string
	Error   string

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

	Args   []string
	Memory bool
	Thread bool
	Code   int
	Signal string

	// Reach of an address: "unix", "loopback", "any" or "remote".
	Reach   string
	Address string
	Port    int
	// Host is the name that was spoken to, or the address where there was
	// none; Domain the part of it that one owner has; Class what is known of it.
	Host   string
	Domain string
	Class  string
	// named is the name that the address was handed out for.
	named string
	// Resolver is set for a connection to the machine's own resolver. Unseen
	// for one that the network will tell more of, by the name it was for.
	Resolver bool
	Unseen   bool
	// Registry is set for what an installation has to speak to: the resolver
	// and the gateway to the package registries.
	Registry bool

	// Verb is the method of a request of HTTP, Service what was spoken, Sent
	// how many bytes went out and Rejected why TLS came to nothing.
	Verb     string
	URL      string
	headers  []mcpsf.HTTPHeader
	Status   int
	Service  string
	Sent     int64
	Rejected string
	// Recipients are mail addresses in a request or mail that nobody gave,
	// Proposed those that only the server's own schema did.
	Recipients []string
	Proposed   []string

	// Of something that was recognised on its way out: Planted for a secret of
	// ours, Given for what the caller gave, Configured for what the server was
	// started with; Belongs if it goes to the service it is for; Outside if it
	// goes over the network; Writes if it is not merely part of an address;
	// Hidden if somebody encoded it.
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
	leak       string
	// Variable is the name of one, All is set when all were read at once.
	Variable string
	All      bool
	// Remote is the connection that a program has as its input or output.
	Remote string

	Syscall string
	What    string
	Detail  string
	// Of a fact: Level is how grave others say it is, Package the dependency
	// that it was found in.
	Level   string
	Package string

	Limit  string
	Action string

	FromServer bool
	Failed     bool
	Seconds    float64
	// size is that of a message, line one of standard error, body what was
	// sent in a request of HTTP, and query what a database was asked.
	size  int64
	line  string
	body  string
	query *mcpsf.QueryDetail
	// encoded is set if the payload stands percent-encoded in an address.
	encoded bool

	// Of what the server says differently: Since tells what happened in
	// between, Field what of the subject it is ("" if it came or went), Was and
	// Is what it said and says; Announced is set if it had said so.
	Since     string
	Field     string
	Was       string
	Is        string
	Announced bool

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
	by    string // the model that wrote the payload
	// Asks is set if what upset the server was a proper request for a tool.
	Asks bool
	// Of is what a text belongs to: "tool", "result", ...
	Of string
	// Check is what a request to a server that listens was to find out; Weak is
	// set if the answer is not what it should be, Open if the server asks nobody
	// for credentials, Private if its address cannot be reached from everywhere.
	Check   string
	Weak    bool
	Open    bool
	Private bool
}

// questions are the functions of the language. They are fields and not
// methods so that conditions can spell them in lower case.
type questions struct {
	InCall      func() bool               `expr:"inCall"`
	Explained   func() bool               `expr:"explained"`
	UsedByOwner func() bool               `expr:"usedByOwner"`
	InPurpose   func() bool               `expr:"inPurpose"`
	ByHabit     func() bool               `expr:"byHabit"`
	Executes    func() bool               `expr:"declaresExecution"`
	Mentions    func(string) bool         `expr:"mentions"`
	ToolSays    func(string) bool         `expr:"toolMentions"`
	Dropped     func() bool               `expr:"dropped"`
	Fetched     func() bool               `expr:"fetched"`
	CallerText  func() bool               `expr:"callerText"`
	ByProgram   func() bool               `expr:"startedByProgram"`
	GivenFolder func() bool               `expr:"inGivenFolder"`
	NewPlace    func() bool               `expr:"newPlace"`
	OwnCode     func() bool               `expr:"ownCode"`
	OwnEntry    func() bool               `expr:"ownEntry"`
	OwnVars     func() bool               `expr:"ownVariables"`
	ByInstaller func() bool               `expr:"byInstaller"`
	ByScript    func() bool               `expr:"byScript"`
	ByManager   func() bool               `expr:"byManager"`
	HasSecret   func() bool               `expr:"hasSecret"`
	Outlived    func() bool               `expr:"outlived"`
	BuildTool   func(string) bool         `expr:"buildTool"`
	RunsFetched func() bool               `expr:"runsFetched"`
	RunsAnswer  func() bool               `expr:"runsAnswer"`
	OpensShell  func() bool               `expr:"opensShell"`
	LoadsFetch  func() bool               `expr:"loadsFetched"`
	GitDestroys func() bool               `expr:"gitDestroys"`
	OwnPlace    func(string) bool         `expr:"ownPlace"`
	SharedPlace func(string) bool         `expr:"sharedPlace"`
	Persistent  func(string) bool         `expr:"persistent"`
	SetsUp      func() bool               `expr:"setsUp"`
	Routine     func(string) bool         `expr:"routine"`
	IsShell     func(string) bool         `expr:"isShell"`
	Under       func(string, string) bool `expr:"under"`
	Base        func(string) string       `expr:"base"`
	Home        func() string             `expr:"home"`
	WorkDir     func() string             `expr:"workdir"`
	HostKnown   func() bool               `expr:"hostExplained"`
	HostNamed   func() bool               `expr:"hostNamed"`
	HostInName  func() bool               `expr:"hostInName"`
	Resembles   func() bool               `expr:"resemblesName"`
	HasOwnHost  func() bool               `expr:"hasOwnHost"`
	AlsoHome    func() bool               `expr:"alsoToExplained"`
	AlsoNamed   func() bool               `expr:"alsoToItsOwn"`
	AlsoAbroad  func() bool               `expr:"alsoElsewhere"`
	Carries     func() bool               `expr:"carriesGiven"`
	Collects    func() bool               `expr:"collects"`
	Metadata    func() bool               `expr:"metadataService"`
	ByCloud     func() bool               `expr:"byCloud"`
	Tunnels     func() bool               `expr:"tunnels"`
	Beacons     func() bool               `expr:"beacons"`
	Cheap       func() bool               `expr:"cheapDomain"`
	Nameless    func() bool               `expr:"nameless"`
	Public      func() bool               `expr:"publicAddress"`
	Private     func() bool               `expr:"privateAddress"`
	IsRuntime   func(string) bool         `expr:"isInterpreter"`
	InURL       func() bool               `expr:"dataInRequest"`
	Mining      func() bool               `expr:"mining"`
	VarInName   func() bool               `expr:"variableInName"`
	AsksVars    func() bool               `expr:"showsVariables"`
	Proves      func() bool               `expr:"proves"`
	Unlimited   func() bool               `expr:"unlimited"`
	TakesFiles  func() bool               `expr:"takesFiles"`
	WrongKind   func() bool               `expr:"wrongKind"`
	ServedToAll func() bool               `expr:"servedToAll"`
	SaysToo     func(string) bool         `expr:"saysToo"`
	OwnWords    func() bool               `expr:"ownWords"`
	SaysOffline func() bool               `expr:"saysOffline"`
	Stuck       func() bool               `expr:"stuck"`
	Waits       func() bool               `expr:"waits"`
	Annotated   func(string, bool) bool   `expr:"annotated"`
	UsersFile   func() bool               `expr:"usersFile"`
	Existed     func() bool               `expr:"existed"`
	Again       func() bool               `expr:"again"`
	SignIn      func() bool               `expr:"signIn"`
	OutOfRoots  func() bool               `expr:"outsideRoots"`
	Nth         func() int                `expr:"nth"`
	Fact        func(string) bool         `expr:"fact"`
	FactText    func(string, string) bool `expr:"factText"`
	FactFile    func(string, string) bool `expr:"factFile"`
}

// groupFields are the fields that can name a group. Anything that changes
// from run to run (a pid, a call, a number) is left out: the group is the
// finding's fingerprint.
func groupFields() []string {
	return []string{"tool", "subject", "kind", "program", "host", "domain", "endpoint", "channel", "place"}
}

func (f *fields) group(name string) string {
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
