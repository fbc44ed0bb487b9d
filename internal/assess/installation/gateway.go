package installation

import (
	"context"
	"fmt"
	"net/netip"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/gateway"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// gatewayPort is the port of the gateway.
const gatewayPort = 80

// network is what an installation can reach.
type network struct {
	sink    *fakenet.Network
	gateway *gateway.Gateway
	close   func()
}

func (x *Installer) connect(ctx context.Context, running *box.Box, mon *monitor.Monitor, finder *leak.Finder) (*network, error) {
	sink, err := x.Machine.Net.ConnectInstaller(ctx, running, internet.Observer{Monitor: mon, Finder: finder, Now: virtualclock.Nanotime}, install.GatewayHost)
	if err != nil {
		return nil, err
	}
	n := &network{sink: sink}
	n.gateway = gateway.New(&gateway.Options{
		Client: x.Fetcher.Registry, Before: x.Before, Locked: x.locked(), Logger: x.Fetcher.Logger,
		Progress: func(packages int, size int64) {
			x.Fetcher.Progress.Update(fmt.Sprintf("%s, %.1f MB", wording.Count(packages, "package"), float64(size)/(1<<20)))
		},
		Attempt: func(a gateway.Attempt) {
			if a.Refused != "" {
				refused(mon, &a)
			}
		},
	})
	server := n.gateway.Server()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(sink.Listen(install.GatewayHost)) // ends when it is closed
	}()
	n.close = sync.OnceFunc(func() {
		_ = server.Close()
		sink.Close()
		<-served
	})
	return n, nil
}

// locked returns the versions of the author's lock file.
func (x *Installer) locked() map[string]map[string]string {
	if in := x.Artifact.Install; in.Locked && in.Lock != nil {
		return in.Lock.Versions
	}
	return nil
}

// refused records a request that the gateway refused.
func refused(mon *monitor.Monitor, a *gateway.Attempt) {
	from, _ := netip.ParseAddrPort(a.From)
	to := netip.AddrPortFrom(netip.MustParseAddr(mcpsf.NetGateway4), gatewayPort)
	mon.Traffic(virtualclock.Nanotime(), monitor.Flow{Local: from.Port(), Remote: to}, &mcpsf.Event{
		Kind: mcpsf.KindNetHTTP, Net: &mcpsf.NetDetail{Family: "http", Name: a.URL, Type: a.Method, Error: a.Refused},
	})
}
