package assess

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/egress"
)

// Network is what the server's network leads to. The zero value is a made-up
// Internet that nothing leaves.
type Network struct {
	mode  networkMode
	allow egress.List
	// untouched is set if TLS with real hosts is relayed as it is.
	untouched bool
}

type networkMode int

const (
	modeSinkhole networkMode = iota
	modeNone
	modeAllow
)

// ParseNetwork reads the flags --network and --no-tls-intercept.
func ParseNetwork(text string, intercept bool) (Network, error) {
	n := Network{untouched: !intercept}
	mode, list, listed := strings.Cut(text, "=")
	switch {
	case mode == "allow" && listed:
		n.mode = modeAllow
		var err error
		if n.allow, err = egress.ParseList(strings.Split(list, ",")); err != nil {
			return Network{}, fmt.Errorf("--network allow: %w", err)
		}
	case text == "allow":
		n.mode = modeAllow
	case text == "sinkhole":
	case text == "none":
		n.mode = modeNone
	default:
		return Network{}, fmt.Errorf("--network is sinkhole, none, allow or allow=HOST,..., not %q", text)
	}
	if n.untouched && n.mode != modeAllow {
		return Network{}, errors.New("--no-tls-intercept goes with --network allow; no other mode has TLS with real hosts")
	}
	return n, nil
}

// timeIsReal tells whether the sandbox's clock has to go by the world's: real
// hosts take their time.
func (n Network) timeIsReal() bool { return n.mode == modeAllow }

// String is how the network is told in a report.
func (n Network) String() string {
	text := [...]string{modeSinkhole: "sinkhole", modeNone: "none", modeAllow: "allow"}[n.mode]
	if hosts := n.allow.String(); hosts != "" {
		text += "=" + hosts
	}
	if n.untouched {
		text += ", TLS not opened"
	}
	return text
}

// Warning is what a user should know before the server starts, "" if there is
// nothing.
func (n Network) Warning() string {
	if n.mode != modeAllow {
		return ""
	}
	whom := cmp.Or(n.allow.String(), "every public host")
	return "the server can really reach " + whom + ": what it steals (of the planted secrets only) really leaves,\n" +
		"and what it does to others really happens. Give it accounts made for testing, never your own."
}

// connected says whether the sandbox has a network at all.
func (n Network) connected() bool { return n.mode != modeNone }

// blind says what cannot be seen in that mode.
func blind(n Network) []string {
	switch n.mode {
	case modeNone:
		return []string{"the network: the sandbox had none, so what the server would send or fetch was not seen"}
	case modeAllow:
		list := []string{"what real hosts were told after a connection changed to TLS in its middle (STARTTLS)"}
		if n.untouched {
			list[0] = "what was said to real hosts inside TLS: it was not opened, only whom it was for was seen"
		}
		if n.allow.String() != "" {
			list = append(list, "what hosts would have answered that were not allowed: those were made up")
		}
		return list
	}
	return []string{"the real Internet: every host was made up, so what the real ones would have answered is not known"}
}

// answering is who answers on the server's network, and who knows the names
// of the real Internet.
func (n *internet) answering() (fakenet.Host, func(context.Context, string) (exists, decided bool)) {
	if n.out == nil {
		return n.host, nil
	}
	return n.out, n.out.Real
}

func newEgress(n *internet, opts *Options) *egress.Egress {
	if opts.Network.mode != modeAllow {
		return nil
	}
	return egress.New(n.host, &egress.Options{
		Allow: opts.Network.allow, Untouched: opts.Network.untouched, Logger: opts.Logger,
	})
}

// reached is the real address of a flow, "" if there is none.
func reached(at netip.AddrPort) string {
	if !at.IsValid() {
		return ""
	}
	return at.String()
}
