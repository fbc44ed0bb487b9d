//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// apart tells a test process that it runs in its own namespaces.
const apart = "MCPSF_TEST_APART"

// inNamespace runs the rest of a test in a process with its own mounts and its
// own network, which has only loopback. It returns false in the process that
// only waits for it.
func inNamespace(t *testing.T) bool {
	t.Helper()
	sandboxtest.Require(t)
	if os.Getenv(apart) != "" {
		return true
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), apart+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS}
	if uid, gid := os.Getuid(), os.Getgid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN, unix.CAP_NET_RAW, unix.CAP_NET_BIND_SERVICE, unix.CAP_SYS_ADMIN}
	}
	out, err := cmd.CombinedOutput()
	if _, ran := errors.AsType[*exec.ExitError](err); err != nil && !ran {
		sandboxtest.Missing(t, "no namespaces here: "+err.Error())
	}
	text := string(out)
	switch {
	case err == nil && strings.Contains(text, "--- PASS: "+t.Name()):
		t.Logf("in namespaces of its own:\n%s", text)
	case err == nil && strings.Contains(text, "--- SKIP: "+t.Name()):
		t.Skipf("in namespaces of its own:\n%s", text)
	default:
		t.Fatalf("in namespaces of its own: %v\n%s", err, text)
	}
	return false
}

// asMcpsf is a command that runs mcpsf with these arguments.
func asMcpsf(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", args...)
	cmd.Env = append(append(os.Environ(), asProgram+"=1", "TMPDIR="+t.TempDir()), env...)
	return cmd
}

// kernel is a netlink connection.
type kernel struct {
	t  *testing.T
	fd int
}

func openKernel(t *testing.T) *kernel {
	t.Helper()
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return &kernel{t, fd}
}

func attribute(kind uint16, value []byte) []byte {
	b := binary.NativeEndian.AppendUint16(nil, uint16(4+len(value)))
	b = append(binary.NativeEndian.AppendUint16(b, kind), value...)
	return append(b, make([]byte, -len(b)&3)...)
}

func number32(n int) []byte { return binary.NativeEndian.AppendUint32(nil, uint32(n)) }

// ask sends a netlink request and expects success.
func (k *kernel) ask(what string, kind uint16, parts ...[]byte) {
	k.t.Helper()
	message := make([]byte, unix.NLMSG_HDRLEN)
	for _, p := range parts {
		message = append(message, p...)
	}
	binary.NativeEndian.PutUint32(message, uint32(len(message)))
	binary.NativeEndian.PutUint16(message[4:], kind)
	binary.NativeEndian.PutUint16(message[6:], unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE|unix.NLM_F_EXCL)
	if err := unix.Sendto(k.fd, message, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		k.t.Fatalf("%s: %v", what, err)
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(k.fd, answer, 0)
	if err != nil || n < unix.NLMSG_HDRLEN+4 {
		k.t.Fatalf("%s: %d bytes, %v", what, n, err)
	}
	switch code := syscall.Errno(-int32(binary.NativeEndian.Uint32(answer[unix.NLMSG_HDRLEN:]))); code {
	case 0:
	case unix.EOPNOTSUPP:
		sandboxtest.Missing(k.t, what+": "+code.Error())
	default:
		k.t.Fatalf("%s: %v", what, code)
	}
}

// up starts an interface that sends nothing by itself.
func (k *kernel) up(name string) int {
	k.t.Helper()
	i, err := net.InterfaceByName(name)
	if err != nil {
		k.t.Fatal(err)
	}
	const change = unix.IFF_UP | unix.IFF_NOARP | unix.IFF_MULTICAST
	k.ask("starting "+name, unix.RTM_SETLINK, []byte{0, 0, 0, 0}, number32(i.Index), number32(unix.IFF_UP|unix.IFF_NOARP), number32(change))
	return i.Index
}

// cable makes two connected interfaces.
func (k *kernel) cable(one, other string) int {
	k.t.Helper()
	named := func(name string) []byte { return attribute(unix.IFLA_IFNAME, append([]byte(name), 0)) }
	const peer = 1
	k.ask("making "+one, unix.RTM_NEWLINK, make([]byte, 16), named(one), attribute(unix.IFLA_LINKINFO, append(
		attribute(unix.IFLA_INFO_KIND, []byte("veth")),
		attribute(unix.IFLA_INFO_DATA, attribute(peer, append(make([]byte, 16), named(other)...)))...)))
	k.up(other)
	return k.up(one)
}

func family(a netip.Addr) byte {
	if a.Is6() {
		return unix.AF_INET6
	}
	return unix.AF_INET
}

func (k *kernel) address(index int, at netip.Prefix) {
	k.t.Helper()
	raw := at.Addr().AsSlice()
	k.ask("giving it "+at.String(), unix.RTM_NEWADDR, []byte{family(at.Addr()), byte(at.Bits()), unix.IFA_F_NODAD, 0}, number32(index),
		attribute(unix.IFA_LOCAL, raw), attribute(unix.IFA_ADDRESS, raw))
}

func (k *kernel) route(index int, to netip.Prefix, table, kind, scope byte) {
	k.t.Helper()
	parts := [][]byte{
		{family(to.Addr()), byte(to.Bits()), 0, 0, table, unix.RTPROT_STATIC, scope, kind, 0, 0, 0, 0}, attribute(unix.RTA_OIF, number32(index)),
	}
	if to.Bits() > 0 {
		parts = append(parts, attribute(unix.RTA_DST, to.Addr().AsSlice()))
	}
	k.ask("leading "+to.String()+" there", unix.RTM_NEWROUTE, parts...)
}

// outside is a network with a route to all public addresses. It is quiet: no
// neighbour or router discovery.
func outside(t *testing.T) {
	t.Helper()
	const noLinkLocal = "/proc/sys/net/ipv6/conf/default/addr_gen_mode"
	if err := os.WriteFile(noLinkLocal, []byte("1"), 0); err != nil {
		t.Fatal(err)
	}
	k := openKernel(t)
	k.address(k.up("lo"), netip.MustParsePrefix("2001:db8::2/128"))
	index := k.cable("out0", "out1")
	k.address(index, netip.MustParsePrefix("192.0.2.2/24"))
	for _, to := range []string{"0.0.0.0/0", "::/0"} {
		k.route(index, netip.MustParsePrefix(to), unix.RT_TABLE_MAIN, unix.RTN_UNICAST, unix.RT_SCOPE_UNIVERSE)
	}
}
