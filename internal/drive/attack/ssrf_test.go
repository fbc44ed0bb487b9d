package attack

import (
	"encoding/json"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func urlPlace() Place {
	return Place{Kind: "url", Type: "string", Value: json.RawMessage(`"https://api.example.com/v1/status"`)}
}

// No payload names a public host: fetching one is a tool's purpose.
func TestAddressesLeadInside(t *testing.T) {
	w := world()
	for _, y := range append(urlPayloads(w, urlPlace()), hostPayloads(w)...) {
		if y.Sign != mcpsf.SignRequest {
			continue
		}
		a, err := netip.ParseAddr(y.Marker)
		inside := err == nil && (a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || netip.MustParsePrefix("100.64.0.0/10").Contains(a))
		if !inside && y.Marker != "metadata.google.internal" {
			t.Errorf("%s: %q leads to %q", y.Why, y.Value, y.Marker)
		}
	}
}

// Plain payloads are ordinary addresses that any fetch tool reaches: no
// rebinding names and no invalid hosts.
func TestPlainAddressesArePlain(t *testing.T) {
	w := world()
	for kind, payloads := range map[string][]Payload{"url": urlPayloads(w, urlPlace()), "host": hostPayloads(w)} {
		plain := 0
		for _, y := range payloads {
			if !y.Plain {
				continue
			}
			plain++
			if text, ok := y.Value.(string); !ok || !strings.Contains(text, y.Marker) {
				t.Errorf("%s: %v does not have %q as it is", kind, y.Value, y.Marker)
			}
		}
		if plain != 2 {
			t.Errorf("%s: %d are plain", kind, plain)
		}
	}
}

// The C library parses each spelling as the address it stands for.
func TestSpellingsAreTheAddress(t *testing.T) {
	m := newMachine(t)
	const program = `
import json, socket, sys
print(json.dumps([socket.inet_ntoa(socket.inet_aton(a)) for a in json.load(sys.stdin)]))`
	var written, markers []string
	for i, spelling := range []func(*World, int) (string, string){dotted, decimal, hexadecimal, octal, short} {
		s, marker := spelling(m.w, i)
		written, markers = append(written, s), append(markers, marker)
	}
	for i, got := range m.answers(written, "python3", "-c", program) {
		if got != markers[i] {
			t.Errorf("%q is %s, not %s", written[i], got, markers[i])
		}
	}
	s, marker := mapped(m.w, 5)
	if ip := net.ParseIP(s); ip == nil || ip.String() != marker {
		t.Errorf("%q is %v, not %s", s, ip, marker)
	}
}

// addressChecks are weak checks as authors write them. Each reports whether it
// lets the address be fetched.
func TestAddressesPassWeakChecks(t *testing.T) {
	w := world()
	const host = "api.example.com"
	parsed := func(s string) string {
		u, err := url.Parse(strings.TrimSpace(s))
		if err != nil {
			return ""
		}
		return u.Hostname()
	}
	class := ssrf()
	for name, passes := range map[string]func(string) bool{
		"none":                  func(string) bool { return true },
		"scheme":                func(s string) bool { return strings.HasPrefix(s, "http") },
		"host anywhere":         func(s string) bool { return strings.Contains(s, host) },
		"host at the beginning": func(s string) bool { return strings.HasPrefix(s, "https://"+host) },
		"nothing but https":     func(s string) bool { return strings.HasPrefix(s, "https://") },
		"name begins like it":   func(s string) bool { return strings.HasPrefix(parsed(s), host) },
		"local names refused": func(s string) bool {
			return !strings.Contains(s, "localhost") && !strings.Contains(s, "127.0.0.1") && !strings.Contains(s, "169.254")
		},
		"addresses refused": func(s string) bool {
			a, err := netip.ParseAddr(parsed(s))
			return err != nil || !a.IsLoopback() && !a.IsPrivate() && !a.IsLinkLocalUnicast()
		},
	} {
		found := 0
		for _, y := range class.Payloads(w, urlPlace())[:class.Balanced] {
			if passes(y.Value.(string)) {
				found++
			}
		}
		if found == 0 {
			t.Errorf("%s: no payload of a balanced run passes", name)
		}
	}
}

func TestNamesOfTheWorld(t *testing.T) {
	w := world()
	inside, at := w.Inward(4)
	for _, c := range []struct {
		name string
		nth  int
		want string
	}{
		{inside, 0, at},
		{"api.example.com." + strings.ToUpper(inside) + ".", 3, at},
		{"b9." + w.Zone, 0, ""},
		{"b9." + w.Zone, 1, w.Loopback(9)},
		{"r2." + w.Zone, 0, ""},
		{w.Host(1), 0, ""},
		{w.Zone, 0, ""},
		{"i4.other.example", 0, ""},
		{"i-1." + w.Zone, 0, ""},
		{"i99999999999999999999." + w.Zone, 0, ""},
		{"", 0, ""},
	} {
		got, ok := w.Resolve(c.name, c.nth)
		if ok != (c.want != "") || ok && got.String() != c.want {
			t.Errorf("Resolve(%q, %d) = %v, %v; want %q", c.name, c.nth, got, ok, c.want)
		}
	}
	first, marker := w.Redirect(2)
	u, err := url.Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	if to, ok := w.Location(u.Hostname()); !ok || to != "http://"+marker+"/" {
		t.Errorf("Location(%q) = %q, %v", u.Hostname(), to, ok)
	}
	if _, ok := w.Location(inside); ok {
		t.Error("a name that resolves inside redirects, too")
	}
}

func TestAllowedHosts(t *testing.T) {
	for description, want := range map[string]string{
		"":                                  "api.example.com",
		"Address to fetch, e.g. a page":     "api.example.com",
		"Page of docs.example.org to fetch": "docs.example.org",
		"Must begin with https://shop.example/api.json": "shop.example",
		"A file like notes.txt, or README.md":           "api.example.com",
	} {
		p := urlPlace()
		p.Description = description
		if got := allowed(p); got != want {
			t.Errorf("allowed(%q) = %q, want %q", description, got, want)
		}
	}
}
