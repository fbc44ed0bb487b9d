package rules

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// run is what one pass over the events remembers. Its size is bounded by that
// of the events themselves.
type run struct {
	scope  Scope
	facts  []mcpsf.Fact
	places places
	config []claim
	siege  siege
	// strolled are the files that a tool comes upon whatever it is asked for.
	strolled strolled
	// anchored are the tools that keep to a folder of their own, differ the
	// answers to attacks that bring in a condition.
	anchored anchored
	differ   differ
	// outcomes are what the attacks came to, logged the last line of standard
	// error.
	outcomes outcomes
	logged   string
	// toAll is set if other machines can use the server.
	toAll bool
	// purpose are the words of the package's name. The user chose it by that
	// name; what the server calls itself once it runs nobody has seen before.
	purpose map[string]bool
	owners  []owner
	claimed *int // how many of them the name claims, once somebody asked
	// declared and directory say which hosts are explained and which are
	// well known; traffic is what the whole run said to the network.
	declared              *declared
	directory             directory
	traffic               *traffic
	ownHost, ownHostKnown bool
	// addresses are the mail addresses of the configuration, answered those
	// that the network told the server.
	addresses, answered map[string]bool
	// libraries are the packages that were installed with the server.
	libraries map[string]bool

	// box counts the sandboxes, one after the other; calls and processes are
	// those of the present one.
	box   int
	calls map[string]*call
	// odd is the last request, if it was an odd message.
	odd      *call
	programs map[int]program
	parents  map[int]int
	lineage  lineage
	// written are the files that got their content in this run, other than
	// by a package manager.
	written map[string]bool
	// reached is set once somebody outside has answered: a host that is not made
	// up.
	reached bool
	// told is how the latest answers of the network began.
	told []string
	// downloaded is set once the server was sent something by the network.
	downloaded bool
	// installing is set while the sandbox is one of an installation.
	installing bool
	// stole are the calls in which a secret was read that nobody asked for.
	stole map[string]bool
	// asks are the calls so far, roots the folders that the server was told.
	asks  map[askedFor]bool
	roots []string
	// decoys are the names under which decoys were last seen.
	decoys  map[string]bool
	listed  listed
	history history
	texts   texts
	// given are the home or folders above it, if the configuration names one.
	given []string
	// server is the pid of the sandbox's first process, entry the script or
	// program of its own that it runs.
	server int
	entry  string
	// accesses are what the server used in the whole run.
	accesses accesses
	// said are the strings in the schemas of tools, sayings what they say of
	// themselves and named what the declaration says of hosts, once somebody
	// asked.
	said    map[string][]string
	sayings map[string]*saying
	named   map[string]hostReason
	domains map[string]domain
	memory  memory
}

// program is what a process executed last.
type program struct {
	path string
	args []string
	// installer is set for the system's package managers: what they write is
	// a package and not a drop.
	installer bool
	// script is what an interpreter was started for by the script itself.
	script string
}

func newRun(scope Scope) *run {
	scope.Home, scope.WorkDir = path.Clean(scope.Home), path.Clean(scope.WorkDir)
	pkg, _, _ := strings.Cut(scope.Name, " ")
	r := &run{
		scope:     scope,
		places:    places{home: scope.Home, workdir: scope.WorkDir, words: wordsOf(scope.Name)},
		purpose:   wordsOf(pkg),
		owners:    owners(),
		libraries: libraryNames(scope.Packages),
		written:   map[string]bool{},
		history:   newHistory(),
		texts:     texts{},
		given:     givenHome(scope),
		declared:  newDeclared(scope),
		directory: newDirectory(),
		traffic:   newTraffic(),
		addresses: configuredAddresses(scope),
		answered:  map[string]bool{},
		siege:     siege{},
		strolled:  strolled{},
		anchored:  anchored{},
		differ:    differ{},
		accesses:  accesses{seen: map[accessKey]*mcpsf.Access{}},
		said:      map[string][]string{},
		sayings:   map[string]*saying{},
		named:     map[string]hostReason{},
		domains:   map[string]domain{},
		memory:    newMemory(),
	}
	r.config = configClaims(scope)
	r.unbox()
	return r
}

