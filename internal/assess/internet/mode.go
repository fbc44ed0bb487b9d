package internet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/egress"
)

// Mode is what the server's network connects to. The zero value is the fake
// Internet, which nothing leaves.
type Mode struct {
	kind  modeKind
	allow egress.List
	// untouched is set if TLS with real hosts is relayed without interception.
	untouched bool
}

type modeKind int

const (
	modeSinkhole modeKind = iota
	modeNone
	modeAllow
)

// ParseMode reads the flags --network and --no-tls-intercept.
func ParseMode(text string, intercept bool) (Mode, error) {
	m := Mode{untouched: !intercept}
	kind, list, listed := strings.Cut(text, "=")
	switch {
	case kind == "allow" && listed:
		m.kind = modeAllow
		var err error
		if m.allow, err = egress.ParseList(strings.Split(list, ",")); err != nil {
			return Mode{}, fmt.Errorf("--network allow: %w", err)
		}
	case text == "allow":
		m.kind = modeAllow
	case text == "sinkhole":
	case text == "none":
		m.kind = modeNone
	default:
		return Mode{}, fmt.Errorf("--network is sinkhole, none, allow or allow=HOST,..., not %q", text)
	}
	if m.untouched && m.kind != modeAllow {
		return Mode{}, errors.New("--no-tls-intercept goes with --network allow; no other mode has TLS with real hosts")
	}
	return m, nil
}

// RealTime tells whether the sandbox's clock must run in real time, because real
// hosts need real time to answer.
func (m Mode) RealTime() bool { return m.kind == modeAllow }

// String names the network for a report.
func (m Mode) String() string {
	text := [...]string{modeSinkhole: "sinkhole", modeNone: "none", modeAllow: "allow"}[m.kind]
	if hosts := m.allow.String(); hosts != "" {
		text += "=" + hosts
	}
	if m.untouched {
		text += ", TLS not opened"
	}
	return text
}

// Warning is what a user should know before the server starts, "" if nothing.
func (m Mode) Warning() string {
	if m.kind != modeAllow {
		return ""
	}
	whom := cmp.Or(m.allow.String(), "every public host")
	return "the server can really reach " + whom + ": what it steals (of the planted secrets only) really leaves,\n" +
		"and what it does to others really happens. Give it accounts made for testing, never your own."
}

// Connected says whether the sandbox has a network at all.
func (m Mode) Connected() bool { return m.kind != modeNone }

// ServesLocalhost says whether services at localhost are made up, as other hosts are.
func (m Mode) ServesLocalhost() bool {
	return m.kind == modeSinkhole || m.kind == modeAllow && m.allow.String() != ""
}

// Gaps says what cannot be observed in that mode.
func (m Mode) Gaps() []mcpsf.Gap {
	switch m.kind {
	case modeNone:
		return []mcpsf.Gap{gap.Detailed(gap.NoNetwork, "the network: the sandbox had none, so what the server would send or fetch was not seen")}
	case modeAllow:
		list := []mcpsf.Gap{gap.Detailed(gap.TLSNotOpened, "what real hosts were told after a connection changed to TLS in its middle (STARTTLS)")}
		if m.untouched {
			list[0] = gap.Detailed(gap.TLSNotOpened, "what was said to real hosts inside TLS: it was not opened, only whom it was for was seen")
		}
		if m.allow.String() != "" {
			list = append(list, gap.Detailed(gap.FakeHosts, "what hosts would have answered that were not allowed: those were made up"))
		}
		return list
	}
	return []mcpsf.Gap{gap.New(gap.FakeHosts, 0, 0)}
}

// answering returns the host that answers on the server's network, and the
// resolver of real names.
func (n *Internet) answering() (fakenet.Host, func(context.Context, string) (exists, decided bool)) {
	if n.out == nil {
		return n.host, nil
	}
	return n.out, n.out.Real
}

func newEgress(n *Internet) *egress.Egress {
	if n.options.Mode.kind != modeAllow {
		return nil
	}
	return egress.New(n.host, &egress.Options{
		Allow: n.options.Mode.allow, Untouched: n.options.Mode.untouched, Logger: n.options.Logger,
	})
}

// reached is the real address of a flow, "" if there is none.
func reached(at netip.AddrPort) string {
	if !at.IsValid() {
		return ""
	}
	return at.String()
}
