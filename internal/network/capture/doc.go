// Package capture keeps the traffic of a run: the frames of the sandbox's
// network and the secrets of its TLS connections go in, one pcapng file that
// Wireshark opens in clear comes out.
//
// What a packet belongs to and the secrets that open it are known only after
// it went by, but a pcapng file wants both before or in the packet. So frames
// are spooled to a file while the run goes on ([Spool.Frame], [Spool.Secret])
// and the capture is written at its end ([Spool.Write]).
//
// The target decides how much it sends, so everything is bounded: the spool
// keeps the first bytes of the run and, from a reserve, the first packets of
// flows that begin later. A flood costs the rest of the flood and does not
// hide what comes after it. What was left out is counted and told in the file.
// Memory does not grow with the traffic beyond a table of recent flows.
package capture
