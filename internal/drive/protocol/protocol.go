// Package protocol holds the names that the Model Context Protocol defines:
// methods, HTTP headers, revisions and capabilities, so that the transport, the
// session and the attack plan spell them the same way.
package protocol

// Methods that we call.
const (
	MethodInitialize = "initialize"
	MethodDiscover   = "server/discover"
	MethodPing       = "ping"
	MethodListen     = "subscriptions/listen"
)

// Methods that take arguments from a model. Attack calls are made with these.
const (
	MethodCall     = "tools/call"
	MethodRead     = "resources/read"
	MethodPrompt   = "prompts/get"
	MethodComplete = "completion/complete"
)

// Methods that a server calls on its client.
const (
	MethodRoots  = "roots/list"
	MethodSample = "sampling/createMessage"
	MethodElicit = "elicitation/create"
)

// Notifications.
const (
	MethodInitialized = "notifications/initialized"
	MethodCancelled   = "notifications/cancelled"
	MethodProgress    = "notifications/progress"
)

// HTTP headers.
const (
	HeaderSession   = "Mcp-Session-Id"
	HeaderRevision  = "Mcp-Protocol-Version"
	HeaderLastEvent = "Last-Event-ID"
	HeaderMethod    = "Mcp-Method"
	HeaderName      = "Mcp-Name"
	HeaderParam     = "Mcp-Param-"
)

// Revisions that behave differently. Offered, the newest with sessions, is
// offered by default. Batches is the only one that allows batches, Headers the
// first whose requests name the revision in a header, and Stateless the one
// without sessions.
const (
	Offered   = "2025-11-25"
	Batches   = "2025-03-26"
	Headers   = "2025-06-18"
	Stateless = "2026-07-28"
)

// Revisions lists the supported revisions, oldest first.
func Revisions() []string {
	return []string{"2024-11-05", Batches, Headers, Offered, Stateless}
}
