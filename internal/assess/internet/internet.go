// Package internet is the network around the sandboxes of one run: name
// resolution, the fake hosts or, with --network allow, the relay to real ones,
// the certificate authority, and the capture. It reports to the monitor what is
// sent, and which canaries it contains.
package internet

import (
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/assess/planted"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/network/capture"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/egress"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/kubernetes"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/sandbox/fakeprograms"
)

// Internet is the network of one run.
type Internet struct {
	names     *names.Directory
	authority *authority.Authority
	// host answers the server; installHost answers an installation and offers no
	// files to download.
	host, installHost *host.Host
	out               *egress.Egress // nil: nothing leaves
	spool             *capture.Spool
	// marks are the canaries of this run and of the installation's run.
	marks []leak.Mark
	// notes describe the flows of the capture.
	notes   *flowNotes
	options *Options
}

// Options of the network of a run.
type Options struct {
	Mode   Mode
	Seed   uint64
	Home   *decoys.Home
	Dir    string // for the capture during the run
	Now    func() time.Time
	Logger *slog.Logger
	// Expected is what answers have to contain, nil if nothing is known.
	Expected *shape.Expectations
}

// New makes the network of a run.
func New(o *Options) (*Internet, error) {
	answers := planted.NewAnswers(o.Seed)
	n := &Internet{
		names: names.New(o.Seed, map[string]netip.Addr{
			install.GatewayHost: netip.MustParseAddr(mcpsf.NetGateway4),
		}, true),
		marks: append(planted.Home(o.Home), answers.Marks()...), notes: &flowNotes{}, options: o,
	}
	var err error
	if n.authority, err = newAuthority(o.Seed, o.Now()); err != nil {
		return nil, err
	}
	if n.spool, err = capture.NewSpool(o.Dir, capture.Options{Link: capture.RawIP, Now: o.Now}); err != nil {
		return nil, err
	}
	world := attack.New(o.Seed) // the names do not depend on the attacked directory
	n.names.Steer(world.Resolve)
	if err := n.populate(world, o.Now); err != nil {
		return nil, err
	}
	return n, nil
}

// Later returns the same network at a later date, with certificates that are
// valid then. It is closed with the first.
func (n *Internet) Later(by time.Duration) (*Internet, error) {
	later := &Internet{names: n.names, spool: n.spool, marks: n.marks, notes: n.notes, options: n.options}
	then := func() time.Time { return n.options.Now().Add(by) }
	var err error
	if later.authority, err = newAuthority(n.options.Seed, then()); err != nil {
		return nil, fmt.Errorf("at a later date: %w", err)
	}
	if err := later.populate(attack.New(n.options.Seed), then); err != nil {
		return nil, fmt.Errorf("at a later date: %w", err)
	}
	return later, nil
}

// WithHome returns the same network around another decoy home: its secrets are
// those that are searched for. It is closed with the first.
func (n *Internet) WithHome(home *decoys.Home) *Internet {
	other := *n
	answers := planted.NewAnswers(n.options.Seed)
	other.marks = append(planted.Home(home), answers.Marks()...)
	return &other
}

// populate makes the hosts that answer the server and an installation, with the given clock.
func (n *Internet) populate(world *attack.World, now func() time.Time) error {
	m := n.options.Home.Machine()
	cluster, err := newCluster(n.options, now)
	if err != nil {
		return err
	}
	options := host.Options{
		Authority: n.authority, Seed: n.options.Seed, Now: now, KeyLog: n.spool.KeyLog(),
		Metadata: services.Metadata{
			AWSKeyID: m.AWSKeyID, AWSSecret: m.AWSSecret, AWSToken: m.AWSToken, GCPToken: m.GCPToken, AzureToken: m.AzureToken,
		},
		Cluster: cluster, Resolve: n.resolve, Location: world.Location, Logger: n.options.Logger, Expected: n.options.Expected,
	}
	n.host = host.New(&options)
	options.Install = true
	n.installHost = host.New(&options)
	n.out = newEgress(n)
	return nil
}

// newCluster makes the cluster that the planted kubeconfig leads to: what is in it is
// what the fake kubectl shows.
func newCluster(o *Options, now func() time.Time) (*kubernetes.Cluster, error) {
	list, err := fakeprograms.Cluster(o.Seed, now(), o.Home)
	if err != nil {
		return nil, err
	}
	var kinds []kubernetes.Kind
	for _, from := range list {
		kind := kubernetes.Kind{Plural: from.Plural, Header: from.Header}
		for _, it := range from.Items {
			kind.Items = append(kind.Items, kubernetes.Item(it))
		}
		kinds = append(kinds, kind)
	}
	return kubernetes.New(o.Seed, now, kinds), nil
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

// Close ends the capture.
func (n *Internet) Close() { _ = n.spool.Close() }

// Gaps says what cannot be known of a server because of what the made-up hosts answered.
// It takes the tools that the server lists.
func (n *Internet) Gaps(tools []mcpsf.Tool) []mcpsf.Gap {
	var listed []string
	for i := range tools {
		listed = append(listed, tools[i].Name)
	}
	if n.host.GaveTools(listed) {
		return []mcpsf.Gap{gap.New(gap.MadeUpTools, 0, 0)}
	}
	return nil
}

// Roots returns the certificates that the sandbox must trust, as PEM.
func (n *Internet) Roots() []byte { return n.authority.PEM() }

// Silent returns the ports at localhost whose clients were not understood.
func (n *Internet) Silent() []uint16 { return n.host.Silent() }

// NameOf returns the name that resolved to an address.
func (n *Internet) NameOf(a netip.Addr) string { return n.names.Name(a) }

// Remember adds the canaries of an earlier run.
func (n *Internet) Remember(marks []leak.Mark) {
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

// Finder returns a finder for canaries and for configured values.
func (n *Internet) Finder(configured []leak.Mark) (*leak.Finder, error) {
	return leak.New(append(slices.Clone(n.marks), configured...))
}

// resolve answers DNS queries over HTTPS or TLS.
func (n *Internet) resolve(name, kind string) []dnsmessage.Resource {
	asked, err := dnsmessage.NewName(strings.TrimSuffix(name, ".") + ".")
	if err != nil || !n.names.Exists(name) {
		return nil
	}
	kinds := map[string]dnsmessage.Type{
		"A": dnsmessage.TypeA, "AAAA": dnsmessage.TypeAAAA, "TXT": dnsmessage.TypeTXT, "MX": dnsmessage.TypeMX,
		"NS": dnsmessage.TypeNS, "SRV": dnsmessage.TypeSRV, "PTR": dnsmessage.TypePTR,
	}
	return append([]dnsmessage.Resource{}, n.names.Resources(asked, kinds[kind])...)
}
