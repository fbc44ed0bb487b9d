package mcpsf

import "encoding/json"

// Phase is the part of the run an event belongs to.
type Phase string

// The phases. Idle is work done for a call after its response was sent.
const (
	PhaseInspect Phase = "inspect"
	PhaseInstall Phase = "install"
	PhaseStart   Phase = "start"
	PhaseDrive   Phase = "drive"
	PhaseAttack  Phase = "attack"
	PhaseIdle    Phase = "idle"
	PhaseStop    Phase = "stop"
)

// Kind says what was observed.
type Kind string

// The kinds of events.
const (
	KindProcessExec Kind = "process.exec"
	KindProcessFork Kind = "process.fork"
	KindProcessExit Kind = "process.exit"

	KindFileOpen   Kind = "file.open"
	KindFileRead   Kind = "file.read"
	KindFileWrite  Kind = "file.write"
	KindFileDelete Kind = "file.delete"
	KindFileRename Kind = "file.rename"
	KindFileChmod  Kind = "file.chmod"
	KindFileLink   Kind = "file.link"
	KindFileCreate Kind = "file.create" // mkdir, mknod
	KindFileStat   Kind = "file.stat"   // accessed without opening; only where it is informative

	KindNetConnect Kind = "net.connect"
	KindNetDNS     Kind = "net.dns" // a name lookup
	KindNetListen  Kind = "net.listen"
	KindNetTLS     Kind = "net.tls"
	// KindNetHTTP is an HTTP request. A refused one has only its address in
	// net.name and its method in net.type.
	KindNetHTTP Kind = "net.http"
	KindNetSMTP Kind = "net.smtp" // one mail
	// KindNetQuery is a query to a database or a directory.
	KindNetQuery Kind = "net.query"
	KindNetFlow  Kind = "net.flow" // the end of a connection, or of an exchange of datagrams

	KindMCPRequest      Kind = "mcp.request"
	KindMCPResponse     Kind = "mcp.response"
	KindMCPNotification Kind = "mcp.notification"
	KindMCPMalformed    Kind = "mcp.malformed"
	KindMCPStderr       Kind = "mcp.stderr"
	// KindMCPText is something suspicious in the texts that a server gives to a
	// model.
	KindMCPText Kind = "mcp.text"
	// KindMCPChanged is a server that describes itself differently than before.
	KindMCPChanged Kind = "mcp.changed"
	// KindMCPDisruption is a message after which the server crashed or hung.
	KindMCPDisruption Kind = "mcp.disruption"
	// KindSecretFlow is something sent that depends on the decoys' secrets.
	KindSecretFlow Kind = "secret.flow"
	// KindAgentAction is something that a text of the server made an agent do.
	KindAgentAction Kind = "agent.action"
	// KindRemoteCheck is the result of a check on a server that listens.
	KindRemoteCheck Kind = "remote.check"

	KindEnvRead Kind = "env.read" // a variable was read by name

	KindCanaryRead Kind = "canary.read"
	KindCanaryLeak Kind = "canary.leak" // a planted secret was found in data that leaves
	KindExecProof  Kind = "exec.proof"  // an execution proof of ours was run, which only an attack does

	KindPrivilegeAttempt Kind = "privilege.attempt" // mount, ptrace, setuid, raw sockets, ...
	KindProbeSandbox     Kind = "probe.sandbox"     // the target checks for a sandbox
	KindLimitHit         Kind = "limit.hit"

	KindArchiveRefused Kind = "archive.refused" // an entry that was not unpacked: file.path, and why in file.error

	KindSandboxStart Kind = "sandbox.start"
	KindSandboxStop  Kind = "sandbox.stop"
	KindSandboxError Kind = "sandbox.error"

	// KindRunDigest is the last event of a run. Its text is the digest of what the
	// report was judged from.
	KindRunDigest Kind = "run.digest"
)

