package fakenet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"net"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/transport/udp"
	"gvisor.dev/gvisor/pkg/waiter"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
)

// no gap: exceeding it ends the connection, which is an event
const (
	ntpPort  = 123
	quicPort = 443
	// datagramPatience is how long a silent exchange of datagrams is kept open.
	datagramPatience = time.Second
	// maxFirst is how many bytes of an unknown protocol are kept.
	maxFirst = 512
)

// udp handles the first datagram between two sockets. If it returns false, the
// sandbox gets the answer of a closed port.
func (s *Network) udp(ctx context.Context, r *udp.ForwarderRequest) bool {
	f := s.flow("udp", r.ID())
	if f.To.Port() != dnsPort && s.opts.Host == nil {
		s.opts.Refused(f)
		return false
	}
	var queue waiter.Queue
	ep, err := r.CreateEndpoint(&queue)
	if err != nil {
		return false
	}
	conn := s.conns.open(gonet.NewUDPConn(&queue, ep), ep)
	converse := func() { s.datagrams(conn, f) }
	if f.To.Port() == dnsPort {
		converse = func() { s.dnsDatagrams(ctx, conn, f) }
	}
	if !s.handle(ctx, conn, converse) {
		s.overheard(ep, f)
		_ = conn.Close()
	}
	return true
}

// overheard reports the datagram of an exchange for which there is no slot, so
// that the target cannot hide one behind many others.
func (s *Network) overheard(ep tcpip.Endpoint, f Flow) {
	var first bytes.Buffer
	if _, err := ep.Read(&first, tcpip.ReadOptions{}); err != nil {
		return
	}
	if f.To.Port() == dnsPort {
		_ = s.reply(first.Bytes(), maxDatagram, f)
		return
	}
	s.sent(f, "", first.Bytes())
}

// datagrams reads what is sent to an unknown port, and answers protocols whose
// clients wait for an answer. QUIC gets none, so that its clients fall back to
// TCP.
func (s *Network) datagrams(conn net.Conn, f Flow) {
	end, sum := End{Flow: f, Began: time.Now()}, sha256.New()
	packet := make([]byte, maxDatagram)
	for {
		_ = conn.SetReadDeadline(time.Now().Add(datagramPatience))
		n, err := conn.Read(packet)
		if err != nil {
			break
		}
		end.Sent += int64(n)
		_, _ = sum.Write(packet[:n]) // a hash never fails
		end.First = append(end.First, packet[:min(n, maxFirst-len(end.First))]...)
		s.sent(f, "", packet[:n])
		var answer []byte
		switch f.To.Port() {
		case ntpPort:
			end.Service, answer = "ntp", ntpAnswer(packet[:n], time.Now())
		case quicPort:
			end.Service = "quic"
		}
		if m, err := conn.Write(answer); err == nil && answer != nil {
			end.Received += int64(m)
		}
	}
	end.Digest = host.Digest(sum)
	s.ended(&end)
}

// ntpAnswer is an NTP answer with the time now.
func ntpAnswer(query []byte, now time.Time) []byte {
	const size, modeMask, client = 48, 7, 3
	if len(query) < size || query[0]&modeMask != client {
		return nil
	}
	const epoch = 2208988800 // seconds from 1900 to 1970
	stamp := func(t time.Time) uint64 {
		return uint64(t.Unix()+epoch)<<32 | uint64(t.Nanosecond())<<32/1e9
	}
	answer := make([]byte, size)
	answer[0] = query[0]&0x38 | 4 // the client's version, server mode
	answer[1], answer[2], answer[3] = 2, query[2], 0xe9
	copy(answer[12:16], []byte{17, 253, 2, 125})
	binary.BigEndian.PutUint64(answer[16:], stamp(now.Add(-7*time.Minute)))
	copy(answer[24:32], query[40:48])
	binary.BigEndian.PutUint64(answer[32:], stamp(now))
	binary.BigEndian.PutUint64(answer[40:], stamp(now))
	return answer
}
