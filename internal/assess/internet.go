package assess

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/network/capture"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/egress"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// internet is the made-up one around the sandboxes of a run: its names, who
// answers behind them, and what is looked for in what is said to it.
type internet struct {
	book      *names.Directory
	authority *authority.Authority
	// host answers the server, store an installation, which is to find no
	// files to download.
	host, store *host.Host
	out         *egress.Egress // nil: nothing leaves
	spool       *capture.Spool
	// marks are what is planted, in this run and in that of the installation.
	marks []leak.Mark
	// told says what the flows of the capture are about.
	told *flowNotes
}

func newInternet(opts *Options, home *decoys.Home, dir string) (*internet, error) {
	told := newTyped(opts.Seed)
	n := &internet{
		book: names.New(opts.Seed, map[string]netip.Addr{
			install.GatewayHost: netip.MustParseAddr(mcpsf.NetGateway4),
		}, true),
		marks: append(planted(home), told.marks()...), told: &flowNotes{},
	}
	var err error
	if n.authority, err = newAuthority(opts.Seed, opts.Now()); err != nil {
		return nil, err
	}
	if n.spool, err = capture.NewSpool(dir, capture.Options{Link: capture.RawIP, Now: opts.Now}); err != nil {
		return nil, err
	}
	world := attack.New(opts.Seed) // its names do not depend on where it attacks
	n.book.Steer(world.Resolve)
	n.host, n.store = n.hosts(opts, home, world, opts.Now)
	n.out = newEgress(n, opts)
	return n, nil
}

// hosts are who answers the server and an installation, by the given clock.
func (n *internet) hosts(opts *Options, home *decoys.Home, world *attack.World, now func() time.Time) (server, installation *host.Host) {
	m := home.Machine()
	options := host.Options{
		Authority: n.authority, Seed: opts.Seed, Now: now, KeyLog: n.spool.KeyLog(),
		Metadata: services.Metadata{
			AWSKeyID: m.AWSKeyID, AWSSecret: m.AWSSecret, AWSToken: m.AWSToken, GCPToken: m.GCPToken, AzureToken: m.AzureToken,
		},
		Resolve: n.resolve, Location: world.Location, Logger: opts.Logger,
	}
	server = host.New(&options)
	options.Install = true
	return server, host.New(&options)
}

func newAuthority(seed uint64, now time.Time) (*authority.Authority, error) {
	var bytes [32]byte
	binary.LittleEndian.PutUint64(bytes[:], seed)
	a, err := authority.New(rand.NewChaCha8(bytes), now)
	if err != nil {
		return nil, fmt.Errorf("making the certificate authority: %w", err)
	}
	return a, nil
}

func (n *internet) close() { _ = n.spool.Close() }

// remember adds what was planted in an earlier run.
func (n *internet) remember(marks []leak.Mark) {
	known := map[string]bool{}
	for _, m := range n.marks {
		for _, t := range m.Tokens {
			known[t] = true
		}
	}
	for _, m := range marks {
		m.Tokens = slices.DeleteFunc(m.Tokens, func(t string) bool { return known[t] })
		if len(m.Tokens) > 0 {
			n.marks = append(n.marks, m)
		}
	}
}

// finder looks for what is planted, and for what the server is started with.
func (n *internet) finder(configured []leak.Mark) (*leak.Finder, error) {
	return leak.New(append(slices.Clone(n.marks), configured...))
}

// resolve answers those who ask over HTTPS or TLS.
func (n *internet) resolve(name, kind string) []dnsmessage.Resource {
	asked, err := dnsmessage.NewName(strings.TrimSuffix(name, ".") + ".")
	if err != nil || !n.book.Exists(name) {
		return nil
	}
	kinds := map[string]dnsmessage.Type{
		"A": dnsmessage.TypeA, "AAAA": dnsmessage.TypeAAAA, "TXT": dnsmessage.TypeTXT, "MX": dnsmessage.TypeMX,
		"NS": dnsmessage.TypeNS, "SRV": dnsmessage.TypeSRV, "PTR": dnsmessage.TypePTR,
	}
	return append([]dnsmessage.Resource{}, n.book.Resources(asked, kinds[kind])...)
}