// Event is one observation. Events are numbered without gaps and ordered as
// the sandbox's kernel ordered them.
type Event struct {
	Seq int64 `json:"seq"`
	// T is seconds since the run began.
	T     float64 `json:"t"`
	Phase Phase   `json:"phase"`
	// Call is the request that caused it, "" before the first one.
	Call string `json:"call,omitempty"`
	PID  int    `json:"pid,omitempty"`
	PPID int    `json:"ppid,omitempty"`
	TID  int    `json:"tid,omitempty"`
	// Proc is the process's name as the kernel has it.
	Proc string `json:"proc,omitempty"`
	Kind Kind   `json:"kind"`
	// Cause is the Seq of the event that caused this one, 0 if none is known.
	Cause int64 `json:"cause,omitempty"`
	// Count is how many identical observations this event stands for; 0 and
	// 1 both mean one.
	Count int64 `json:"count,omitempty"`

	Process    *ProcessDetail    `json:"process,omitempty"`
	File       *FileDetail       `json:"file,omitempty"`
	Net        *NetDetail        `json:"net,omitempty"`
	MCP        *MCPDetail        `json:"mcp,omitempty"`
	Text       *TextDetail       `json:"text,omitempty"`
	Change     *ChangeDetail     `json:"change,omitempty"`
	Disruption *DisruptionDetail `json:"disruption,omitempty"`
	SecretFlow *SecretFlowDetail `json:"secret_flow,omitempty"`
	Agent      *AgentDetail      `json:"agent,omitempty"`
	Remote     *RemoteDetail     `json:"remote,omitempty"`
	TLS        *TLSDetail        `json:"tls,omitempty"`
	HTTP       *HTTPDetail       `json:"http,omitempty"`
	SMTP       *SMTPDetail       `json:"smtp,omitempty"`
	Query      *QueryDetail      `json:"query,omitempty"`
	Flow       *FlowDetail       `json:"flow,omitempty"`
	Env        *EnvDetail        `json:"env,omitempty"`
	Canary     *CanaryDetail     `json:"canary,omitempty"`
	Leak       *LeakDetail       `json:"leak,omitempty"`
	Opaque     *OpaqueDetail     `json:"opaque,omitempty"`
	ExecProof  *ExecProofDetail  `json:"exec_proof,omitempty"`
	Privilege  *PrivilegeDetail  `json:"privilege,omitempty"`
	Probe      *ProbeDetail      `json:"probe,omitempty"`
	Limit      *LimitDetail      `json:"limit,omitempty"`
	Sandbox    *SandboxDetail    `json:"sandbox,omitempty"`
}

// ProcessDetail belongs to the process.* kinds.
type ProcessDetail struct {
	// Path is the program that runs, after links and interpreters.
	Path string   `json:"path,omitempty"`
	Args []string `json:"args,omitempty"`
	// ArgsCut is set when the argument vector was longer than is kept.
	ArgsCut bool `json:"args_cut,omitempty"`
	// Memory is set when the program came from memory (memfd) or from a
	// deleted file and thus was never seen as a file.
	Memory bool `json:"memory,omitempty"`
	// Child is the new task of a fork; Thread says it shares the process.
	Child  int  `json:"child,omitempty"`
	Thread bool `json:"thread,omitempty"`
	// Remote is the other end of the network connection that a new program
	// has as its standard input or output, "" if it has none.
	Remote string `json:"remote,omitempty"`
	// Code and Signal tell how a process ended.
	Code   int    `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"`
	// Error names the errno of a failed exec, "" when it worked.
	Error string `json:"error,omitempty"`
}

