package mcpsf

// TLSDetail belongs to net.tls: what a client said of itself, and how far it
// got.
type TLSDetail struct {
	// SNI is the name the client asked for.
	SNI  string   `json:"sni,omitempty"`
	ALPN []string `json:"alpn,omitempty"`
	// Version is the one that was agreed on, "" if none was.
	Version string `json:"version,omitempty"`
	// JA4 is the fingerprint of the client's way of asking. Hello is a digest of
	// the whole question in its order, without what is random in it.
	JA4   string `json:"ja4,omitempty"`
	Hello string `json:"hello,omitempty"`
	// Rejected is why the client did not go on: it trusts no certificate but
	// its own, or none at all. Then nothing of what it had to say was seen.
	Rejected string `json:"rejected,omitempty"`
}

// HTTPDetail belongs to net.http: a request and what was answered.
type HTTPDetail struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	// Version is "1.0", "1.1" or "2".
	Version string       `json:"version,omitempty"`
	Headers []HTTPHeader `json:"headers,omitempty"`
	// Body is the beginning of what was sent, after its encodings were
	// undone, and Size how much that was in all, as sent.
	Body string `json:"body,omitempty"`
	Size int64  `json:"size"`
	// Upgrade is set for a WebSocket, whose frames are in the flow.
	Upgrade bool `json:"upgrade,omitempty"`
	Status  int  `json:"status,omitempty"`
	// Answer is the beginning of what was answered, AnswerSize all of it.
	Answer     string `json:"answer,omitempty"`
	AnswerSize int64  `json:"answer_size,omitempty"`
	// Cut is set when more was sent than is read.
	Cut bool `json:"cut,omitempty"`
	// MailCut is set for a mail of which Body may not have all recipients.
	MailCut bool `json:"mail_cut,omitempty"`
}

// HTTPHeader is one line of a request.
type HTTPHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SMTPDetail belongs to net.smtp: one mail.
type SMTPDetail struct {
	From    string   `json:"from"`
	To      []string `json:"to"`
	Subject string   `json:"subject,omitempty"`
	// User is who logged in.
	User string `json:"user,omitempty"`
	// Body is the beginning of the text, Size all of the mail.
	Body string `json:"body,omitempty"`
	Size int64  `json:"size"`
	Cut  bool   `json:"cut,omitempty"`
}

// QueryDetail belongs to net.query: one statement.
type QueryDetail struct {
	// Language is "sql", "mongodb", "redis", "cypher" or "ldap".
	Language string `json:"language"`
	// Text is the statement without the values that go beside it, in the
	// language's own notation, and where that is none in one like it.
	Text string `json:"text"`
	Cut  bool   `json:"cut,omitempty"`
}

// FlowDetail belongs to net.flow.
type FlowDetail struct {
	// Protocol is "tcp", "udp" or "icmp", Service what was spoken: "tls",
	// "http", "smtp", "redis", ...; "" if it was nothing known.
	Protocol string `json:"protocol"`
	Service  string `json:"service,omitempty"`
	// Sent and Received are bytes as the sandbox sees it.
	Sent     int64   `json:"sent"`
	Received int64   `json:"received"`
	Seconds  float64 `json:"seconds"`
	// First is the beginning of what was sent, where no other event has it.
	First string `json:"first,omitempty"`
	// Digest is one of all that was sent, inside TLS.
	Digest string `json:"digest,omitempty"`
	// Cut is set when a limit ended the connection, Unread when more was sent
	// than was read.
	Cut    bool `json:"cut,omitempty"`
	Unread bool `json:"unread,omitempty"`
	// Reached is the address of the real host that answered, where the network
	// was allowed to reach it; "" if the host was made up. Failed is why it was
	// not reached, or not to the end.
	Reached string `json:"reached,omitempty"`
	Failed  string `json:"failed,omitempty"`
}

// EnvDetail belongs to env.read.
type EnvDetail struct {
	Name string `json:"name"`
	// Canary names the variable's planted value, "" if it holds none.
	Canary string `json:"canary,omitempty"`
	// All is set when every variable was read at once.
	All bool `json:"all,omitempty"`
}

// The channels of a [LeakDetail].
const (
	ChannelDNS    = "dns"
	ChannelHTTP   = "http"
	ChannelSMTP   = "smtp"
	ChannelStream = "tcp"
	ChannelPacket = "udp"
	ChannelMCP    = "mcp"
	ChannelStderr = "stderr"
	ChannelFile   = "file"
	ChannelArgs   = "arguments"
)

// SourceArgument begins the Source of a value on the server's command line,
// SourceVariable that of a value in its environment.
const (
	SourceArgument = "argument "
	SourceVariable = "variable "
)

// LeakDetail belongs to canary.leak.
type LeakDetail struct {
	// ID, Kind and Source are those of what was recognised: a decoy, or what
	// the session itself gave in a call.
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Source string `json:"source"`
	// Given is set for what the caller of a tool had handed over, Configured
	// for what the server was started with.
	Given      bool `json:"given,omitempty"`
	Configured bool `json:"configured,omitempty"`
	// Belongs is set when the destination is the service the secret is for.
	Belongs bool `json:"belongs,omitempty"`

	Channel string `json:"channel"`
	// Destination is where it went: a name and a port, a tool's result, a
	// file.
	Destination string `json:"destination"`
	// Part says where in the message: "body", "header Authorization", "url".
	Part string `json:"part,omitempty"`
	// Chain names the encodings it was found under, from the outside in.
	Chain []string `json:"chain,omitempty"`
	// Share is how much of it was recognised, 1 for all.
	Share float64 `json:"share"`
	// Excerpt is what was on the wire.
	Excerpt string `json:"excerpt,omitempty"`
	// Via are the events it was put together from, the first being that of
	// how the secret was got, where that was seen.
	Via []int64 `json:"via,omitempty"`
}

// What an [ExecProofDetail] proves.
const (
	// ExecProofScript: a script that the fake network served was run.
	ExecProofScript = "script"
	// ExecProofShell: a command that was sent down a connection was executed.
	ExecProofShell = "shell"
)

// ExecProofDetail belongs to exec.proof.
type ExecProofDetail struct {
	// What is one of the constants above.
	What string `json:"what"`
	// Source is where the script was fetched from, or the other end of the
	// connection; Detail the command that was obeyed, or the script's language.
	Source string `json:"source"`
	Detail string `json:"detail,omitempty"`
}

// OpaqueDetail belongs to what leaves, net.* and mcp.response: random bytes that
// neither an argument, nor the configuration, nor an earlier answer contains.
type OpaqueDetail struct {
	// Bytes is how many this message has, Total how many its destination got
	// since the server was started.
	Bytes int64 `json:"bytes"`
	Total int64 `json:"total"`
	// Part is where most of them are: "body", "header X-Trace", "url", "name".
	Part string `json:"part,omitempty"`
}
