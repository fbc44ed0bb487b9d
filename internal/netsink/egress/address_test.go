package egress

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
		// not
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
		got := forbidden(netip.MustParseAddr(address))
		if want == "" && got != "" || want != "" && !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
	if forbidden(netip.Addr{}) == "" {
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
		if got := checkOwn(netip.MustParseAddr(address), own) != nil; got != want {
			t.Errorf("%s is refused: %v, want %v", address, got, want)
		}
	}
}

// Every address this machine has is refused by the check that is used.
func TestThisMachine(t *testing.T) {
	list, err := net.InterfaceAddrs()
	if err != nil || len(list) == 0 {
		t.Skip("no addresses here", err)
	}
	for _, a := range list {
		if p, err := netip.ParsePrefix(a.String()); err == nil && check(p.Addr()) == nil {
			t.Errorf("%s is not refused", p.Addr())
		}
	}
}

func TestList(t *testing.T) {
	list, err := ParseList([]string{"api.example", " WWW.Example.COM. ", "*.cdn.test", "1.1.1.1", "2606:4700::1111", "[2606:4700::1001]"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"api.example": true, "API.example.": true, "v2.api.example": true, "a.b.api.example": true, "xapi.example": false, "example": false,
		"www.example.com": true, "example.com": false, "cdn.test": false, "a.cdn.test": true, "acdn.test": false,
		"": false, "api.example.evil.test": false, "a..api.example": false, "a b.api.example": false, "a\x00.api.example": false,
	} {
		if got := list.hasName(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	for address, want := range map[string]bool{"1.1.1.1": true, "2606:4700::1111": true, "2606:4700::1001": true, "1.1.1.2": false} {
		if got := list.hasAddress(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	if want := "api.example,www.example.com,*.cdn.test,1.1.1.1,2606:4700::1111,[2606:4700::1001]"; list.String() != want {
		t.Errorf("told as %q", list.String())
	}
}

func TestEveryPublicHost(t *testing.T) {
	var all List
	for name, want := range map[string]bool{
		"api.example": true, "x.y.com": true, "printer.local": false, "intranet": false, "localhost": false, "a.localhost": false,
		"vault.internal": false, "jira.corp": false, "router.lan": false, "1.0.0.127.in-addr.arpa": false, "127.0.0.1": false, "1.2.3": false,
	} {
		if got := all.hasName(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestBadList(t *testing.T) {
	for _, host := range []string{
		"", "localhost", "com", "co.uk", "*.co.uk", "*.com", "*", "*.*.example", "http://api.example", "api.example:443", "api.example/x",
		"10.0.0.1", "127.0.0.1", "::1", "fe80::1%eth0", "169.254.169.254", "192.168.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "\x1b[2J.example", "a b.example",
	} {
		if _, err := ParseList([]string{host}); err == nil {
			t.Errorf("%q is taken", host)
		}
	}
}