// FileDetail belongs to the file.* kinds.
type FileDetail struct {
	// Path is the kernel's name of the object after every link was followed.
	Path string `json:"path"`
	// Asked is the name the program used, where it differs from Path.
	Asked string `json:"asked,omitempty"`
	// To is the second name of a rename or link.
	To string `json:"to,omitempty"`
	// Flags: r read, w write, c created, t truncated, a append, x executed,
	// m mapped into memory, d directory.
	Flags string `json:"flags,omitempty"`
	Mode  uint32 `json:"mode,omitempty"`
	Bytes int64  `json:"bytes,omitempty"`
	// Error names the errno, "" when it worked.
	Error string `json:"error,omitempty"`
	// Canary and CanaryKind name the decoy the object is, under whatever
	// name it was reached.
	Canary     string `json:"canary,omitempty"`
	CanaryKind string `json:"canary_kind,omitempty"`
	// Sets are the settings of git that were written, as "section.key=value"; "?"
	// stands for what could not be read.
	Sets []string `json:"sets,omitempty"`
}

// NetDetail belongs to the net.* kinds.
type NetDetail struct {
	// Family is "ip4", "ip6", "unix", "dns", "http" or the kernel's number.
	Family string `json:"family"`
	// Name is the name that was looked up, and Type then the type of record. Of a
	// connection it is the name that its address was handed out for.
	Name    string `json:"name,omitempty"`
	Type    string `json:"type,omitempty"`
	Address string `json:"address,omitempty"`
	Port    int    `json:"port,omitempty"`
	// Local is the port on the sandbox's side, which tells connections apart.
	Local int    `json:"local,omitempty"`
	Error string `json:"error,omitempty"`
	// Digest is, of a question to a resolver, one of what it has beside the name.
	Digest string `json:"digest,omitempty"`
}

// MCPDetail belongs to the mcp.* kinds.
type MCPDetail struct {
	// FromServer tells the direction of requests and notifications.
	FromServer bool            `json:"from_server,omitempty"`
	Method     string          `json:"method,omitempty"`
	Tool       string          `json:"tool,omitempty"`
	ID         json.RawMessage `json:"id,omitempty"`
	Body       json.RawMessage `json:"body,omitempty"`
	Failed     bool            `json:"failed,omitempty"`
	Size       int64           `json:"size"`
	Truncated  bool            `json:"truncated,omitempty"`
	// Digest is, where the body is cut, a digest of all of it.
	Digest string `json:"digest,omitempty"`
	// Seconds is, on a response, how long the server took.
	Seconds float64 `json:"seconds,omitempty"`
	// Attack says what one of our requests, or the answer to it, was to find out.
	Attack *AttackDetail `json:"attack,omitempty"`
	// ServerValues are the values of a request of ours that the server made.
	ServerValues ServerValues `json:"server_values,omitempty"`
}

// CanaryDetail belongs to the canary.* kinds.
type CanaryDetail struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	// Source is where the decoy was planted.
	Source string `json:"source"`
	// Path is the name it was reached by now, if another.
	Path string `json:"path,omitempty"`
	// How it was reached: "open", "link", "exec", ...
	How string `json:"how"`
}

// PrivilegeDetail belongs to privilege.attempt.
type PrivilegeDetail struct {
	Syscall string `json:"syscall"`
	// What is the intent in a few words: "mount a file system".
	What   string `json:"what"`
	Detail string `json:"detail,omitempty"`
	// Error names the errno; "" means it was allowed.
	Error string `json:"error,omitempty"`
}

// ProbeDetail belongs to probe.sandbox.
type ProbeDetail struct {
	// What was looked at: "dmi", "container marker", ...
	What   string `json:"what"`
	Detail string `json:"detail,omitempty"`
}

// LimitDetail belongs to limit.hit.
type LimitDetail struct {
	// Name is a [Limit] name.
	Name  string `json:"name"`
	Limit int64  `json:"limit"`
	Value int64  `json:"value"`
	// Action says what was done: "refused", "killed", "cut".
	Action string `json:"action"`
}

// SandboxDetail belongs to the sandbox.* kinds.
type SandboxDetail struct {
	Text string `json:"text"`
	// Kept says that the files an earlier start left are there.
	Kept bool `json:"kept,omitempty"`
	// Browser is the program of the host's browser that the server may use, "" if
	// there is none.
	Browser string `json:"browser,omitempty"`
}
