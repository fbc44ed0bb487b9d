package registry

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// TestProxy: the proxy is used, with its own credentials and without those of
// the registry.
func TestProxy(t *testing.T) {
	var asked []string
	proxy := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.String()+" "+r.Header.Get("Proxy-Authorization")+" "+r.Header.Get("Authorization"))
	})
	with := strings.Replace(proxy.URL, "//", "//u:p@", 1)
	const settings = "registry=http://one.test\n//one.test/:_authToken=t\n"
	for name, c := range map[string]*Client{
		"environment": user(t, settings, map[string]string{"HTTP_PROXY": with}),
		"lower case":  user(t, settings, map[string]string{"http_proxy": with}),
		"npm":         user(t, settings+"proxy="+with, map[string]string{"HTTP_PROXY": "http://127.0.0.1:1"}),
	} {
		asked = nil
		for _, u := range []string{"x", "http://two.test/y"} {
			resp, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: u})
			must(t, err)
			discard(resp)
		}
		want := []string{"GET http://one.test/x Basic " + b64("u:p") + " Bearer t", "GET http://two.test/y Basic " + b64("u:p") + " "}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestProxyForTLS: encrypted requests go through a tunnel, and the proxy does
// not see the credentials.
func TestProxyForTLS(t *testing.T) {
	var asked []string
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.Host+" "+r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusForbidden)
	})
	c := user(t, "//registry.npmjs.org/:_authToken=t", map[string]string{"HTTPS_PROXY": strings.TrimPrefix(proxy.URL, "http://")})
	c.pace.tries = 1
	if _, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: "x"}); err == nil {
		t.Error("the tunnel was refused")
	}
	if diff := cmp.Diff([]string{"CONNECT registry.npmjs.org:443 "}, asked); diff != "" {
		t.Error(diff)
	}
}

// TestAllowedAddresses: a registry elsewhere cannot redirect us to this
// machine, however the address is written.
func TestAllowedAddresses(t *testing.T) {
	inside := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the machine's own server was asked") })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(inside.URL, "http://"))
	must(t, err)
	to := ""
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
	for _, host := range []string{"127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "10.1.2.3", "169.254.169.254", "[64:ff9b::a00:1]"} {
		to = "http://" + host + ":" + port + "/"
		c := user(t, "registry=http://one.test", map[string]string{"HTTP_PROXY": proxy.URL})
		_, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: "x"})
		if err == nil {
			t.Errorf("%s is followed", host)
			continue
		}
		wantLine(t, Explain("x", c.NPM(""), 0, err), mcpsf.CodeUsage, "address of this machine")
	}
}

// TestClassOfNames: the address that is dialled counts, not the name.
func TestClassOfNames(t *testing.T) {
	inside := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, port, err := net.SplitHostPort(strings.TrimPrefix(inside.URL, "http://"))
	must(t, err)
	for registry, allowed := range map[string]bool{"public.test": false, "loop.test": true} {
		c := user(t, "registry=http://"+registry, nil)
		c.resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go answerDNS(server, map[string][4]byte{"public.test": {192, 0, 2, 1}, "loop.test": {127, 0, 0, 1}, "sly.test": {127, 0, 0, 1}})
			return client, nil
		}}
		resp, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: "http://sly.test:" + port + "/"})
		if allowed {
			must(t, err)
			discard(resp)
			continue
		}
		wantLine(t, Explain("x", c.NPM(""), 0, err), mcpsf.CodeUsage, "address of this machine")
	}
}

// answerDNS answers one question in TCP format with an address.
func answerDNS(conn net.Conn, hosts map[string][4]byte) {
	defer conn.Close()
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return
	}
	q := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, q); err != nil || len(q) < 17 {
		return
	}
	var labels []string
	at := 12
	for q[at] != 0 {
		n := int(q[at])
		labels = append(labels, string(q[at+1:at+1+n]))
		at += n + 1
	}
	kind := q[at+2]
	m := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, q[12:at+5]...)
	if ip, ok := hosts[strings.Join(labels, ".")]; ok && kind == 1 {
		m[7] = 1
		m = append(append(m, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4), ip[:]...)
	}
	_, _ = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(m))), m...))
}

