// Package network is the Internet of the sandbox: every name resolves, every
// port answers, every byte is captured.
//
// In: Ethernet frames of the sandbox.
//
// Out: answers, decoded traffic as events, a pcapng capture with TLS secrets.
//
// Never: send a byte of the target to the real network, unless the user allowed
// that host; connect to this machine or its own network.
package network
