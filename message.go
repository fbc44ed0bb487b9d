package mcpsf

import "encoding/json"

// Stream is one of the byte streams between the session driver and the server.
type Stream uint8

// The streams, numbered like the server's descriptors. For a server that
// listens, the bytes sent to it count as standard input, and its answers are in
// Served; its standard output is then no part of the conversation.
const (
	Stdin Stream = iota
	Stdout
	Stderr
	Served
)

// MessageKind says what a [Message] is.
type MessageKind string

// The kinds of messages. Junk is output that is not JSON-RPC. Close is the
// session driver closing the server's standard input.
const (
	MessageRequest      MessageKind = "request"
	MessageResponse     MessageKind = "response"
	MessageNotification MessageKind = "notification"
	MessageJunk         MessageKind = "junk"
	MessageStderr       MessageKind = "stderr"
	MessageClose        MessageKind = "close"
)

// Message is one unit of conversation with the server, in either direction.
//
// Offset ties it to what the kernel saw: it is the number of bytes of Stream
// up to and including the message's last byte. The kernel counts the same
// bytes as the server reads or writes them, so a message is placed in the
// event stream without comparing clocks or trusting the server's memory.
type Message struct {
	Stream Stream
	Offset int64
	Kind   MessageKind
	// Phase the session was in when it happened.
	Phase Phase
	// Call is the session's id of the request this belongs to: the request
	// itself, its response, or "" when there is none.
	Call   string
	Method string
	// Tool is the tool called, for tools/call and its response.
	Tool string
	// ID is the JSON-RPC id as it stood on the wire, nil if none.
	ID json.RawMessage
	// Body is the params, result or error, or the raw text of junk and
	// stderr as a JSON string; cut to a size limit.
	Body json.RawMessage
	// Whole is all of what Body is made from, of the server's messages. It is
	// there only while the message is being observed.
	Whole []byte
	// Failed is set on a response that carries a JSON-RPC error or isError.
	Failed bool
	// Size is the full size on the wire; Truncated says Body is not all of it.
	Size      int64
	Truncated bool
	// Seconds is, on a response, the time since the request was sent.
	Seconds float64
	// Attack says what the request, or the answer to it, was to find out.
	Attack *AttackDetail
	// ServerValues are the values of a request of ours that the server made.
	ServerValues ServerValues
}
