package internet

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// Observer receives what happens on the network of one sandbox.
type Observer struct {
	Monitor *monitor.Monitor
	Finder  *leak.Finder
	// Now is the sandbox's clock.
	Now func() int64
}

// Connect connects the server's sandbox to the network, if it is to have one.
// Close ends it.
func (n *Internet) Connect(ctx context.Context, running *box.Box, o Observer) (*fakenet.Network, error) {
	if running.Link() == nil {
		return nil, nil
	}
	front, known := n.answering()
	return n.attach(ctx, running, &watcher{n: n, Observer: o, host: n.host}, &fakenet.Options{Host: front, Real: known})
}

// ConnectInstaller is Connect for an installation, which reaches its gateway
// under a name and nothing real besides.
func (n *Internet) ConnectInstaller(ctx context.Context, running *box.Box, o Observer, gateway string) (*fakenet.Network, error) {
	return n.attach(ctx, running, &watcher{n: n, Observer: o, host: n.installHost}, &fakenet.Options{Host: n.installHost, Serve: []string{gateway}})
}

func (n *Internet) attach(ctx context.Context, running *box.Box, w *watcher, o *fakenet.Options) (*fakenet.Network, error) {
	w.flows = map[fakenet.Flow]*leak.Flow{}
	o.Names, o.Frame, o.Refused = n.names, n.spool.Frame, func(fakenet.Flow) {}
	o.Local, o.LocalHost = running.Carrier().Ends, w.host
	o.Lookup, o.Told, o.Sent, o.Ended = w.lookup, w.observed, w.sent, w.ended
	return fakenet.New(ctx, running.Link(), o)
}

// watcher reports to the monitor what happens on the network of one sandbox.
type watcher struct {
	Observer
	n    *Internet
	host *host.Host

	mu    sync.Mutex
	flows map[fakenet.Flow]*leak.Flow
}

func flowOf(f fakenet.Flow) monitor.Flow {
	return monitor.Flow{Datagram: f.Protocol == "udp", Local: f.From.Port(), Remote: f.To}
}

func (w *watcher) tell(f fakenet.Flow, e *mcpsf.Event) {
	if e.Net == nil {
		e.Net = netOf(f)
	}
	w.n.notes.add(f, e)
	w.Monitor.Traffic(w.Now(), flowOf(f), e)
}

func (w *watcher) leaks(f fakenet.Flow, list []mcpsf.LeakDetail) {
	for i := range list {
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindCanaryLeak, Leak: &list[i]})
	}
}

func netOf(f fakenet.Flow) *mcpsf.NetDetail {
	d := &mcpsf.NetDetail{
		Family: "ip4", Type: "stream", Name: f.Name, Address: f.To.Addr().String(), Port: int(f.To.Port()), Local: int(f.From.Port()),
	}
	if f.To.Addr().Is6() {
		d.Family = "ip6"
	}
	if f.Protocol == "udp" {
		d.Type = "dgram"
	}
	return d
}

// destination names the destination of a flow.
func destination(f fakenet.Flow) string {
	if f.Name == "" {
		return f.To.String()
	}
	return fmt.Sprintf("%s:%d", f.Name, f.To.Port())
}

func (w *watcher) lookup(l fakenet.Lookup) {
	if l.Found && l.Name == install.GatewayHost {
		return
	}
	f := fakenet.Flow{Protocol: "udp", From: l.From, To: l.Server}
	if l.Stream {
		f.Protocol = "tcp"
	}
	w.asked(f, l.Name, l.Type, l.Found, l.Rest)
}

