//go:build linux

package wire

import (
	"net/netip"
	"testing"
)

// The kernel's side sees the ports that are served, and only an address that begins with
// the secret leads back to a connection.
func TestLocal(t *testing.T) {
	w, r := newPair(t)
	if w.Carrier().Valid() || w.ServesLocal(0) || w.ServesLocal(80) {
		t.Error("something is served before anything was set")
	}
	c := NewCarrier([8]byte{1, 2, 3, 4, 5, 6, 7, 8})
	r.Carry(c)
	r.ServeLocal([]uint16{9200, 1, 2, 3, 4, 5, 6, 7, 8})
	if w.Carrier() != c || !w.ServesLocal(9200) || !w.ServesLocal(7) || w.ServesLocal(8) || w.ServesLocal(0) {
		t.Error("the kernel sees other ports")
	}
	if r.ServeLocal([]uint16{3}); w.ServesLocal(9200) || !w.ServesLocal(3) {
		t.Error("a port that is not served any more still is")
	}
	for _, ends := range [][2]string{{"127.0.0.1:40000", "127.0.0.1:9200"}, {"[::1]:65535", "[::1]:1"}} {
		from, to := netip.MustParseAddrPort(ends[0]), netip.MustParseAddrPort(ends[1])
		at := c.At(from, to)
		if gotFrom, gotTo, ok := c.Ends(at); !ok || gotFrom != from || gotTo != to || !at.Addr().IsPrivate() {
			t.Errorf("%s to %s is carried to %s, and back is %s to %s", from, to, at, gotFrom, gotTo)
		}
		if _, _, ok := NewCarrier([8]byte{}).Ends(at); ok {
			t.Error("a carrier read an address of another")
		}
	}
	if _, _, ok := (Carrier{}).Ends(netip.MustParseAddrPort("[::]:9200")); ok {
		t.Error("without a secret something is carried")
	}
	for text, want := range map[string]bool{"127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true, "127.0.0.2": false, "10.0.0.1": false} {
		if IsMachine(netip.MustParseAddr(text)) != want {
			t.Errorf("%s is the machine: %v", text, !want)
		}
	}
}