// connect puts the server's sandbox on the network, if it is to have one.
// Close ends it.
func (n *internet) connect(ctx context.Context, running *box.Box, mon *monitor.Monitor, finder *leak.Finder, clock *boxTime) (*fakenet.Network, error) {
	if running.Link() == nil {
		return nil, nil
	}
	front, known := n.answering()
	return n.attach(ctx, running, &watcher{n: n, mon: mon, finder: finder, host: n.host, now: clock.nanos}, &fakenet.Options{Host: front, Real: known})
}

// connectInstaller does the same for an installation, which reaches its
// gateway under a name and nothing real beside it.
func (n *internet) connectInstaller(ctx context.Context, running *box.Box, mon *monitor.Monitor, finder *leak.Finder, gateway string) (*fakenet.Network, error) {
	return n.attach(ctx, running, &watcher{n: n, mon: mon, finder: finder, host: n.store, now: nanotime}, &fakenet.Options{Host: n.store, Serve: []string{gateway}})
}

func (n *internet) attach(ctx context.Context, running *box.Box, w *watcher, o *fakenet.Options) (*fakenet.Network, error) {
	w.flows = map[fakenet.Flow]*leak.Flow{}
	o.Names, o.Frame, o.Refused = n.book, n.spool.Frame, func(fakenet.Flow) {}
	o.Lookup, o.Told, o.Sent, o.Ended = w.lookup, w.told, w.sent, w.ended
	return fakenet.New(ctx, running.Link(), o)
}

// watcher tells the monitor what happens on the network of one sandbox.
type watcher struct {
	n      *internet
	mon    *monitor.Monitor
	finder *leak.Finder
	host   *host.Host
	// now is the sandbox's clock.
	now func() int64

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
	w.n.told.add(f, e)
	w.mon.Traffic(w.now(), flowOf(f), e)
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

// destination names where a flow leads.
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
	w.asked(f, l.Name, l.Type, l.Found)
}

// asked tells of a question for a name, and looks for what the name carries.
func (w *watcher) asked(f fakenet.Flow, name, kind string, found bool) {
	d := &mcpsf.NetDetail{Family: "dns", Name: name, Type: kind, Address: f.To.Addr().String(), Port: int(f.To.Port())}
	if !found {
		d.Error = "no such name"
	}
	w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetDNS, Net: d})
	w.leaks(f, w.finder.Piece(mcpsf.ChannelDNS, names.Registered(name), "name", []byte(name), 0))
	if hit := w.host.Reported(name); hit != nil {
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindExecProof, ExecProof: hit})
	}
}

func (w *watcher) told(f fakenet.Flow, o host.Observation) {
	switch {
	case o.TLS != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetTLS, TLS: o.TLS})
	case o.HTTP != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetHTTP, HTTP: o.HTTP})
	case o.SMTP != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetSMTP, SMTP: o.SMTP})
	case o.Query != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindNetQuery, Query: o.Query})
	case o.ExecProof != nil:
		w.tell(f, &mcpsf.Event{Kind: mcpsf.KindExecProof, ExecProof: o.ExecProof})
	case o.Lookup != nil:
		w.asked(f, o.Lookup.Name, o.Lookup.Type, o.Lookup.Found)
	}
}

func (w *watcher) sent(f fakenet.Flow, part string, p []byte) {
	w.mu.Lock()
	fl := w.flows[f]
	if fl == nil {
		fl = w.finder.Flow(channel(f, part), destination(f))
		w.flows[f] = fl
	}
	w.mu.Unlock()
	w.leaks(f, fl.Write(part, p))
}

// channel says by which way something left.
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
	if fl != nil {
		w.leaks(e.Flow, fl.Close())
	}
	w.tell(e.Flow, &mcpsf.Event{Kind: mcpsf.KindNetFlow, Flow: &mcpsf.FlowDetail{
		Protocol: e.Protocol, Service: e.Service, Sent: e.Sent, Received: e.Received,
		Seconds: e.Ended.Sub(e.Began).Seconds(), First: printable(e.First), Cut: e.Cut,
		Reached: reached(e.Reached), Failed: e.Failed,
	}})
}

// printable shows bytes of no known protocol.
func printable(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return '.'
		}
		return r
	}, strings.ToValidUTF8(string(b), "."))
}