// asked records a DNS query, and searches it for canaries: the name, and the rest
// that goes to the resolver.
func (w *watcher) asked(f fakenet.Flow, name, kind string, found bool, rest []byte) {
	d := &mcpsf.NetDetail{Family: "dns", Name: name, Type: kind, Address: f.To.Addr().String(), Port: int(f.To.Port())}
	if !found {
		d.Error = "no such name"
	}
	if len(rest) > 0 {
		sum := sha256.New()
		_, _ = sum.Write(rest) // a hash never fails
		d.Digest = host.Digest(sum)
	}
	domain := names.Registered(name)
	own := strings.TrimSuffix(strings.TrimSuffix(name, domain), ".")
	w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetDNS, Net: d, Opaque: w.Finder.Opaque(domain, "name", []byte(own))})
	w.leaks(f, w.Finder.Piece(mcpsf.ChannelDNS, names.Registered(name), "name", []byte(name), 0))
	w.leaks(f, w.Finder.Piece(mcpsf.ChannelDNS, destination(f), "further records", rest, 0))
	if hit := w.host.Reported(name); hit != nil {
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindExecProof, ExecProof: hit})
	}
}

func (w *watcher) observed(f fakenet.Flow, o host.Observation) {
	switch {
	case o.TLS != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetTLS, TLS: o.TLS})
	case o.HTTP != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetHTTP, HTTP: o.HTTP, Opaque: w.opaque(f)})
		w.Finder.Heard(o.Answer)
	case o.SMTP != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetSMTP, SMTP: o.SMTP, Opaque: w.opaque(f)})
	case o.Query != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetQuery, Query: o.Query})
	case o.ExecProof != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindExecProof, ExecProof: o.ExecProof})
	case o.Lookup != nil:
		w.asked(f, o.Lookup.Name, o.Lookup.Type, o.Lookup.Found, nil)
	}
}

func (w *watcher) sent(f fakenet.Flow, part string, p []byte) {
	w.mu.Lock()
	fl := w.flows[f]
	if fl == nil {
		fl = w.Finder.Flow(channel(f, part), destination(f), domain(f))
		w.flows[f] = fl
	}
	w.mu.Unlock()
	w.leaks(f, fl.Write(part, p))
}

// opaque measures what was sent on a flow since it was last asked.
func (w *watcher) opaque(f fakenet.Flow) *mcpsf.OpaqueDetail {
	w.mu.Lock()
	fl := w.flows[f]
	w.mu.Unlock()
	if fl == nil {
		return nil
	}
	return fl.Opaque()
}

// domain returns who owns the destination of a flow.
func domain(f fakenet.Flow) string {
	if f.Name == "" {
		return f.To.Addr().String()
	}
	return names.Registered(f.Name)
}

// channel names the channel by which data left.
func channel(f fakenet.Flow, part string) string {
	switch {
	case part == "mail":
		return mcpsf.ChannelSMTP
	case part == "url" || part == "body" || strings.HasPrefix(part, "header "):
		return mcpsf.ChannelHTTP
	case f.Protocol == "udp":
		return mcpsf.ChannelPacket
	}
	return mcpsf.ChannelStream
}

func (w *watcher) ended(e fakenet.End) {
	w.mu.Lock()
	fl := w.flows[e.Flow]
	delete(w.flows, e.Flow)
	w.mu.Unlock()
	var rest *mcpsf.OpaqueDetail
	if fl != nil {
		w.leaks(e.Flow, fl.Close())
		rest = fl.Opaque()
	}
	w.tell(e.Flow, &mcpsf.Event{Kind: mcpsf.KindNetFlow, Opaque: rest, Flow: &mcpsf.FlowDetail{
		Protocol: e.Protocol, Service: e.Service, Sent: e.Sent, Received: e.Received,
		Seconds: e.Ended.Sub(e.Began).Seconds(), First: printable(e.First), Cut: e.Cut, Unread: e.Unread, Digest: e.Digest,
		Reached: reached(e.Reached), Failed: e.Failed,
	}})
}

// printable shows the first bytes of an unknown protocol, without anything
// that a terminal or a reader could be misled by.
func printable(b []byte) string {
	return strings.Map(func(r rune) rune {
		if safetext.Hidden(r) || r == utf8.RuneError {
			return '.'
		}
		return r
	}, strings.ToValidUTF8(string(b), "."))
}