// unbox forgets what ended with a sandbox. What an installation has written
// stays: it is there when the server starts.
func (r *run) unbox() {
	if !r.installing {
		clear(r.written)
	}
	r.installing = false
	r.calls = map[string]*call{}
	r.programs = map[int]program{}
	r.parents = map[int]int{}
	r.decoys = map[string]bool{}
	r.stole = map[string]bool{}
	r.server, r.entry = 0, ""
	r.asks, r.roots, r.logged = map[askedFor]bool{}, nil, ""
	r.told = nil
}

// before takes in what the rules must know when they look at e.
func (r *run) before(e *mcpsf.Event) {
	r.lineage.see(e)
	switch e.Kind {
	case mcpsf.KindSandboxStart:
		r.box++
		r.unbox()
		r.installing = e.Phase == mcpsf.PhaseInstall
	case mcpsf.KindMCPNotification:
		r.notified(e)
	case mcpsf.KindMCPRequest:
		r.request(e)
	case mcpsf.KindMCPResponse:
		r.response(e)
	case mcpsf.KindProcessExec:
		r.executed(e)
	case mcpsf.KindProcessFork:
		if e.Process != nil && !e.Process.Thread && e.Process.Child != 0 {
			r.programs[e.Process.Child] = r.programs[e.PID]
			r.parents[e.Process.Child] = e.PID
		}
	}
	if e.File != nil {
		r.history.file(e, r.scope)
	}
}

func (r *run) executed(e *mcpsf.Event) {
	if e.Process == nil || e.Process.Error != "" {
		return
	}
	prog := program{path: e.Process.Path, args: e.Process.Args}
	// A script that names its interpreter is told first as itself, and then
	// as the interpreter with the very same arguments.
	if before := r.programs[e.PID]; len(prog.args) > 0 && slices.Equal(before.args, prog.args) &&
		before.path != prog.path && before.path == absolute(prog.args[0], r.scope.WorkDir) {
		prog.script = before.path
	}
	if r.server == 0 {
		r.server = e.PID
	}
	if e.PID == r.server {
		r.entry = entryOf(prog, r.scope.WorkDir)
	}
	_, prog.installer = ownerName(prog, installers())
	r.programs[e.PID] = prog
	if e.PPID != 0 {
		r.parents[e.PID] = e.PPID
	}
}

// after takes in what e changes for the events behind it.
func (r *run) after(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindCanaryRead {
		r.stolen(e)
	}
	if e.Kind == mcpsf.KindMCPStderr && e.MCP != nil {
		r.logged = lineOf(e.MCP)
	}
	r.reached = r.reached || e.Flow != nil && e.Flow.Reached != ""
	if e.HTTP != nil {
		r.answers(e.HTTP)
		r.hear(e.HTTP.Answer)
		r.downloaded = r.downloaded || e.Phase != mcpsf.PhaseInstall && e.HTTP.Method == http.MethodGet && e.HTTP.Status == http.StatusOK && e.HTTP.AnswerSize > 0
	}
	d := e.File
	if d == nil || d.Error != "" {
		return
	}
	switch e.Kind {
	case mcpsf.KindFileOpen:
		r.note(d.Path, d.CanaryKind != "")
		if strings.ContainsAny(d.Flags, "wct") {
			r.wrote(e.PID, d.Path)
		}
	case mcpsf.KindFileWrite:
		r.note(d.Path, d.CanaryKind != "")
		r.wrote(e.PID, d.Path)
	case mcpsf.KindFileDelete:
		delete(r.decoys, d.Path)
	case mcpsf.KindFileRename:
		r.note(d.To, r.decoys[d.Path])
		delete(r.decoys, d.Path)
		r.copied(d)
	case mcpsf.KindFileLink:
		r.note(d.To, d.CanaryKind != "")
		r.copied(d)
	}
}

