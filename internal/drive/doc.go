// Package drive is the room that talks to the server as a client does: it lists,
// calls every tool with fitting input, and attacks each argument.
//
// In: the server's byte streams or its address; a plan of calls.
//
// Out: every message with its position in the stream; what the server offers and
// answered; for every attack call, the sign that would prove it.
//
// Never: believe what a server says of itself; judge; call tools of a remote server
// without the user's permission.
package drive
