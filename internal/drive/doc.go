// Package drive talks to the server as an MCP client does: it lists what the
// server offers, calls every tool with fitting input, and attacks each
// argument.
//
// In: the server's byte streams or its address; a plan of calls.
//
// Out: every message with its position in the stream; what the server offers
// and answered; for every attack call, the sign that would prove it.
//
// Never: trust what a server says about itself; judge; call tools of a remote
// server without the user's permission.
package drive
