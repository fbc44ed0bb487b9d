package box

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/control/client"
	"gvisor.dev/gvisor/runsc/boot"
	"gvisor.dev/gvisor/runsc/config"
	"gvisor.dev/gvisor/runsc/container"

	"github.com/mcpsf/mcpsf"
)

// linkName is the name of the sandbox's network interface.
const linkName = "eth0"

// newLink makes the link between the sandbox's network interface and the
// orchestrator: a socket pair on which every message is one Ethernet frame. It
// needs no interface of the host and no rights.
func newLink() (ours, theirs *os.File, err error) {
	const buffer = 4 << 20
	pair, err := packets(buffer)
	if err != nil {
		return nil, nil, fmt.Errorf("making the network link: %w", err)
	}
	return os.NewFile(uintptr(pair[0]), "link"), os.NewFile(uintptr(pair[1]), "link"), nil
}

// packets makes two sockets that preserve message boundaries, with as much
// buffer as the host allows.
func packets(buffer int) (pair [2]int, err error) {
	pair, err = unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	for _, fd := range pair {
		if err == nil {
			_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, buffer)
		}
	}
	return pair, err
}

// connect attaches the link to the sandbox's own network stack, beside the
// loopback interface. gVisor would do so by itself only for interfaces of a
// network namespace.
func connect(box *container.Container) error {
	conn, err := client.ConnectTo(box.Sandbox.GetControlSocketPath())
	if err != nil {
		return fmt.Errorf("connecting the network: %w", err)
	}
	defer conn.Close()
	args := linkArgs()
	args.Files = []*os.File{os.NewFile(linkFD, "link")}
	if err := conn.Call(boot.ContMgrCreateLinksAndRoutes, args, nil); err != nil {
		return fmt.Errorf("connecting the network: %w", err)
	}
	return nil
}

// withoutSetup returns the configuration for the start once the network is
// connected: gVisor's own set-up would remove the routes again. Only the
// starting side reads it; the kernel was made without the host's network.
func withoutSetup(conf *config.Config) *config.Config {
	changed := *conf
	changed.Network = config.NetworkHost
	return &changed
}

func linkArgs() *boot.CreateLinksAndRoutesArgs {
	const mtu = 1500
	everywhere4 := net.IPNet{IP: net.IPv4zero, Mask: net.CIDRMask(0, 32)}
	everywhere6 := net.IPNet{IP: net.IPv6zero, Mask: net.CIDRMask(0, 128)}
	router4, router6 := net.ParseIP(mcpsf.NetRouter4), net.ParseIP(mcpsf.NetRouter6)
	return &boot.CreateLinksAndRoutesArgs{
		LoopbackLinks: []boot.LoopbackLink{boot.DefaultLoopbackLink},
		FDBasedLinks: []boot.FDBasedLink{{
			Name: linkName, InterfaceIndex: 2, MTU: mtu, NumChannels: 1, ProcessorsPerChannel: 1,
			LinkAddress: net.HardwareAddr{0x3c, 0x52, 0x82, 0x1f, 0x6a, 0x09},
			Addresses: []boot.IPWithPrefix{
				{Address: net.ParseIP(mcpsf.NetAddress4), PrefixLen: mcpsf.NetPrefix4},
				{Address: net.ParseIP(mcpsf.NetAddress6), PrefixLen: mcpsf.NetPrefix6},
			},
			Routes: []boot.Route{
				{Destination: network(mcpsf.NetAddress4, net.CIDRMask(mcpsf.NetPrefix4, 32))},
				{Destination: network(mcpsf.NetAddress6, net.CIDRMask(mcpsf.NetPrefix6, 128))},
			},
		}},
		Defaultv4Gateway: boot.DefaultRoute{Name: linkName, Route: boot.Route{Destination: everywhere4, Gateway: router4}},
		Defaultv6Gateway: boot.DefaultRoute{Name: linkName, Route: boot.Route{Destination: everywhere6, Gateway: router6}},
	}
}

func network(address string, mask net.IPMask) net.IPNet {
	return net.IPNet{IP: net.ParseIP(address).Mask(mask), Mask: mask}
}
