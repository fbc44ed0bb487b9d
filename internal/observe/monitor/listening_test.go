package monitor

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Connections that found nobody at localhost are remembered, those that were only begun
// too; connections elsewhere, datagrams and other failures are not.
func TestRefusedLocally(t *testing.T) {
	s := newScript(t, &Options{})
	records := []wire.Record{
		{Addr: "127.0.0.1", Port: 9200, Errno: 111, SockType: sockStream},
		{Addr: "::1", Port: 7700, Errno: 115, SockType: sockStream},
		{Addr: "::ffff:127.0.0.1", Port: 5432, Errno: 111, SockType: sockStream | 0o4000},
		{Addr: "127.0.0.1", Port: 80, SockType: sockStream},
		{Addr: "127.0.0.2", Port: 81, Errno: 111, SockType: sockStream},
		{Addr: "192.168.1.40", Port: 82, Errno: 111, SockType: sockStream},
		{Addr: "127.0.0.1", Port: 83, Errno: 111, SockType: sockDgram},
		{Addr: "127.0.0.1", Port: 84, Errno: 13, SockType: sockStream},
		{Addr: "nonsense", Port: 85, Errno: 111, SockType: sockStream},
		{Op: wire.OpListen, Addr: "127.0.0.1", Port: 86, Errno: 111, SockType: sockStream},
	}
	for i := range records {
		r := &records[i]
		if r.Op == 0 {
			r.Op = wire.OpConnect
		}
		r.Seq, r.PID, r.Family = uint64(i+1), 1, afInet
		if err := s.m.Record(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.m.RefusedLocally(); !slices.Equal(got, []uint16{9200, 7700, 5432}) {
		t.Errorf("refused were %v", got)
	}
	s.m.Close()
}