func TestClassOf(t *testing.T) {
	for addr, want := range map[string]addressClass{
		"192.0.2.1": 0, "2001:db8::1": 0, "8.8.8.8": 0,
		"127.9.9.9": classLoopback, "::1": classLoopback, "::ffff:127.0.0.1": classLoopback,
		"10.0.0.1": classPrivate, "172.31.0.1": classPrivate, "192.168.1.1": classPrivate, "fd00::1": classPrivate, "100.64.0.1": classPrivate,
		"169.254.169.254": classLinkLocal, "fe80::1%eth0": classLinkLocal,
		"0.0.0.0": classReserved, "0.1.2.3": classReserved, "::": classReserved, "224.0.0.1": classReserved, "255.255.255.255": classReserved,
		"64:ff9b::7f00:1": classLoopback, "2002:7f00:1::": classLoopback,
	} {
		if got := classOf(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %d, want %d", addr, got, want)
		}
	}
}

func TestNoProxy(t *testing.T) {
	for _, tt := range []struct {
		none, to string
		direct   bool
	}{
		{"", "http://one.test/", false},
		{"", "http://localhost:8080/", true},
		{"", "http://127.0.0.1/", true},
		{"*", "http://one.test/", true},
		{"one.test", "http://ONE.test./", true},
		{"one.test", "http://sub.one.test/", true},
		{"one.test", "http://anotherone.test/", false},
		{".one.test", "http://one.test/", false},
		{".one.test, x", "http://sub.one.test/", true},
		{"*.one.test", "http://sub.one.test/", true},
		{"one.test:81", "http://one.test:81/", true},
		{"one.test:81", "http://one.test/", false},
		{"one.test:443", "https://one.test/", true},
		{"192.0.2.0/24", "http://192.0.2.9/", true},
		{"192.0.2.0/24", "http://192.0.3.9/", false},
		{"192.0.2.9", "http://192.0.2.9/", true},
		{"2001:db8::1", "http://[2001:db8::1]/", true},
		{"[2001:db8::1]:80", "http://[2001:db8::1]/", true},
		{".", "http://one.test/", false},
		{":80", "http://one.test/", false},
	} {
		p, err := environmentProxy(func(name string) string {
			return map[string]string{"HTTP_PROXY": "proxy.test:1", "HTTPS_PROXY": "http://proxy.test:1", "NO_PROXY": tt.none}[name]
		})
		must(t, err)
		u, err := url.Parse(tt.to)
		must(t, err)
		if direct := p.to(u) == nil; direct != tt.direct {
			t.Errorf("NO_PROXY=%q %s: direct is %t", tt.none, tt.to, direct)
		}
	}
}

// TestRegistryDown has registries that cannot be reached.
func TestRegistryDown(t *testing.T) {
	closed := serve(t, nil)
	closed.Close()
	for at, want := range map[string]string{closed.URL: "refuses connections", "http://nowhere.invalid": "npm_config_registry"} {
		c := user(t, "registry="+at, nil)
		var v any
		err := c.JSON(t.Context(), &Request{Registry: c.NPM(""), URL: "x", What: `npm package "x"`}, 100, &v)
		wantLine(t, err, mcpsf.CodeUnavailable, want, `npm package "x"`)
	}
}

func TestExplain(t *testing.T) {
	c := user(t, "registry=https://one.test\n@p:registry=https://p.test\n//p.test/:_authToken=secret", nil)
	for _, tt := range []struct {
		scope  string
		status int
		code   mcpsf.Code
		want   string
	}{
		{"", 401, mcpsf.CodeUsage, "set credentials in npm_config_registry or .npmrc"},
		{"", 403, mcpsf.CodeUsage, "set credentials in"},
		{"@p", 403, mcpsf.CodeUsage, "with your credentials"},
		{"@p", 401, mcpsf.CodeUsage, "p.test"},
		{"", 404, mcpsf.CodeUsage, "if it is private"},
		{"@p", 404, mcpsf.CodeUsage, "does not exist at p.test"},
		{"", 410, mcpsf.CodeUsage, "does not exist"},
		{"", 407, mcpsf.CodeUnavailable, "proxy"},
		{"", 418, mcpsf.CodeUsage, "418"},
		{"", 429, mcpsf.CodeUnavailable, "later"},
		{"", 500, mcpsf.CodeUnavailable, "out of order"},
		{"", 204, mcpsf.CodeUnavailable, "204"},
	} {
		wantLine(t, Explain(`npm package "x"`, c.NPM(tt.scope), tt.status, nil), tt.code, tt.want, `npm package "x"`)
	}
}
