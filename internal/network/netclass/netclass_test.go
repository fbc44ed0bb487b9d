package netclass

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

func TestForbidden(t *testing.T) {
	for address, want := range map[string]string{
		// public
		"1.1.1.1": "", "8.8.8.8": "", "93.184.216.34": "", "100.63.255.255": "", "100.128.0.0": "", "172.15.255.255": "", "172.32.0.0": "",
		"169.253.255.255": "", "192.0.1.0": "", "192.167.255.255": "", "198.17.255.255": "", "198.20.0.0": "", "223.255.255.255": "",
		"2606:4700::1111": "", "2a00:1450::1": "", "2001:4860:4860::8888": "", "2400:cb00::1": "",
		"64:ff9b::808:808": "", "2002:808:808::1": "",
		// not public
		"0.0.0.0": "unspecified", "0.1.2.3": "unspecified", "10.0.0.1": "private", "10.255.255.255": "private",
		"100.64.0.1": "private to a provider", "100.100.100.200": "private to a provider", "100.127.255.255": "private to a provider",
		"127.0.0.1": "this machine", "127.255.255.254": "this machine", "169.254.169.254": "link-local", "168.63.129.16": "a cloud's own",
		"172.16.0.1": "private", "172.31.255.255": "private", "192.0.0.1": "reserved", "192.0.0.192": "reserved", "192.0.2.1": "for documentation",
		"192.88.99.1": "a relay", "192.168.0.1": "private", "198.18.0.1": "for benchmarks", "198.19.255.255": "for benchmarks",
		"198.51.100.1": "for documentation", "203.0.113.1": "for documentation", "224.0.0.1": "multicast", "239.255.255.255": "multicast",
		"240.0.0.1": "reserved", "255.255.255.255": "reserved",
		"::": "not of", "::1": "not of", "::7f00:1": "not of", "::a00:1": "not of", "fe80::1": "link-local", "fe80::1%eth0": "link-local",
		"2606:4700::1%eth0": "link-local", "fc00::1": "not of", "fd00:ec2::254": "not of", "fec0::1": "not of", "ff02::1": "not of",
		"100::1": "not of", "5f00::1": "not of", "4000::1": "not of", "1fff::1": "not of",
		"2001:db8::1": "for documentation", "3fff::1": "for documentation", "2001:2::1": "reserved", "2001:20::1": "reserved",
		"2001::7f00:1": "a tunnel", "2001:0:4136:e378:8000:63bf:3fff:fdd2": "a tunnel",
		"::ffff:1.1.1.1": "in the clothes", "::ffff:10.0.0.1": "in the clothes", "::ffff:127.0.0.1": "in the clothes",
		"64:ff9b::a00:1": "private behind", "64:ff9b::7f00:1": "this machine behind", "64:ff9b::a9fe:a9fe": "link-local behind",
		"64:ff9b:1::808:808": "not of", "64:ff9b:1::a00:1": "not of",
		"2002:a00:1::1": "private behind", "2002:7f00:1::": "this machine behind", "2002:c0a8:101::1": "private behind", "2002:a9fe:a9fe::": "link-local behind",
		"2a00:1450::5efe:a00:1": "private behind", "2a00:1450::200:5efe:c0a8:101": "private behind",
	} {
		got := Forbidden(netip.MustParseAddr(address))
		if want == "" && got != "" || want != "" && !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
	if Forbidden(netip.Addr{}) == "" {
		t.Error("no address at all is public")
	}
}

func TestOwnAddresses(t *testing.T) {
	own := []net.Addr{
		&net.IPNet{IP: net.ParseIP("93.184.216.34"), Mask: net.CIDRMask(24, 32)},
		&net.IPNet{IP: net.ParseIP("2a00:1450::1"), Mask: net.CIDRMask(64, 128)},
		&net.UnixAddr{Name: "odd"},
	}
	for address, want := range map[string]bool{
		"93.184.216.34": true, "2a00:1450::1": true, "64:ff9b::5db8:d822": true, "2002:5db8:d822::9": true,
		"93.184.216.35": false, "2a00:1450::2": false,
	} {
		if got := among(netip.MustParseAddr(address), own); got != want {
			t.Errorf("%s is refused: %v, want %v", address, got, want)
		}
	}
}

// Check refuses every address of this machine.
func TestThisMachine(t *testing.T) {
	list, err := net.InterfaceAddrs()
	if err != nil || len(list) == 0 {
		t.Skip("no addresses here", err)
	}
	for _, a := range list {
		if p, err := netip.ParsePrefix(a.String()); err == nil && Check(p.Addr()) == nil {
			t.Errorf("%s is not refused", p.Addr())
		}
	}
}

func TestNear(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1": true, "::ffff:127.0.0.1": true, "10.0.0.7": true, "169.254.169.254": true, "168.63.129.16": true, "0.1.2.3": true, "198.18.0.1": true,
		"224.0.0.1": true, "64:ff9b::7f00:1": true, "2002:a00:1::": true, "fec0::1": true, "fd00::1": true,
		"192.0.2.1": false, "2001:db8::1": false, "93.184.215.14": false, "2606:2800:21f::1": false, "64:ff9b::5db8:d70e": false,
	} {
		if got := Near(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

func TestLocal(t *testing.T) {
	for name, want := range map[string]bool{
		"nas": true, "localhost": true, "LOCALHOST.": true, "x.localhost": true, "printer.local": true, "db.internal": true, "host.localdomain": true,
		"nas.home.arpa": true, "127.1": true, "0x7f.1": true, "0x7f000001": true, "2130706433": true, "a.0x7f": true,
		"mcp.example": false, "a.b.example.": false, "0x7f.example": false, "local.example": false,
	} {
		if got := Local(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
