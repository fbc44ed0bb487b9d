package egress

import (
	"net/netip"
	"testing"
)

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
