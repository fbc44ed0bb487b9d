package monitor

import (
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// The kernel's numbers of address families and socket types.
const (
	afUnix  = 1
	afInet  = 2
	afInet6 = 10

	sockTypeMask  = 0xf
	sockStream    = 1
	sockDgram     = 2
	sockRaw       = 3
	sockSeqpacket = 5
)

// network reports connections and the traffic that the fake network saw on
// them.
type network struct {
	attr  *attribution
	log   *eventLog
	folds *folds
	// names returns the name that resolved to an address; nil knows none.
	names     func(netip.Addr) string
	flows     flows
	listening []netip.AddrPort
	refused   []uint16
}

// record reports a connection, a listener or a datagram. Repetitions are
// folded; different addresses never are.
func (n *network) record(o *origin, r *wire.Record) {
	kind := mcpsf.KindNetConnect
	if r.Op == wire.OpListen {
		kind = mcpsf.KindNetListen
		n.listens(r)
	}
	n.finds(r)
	d := &mcpsf.NetDetail{
		Family:  familyName(r.Family),
		Type:    socketType(r.SockType),
		Address: clean(r.Addr),
		Port:    int(r.Port),
		Error:   errnoName(r.Errno),
	}
	if r.Op == wire.OpSend {
		d.Type = "dgram"
	}
	if name, abstract := strings.CutPrefix(d.Address, "\x00"); abstract {
		d.Address = "@" + name
	}
	if kind == mcpsf.KindNetConnect {
		d.Name = n.nameOf(r.Addr)
		o = n.connectOrigin(o, r, d.Name)
	}
	key := keyOf(o, kind)
	key.path, key.flags, key.to = d.Address, d.Family, d.Type
	key.number, key.err = uint32(r.Port), d.Error
	seq := n.folds.fold(key, 0, func() mcpsf.Event {
		e := n.log.base(o, kind)
		e.Net = d
		return e
	})
	if r.Op != wire.OpListen {
		n.noteUse(o, r, seq)
	}
}

// nameOf returns the name that resolved to an address.
func (n *network) nameOf(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || n.names == nil {
		return ""
	}
	return clean(n.names(a.Unmap()))
}

// remote returns the peer of the connection that is a program's standard input
// or output.
func (n *network) remote(r *wire.Record) string {
	a, err := netip.ParseAddr(r.Addr)
	if err != nil {
		return ""
	}
	host := n.nameOf(r.Addr)
	if host == "" {
		host = a.WithZone("").Unmap().String()
	}
	return net.JoinHostPort(host, strconv.Itoa(int(r.Port)))
}

func familyName(n uint16) string {
	switch n {
	case afUnix:
		return "unix"
	case afInet:
		return "ip4"
	case afInet6:
		return "ip6"
	default:
		return strconv.Itoa(int(n))
	}
}

func socketType(n uint16) string {
	switch n & sockTypeMask {
	case 0:
		return ""
	case sockStream:
		return "stream"
	case sockDgram:
		return "dgram"
	case sockRaw:
		return "raw"
	case sockSeqpacket:
		return "seqpacket"
	default:
		return strconv.Itoa(int(n & sockTypeMask))
	}
}
