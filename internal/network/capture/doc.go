// Package capture keeps the traffic of a run: the frames of the sandbox's
// network and the secrets of its TLS connections go in, one pcapng file that
// Wireshark can decrypt comes out.
//
// A packet's comments and its TLS secrets are known only after the packet
// passed, but in a pcapng file they stand before it or in it. So frames are
// spooled to a file during the run ([Spool.Frame], [Spool.Secret]), and the
// capture is written at its end ([Spool.Write]).
//
// The target decides how much it sends, so everything is bounded: the spool
// keeps the first bytes of the run and, from a reserve, the first packets of
// flows that begin later. A flood loses its own later packets and does not hide
// what comes after it. The file states how much was left out. Memory does not
// grow with the traffic beyond a table of recent flows.
package capture