// stolen remembers that a script, or the server in a call, has a secret that is
// not its own.
func (r *run) stolen(e *mcpsf.Event) {
	var f fields
	f.fill(e, r)
	if f.script != nil && !r.usedByOwner(&f) && !r.byHabit(&f) {
		f.script.stole = true
	}
	if e.Phase != mcpsf.PhaseInstall && f.Decoy != mcpsf.DecoyDocument && !r.explain(&f).ok() &&
		!r.usedByOwner(&f) && !r.inPurpose(&f) && !r.byHabit(&f) && !r.inGivenFolder(&f) {
		r.stole[e.Call] = true
	}
}

// note remembers whether a name leads to a decoy.
func (r *run) note(name string, decoy bool) {
	if decoy {
		r.decoys[name] = true
	} else {
		delete(r.decoys, name)
	}
}

func (r *run) wrote(pid int, name string) {
	if !r.programs[pid].installer {
		r.written[name] = true
	}
}

// copied passes on that the content was written in this run.
func (r *run) copied(d *mcpsf.FileDetail) {
	if r.written[d.Path] {
		r.written[d.To] = true
	}
}

// notified counts what the server tells unasked while a call is made.
func (r *run) notified(e *mcpsf.Event) {
	if e.MCP != nil && e.MCP.FromServer {
		r.calls[e.Call].heard(e)
	}
}

// request remembers a request of ours. One that the server sends is no call,
// and its content explains nothing: the server wrote it.
func (r *run) request(e *mcpsf.Event) {
	if e.MCP != nil && e.MCP.FromServer && asksClient(e.MCP.Method) {
		r.calls[e.Call].heard(e)
	}
	if e.MCP == nil || e.MCP.FromServer || e.Call == "" || r.calls[e.Call] != nil {
		return
	}
	if r.odd != nil && isLifeSign(e) {
		r.calls[e.Call] = r.odd // both may have been read at once
		return
	}
	c := &call{method: e.MCP.Method, tool: e.MCP.Tool, params: r.paramsOf(e.MCP), size: e.MCP.Size, attack: e.MCP.Attack}
	if c.method == "prompts/get" {
		c.prompt = promptName(c.params)
	}
	if c.tool == "" { // what was listed by now counts, not what will be
		r.claims(c)
		r.hosts(c)
	}
	c.again = r.repeated(c)
	r.calls[e.Call], r.memory.newest, r.odd = c, c, nil
	if c.attack != nil && c.attack.Class == mcpsf.ClassProtocol {
		r.odd = c
	}
}

// isLifeSign tells whether a request asks whether the server is still there,
// after a message that it need not answer. Its work is for that message.
func isLifeSign(e *mcpsf.Event) bool {
	return e.Phase == mcpsf.PhaseAttack && e.MCP.Attack == nil && (e.MCP.Method == "ping" || e.MCP.Method == "tools/list")
}

// promptName is the name in the parameters of a prompts/get.
func promptName(params json.RawMessage) string {
	var p struct {
		Name string `json:"name"`
	}
	if len(params) > maxParams || json.Unmarshal(params, &p) != nil {
		return ""
	}
	return p.Name
}

func (r *run) response(e *mcpsf.Event) {
	if e.MCP == nil {
		return
	}
	if asksClient(e.MCP.Method) { // it is ours
		if e.MCP.Method == methodRoots {
			r.folders(e)
		}
		return
	}
	c := r.calls[e.Call]
	if c == nil {
		return
	}
	c.answered = true
	if c.attack == nil {
		r.tells(e.MCP)
	}
	if c.method == "resources/list" {
		r.listed.add(e.MCP)
	}
}

// inCall tells work for the user from the rest: the handshake and the
// listings are requests too, but they ask for nothing.
func (r *run) inCall(f *fields) bool {
	if f.Call == "" {
		return false
	}
	switch f.Method {
	case "initialize", "ping":
		return false
	}
	return !strings.HasSuffix(f.Method, "/list")
}
