package main

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	hostOfURL  = regexp.MustCompile(`\b(?:https?|wss?|redis|postgres|ftp)://(?:[^/\s"'@` + "`" + `]*@)?([A-Za-z0-9.-]+)`)
	mailHost   = regexp.MustCompile(`[A-Za-z0-9._-]+@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)`)
	quotedName = regexp.MustCompile(`["'` + "`" + `](?:[a-z0-9-]+\.)+(com|net|org|io|dev|app|example|test)["'` + "`" + `]`)
	numbers    = regexp.MustCompile(`\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b`)
)

// addresses finds the names and numbers of machines in a source text.
func addresses(text string) []string {
	var found []string
	for _, m := range slices.Concat(hostOfURL.FindAllStringSubmatch(text, -1), mailHost.FindAllStringSubmatch(text, -1)) {
		found = append(found, m[1])
	}
	for _, name := range quotedName.FindAllString(text, -1) {
		found = append(found, name[1:len(name)-1])
	}
	return append(found, numbers.FindAllString(text, -1)...)
}

// reserved tells whether an address is kept for examples, or is the one by
// which clouds let their machines ask about themselves. One of those that are
// kept leads to a page that says so; it is what tools are given for a URL.
func reserved(name string) bool {
	if addr, err := netip.ParseAddr(name); err == nil {
		for _, block := range []string{"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "169.254.169.254/32", "127.0.0.0/8"} {
			if netip.MustParsePrefix(block).Contains(addr) {
				return true
			}
		}
		return false
	}
	return strings.HasSuffix(name, ".example") || strings.HasSuffix(name, ".test") || name == "www.example.com"
}

func TestAddresses(t *testing.T) {
	text := `fetch("https://a.example/x"); connect(25, 'mx.evil.com'); "u@b.test"; postgres://me:pw@db.c.example:1/ 8.8.8.8 192.0.2.1 version 1.2.0`
	got := addresses(text)
	slices.Sort(got)
	got = slices.Compact(got)
	if diff := cmp.Diff([]string{"192.0.2.1", "8.8.8.8", "a.example", "b.test", "db.c.example", "mx.evil.com"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, want := range map[string]bool{"a.example": true, "b.test": true, "192.0.2.1": true, "127.0.0.1": true, "8.8.8.8": false, "mx.evil.com": false, "example": false, "www.example.com": true} {
		if reserved(name) != want {
			t.Errorf("%s reserved: %v", name, !want)
		}
	}
}
