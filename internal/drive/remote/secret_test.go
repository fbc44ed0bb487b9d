package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestSecrets(t *testing.T) {
	var s Secrets
	s.Learn("Bearer abc/def+123")
	s.Learn("x") // too short: occurs in ordinary text
	s.Learn(`quo"ted-secret`)
	e := mcpsf.Event{Seq: 1 << 60, MCP: &mcpsf.MCPDetail{Body: json.RawMessage(
		`{"a":["abc/def+123","Bearer abc\/def+123 x"],"abc/def+123":1,"n":123456789012345678901,"u":"?k=abc%2Fdef%2B123","q":"quo\"ted-secret"}`)}}
	if err := Purge(&s, &e); err != nil {
		t.Fatal(err)
	}
	want := `{"[secret]":1,"a":["[secret]","Bearer [secret] x"],"n":123456789012345678901,"q":"[secret]","u":"?k=[secret]"}`
	if diff := cmp.Diff(want, string(e.MCP.Body)); diff != "" || e.Seq != 1<<60 {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var b bytes.Buffer
	fmt.Fprint(s.Writer(&b), "token abc/def+123 was refused")
	if b.String() != "token [secret] was refused" {
		t.Error(b.String())
	}
}

// A value without secrets stays unchanged, to the byte.
func TestPurgeLeavesAlone(t *testing.T) {
	var s Secrets
	s.Learn("secret-of-ours")
	e := mcpsf.Event{MCP: &mcpsf.MCPDetail{Body: json.RawMessage(`{"b":1, "a":2}`)}}
	if err := Purge(&s, &e); err != nil || string(e.MCP.Body) != `{"b":1, "a":2}` {
		t.Errorf("%s, %v", e.MCP.Body, err)
	}
}

type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if a, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(a)}, nil
	}
	return nil, errors.New("no such host")
}

func TestIsNear(t *testing.T) {
	known := names{"mcp.example": "192.0.2.1", "inside.example": "10.0.0.7"}
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true, "192.168.1.1": true, "169.254.169.254": true, "100.64.0.1": true,
		"0.0.0.0": true, "x.localhost": true, "printer.local": true, "nas": true, "inside.example": true, "mcp.example": false, "unknown.example": false, "192.0.2.1": false,
		"localhost.": true,
	} {
		if got := IsNear(t.Context(), known, host); got != want {
			t.Errorf("%s: %v", host, got)
		}
	}
}

// A server on the Internet cannot redirect us into the local network.
func TestDialerKeepsOut(t *testing.T) {
	client := &http.Client{Transport: NewTransport(TransportOptions{})}
	for _, address := range []string{"http://127.0.0.1:9/", "http://[::1]:9/", "http://169.254.169.254/latest", "http://10.0.0.1/"} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if _, err := client.Do(r); err == nil || !strings.Contains(err.Error(), "not followed there") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

type answering func(*http.Request) (*http.Response, error)

func (f answering) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestHeadersStayHome(t *testing.T) {
	home, _ := url.Parse("https://mcp.example/mcp")
	got := map[string]string{}
	h := &Headed{Server: home, Header: http.Header{"X-Key": {"k"}}, Base: answering(func(r *http.Request) (*http.Response, error) {
		got[r.URL.String()] = r.Header.Get("X-Key")
		return &http.Response{Body: io.NopCloser(strings.NewReader(""))}, nil
	})}
	for _, address := range []string{"https://mcp.example/other", "http://mcp.example/mcp", "https://mcp.example:8443/mcp", "https://elsewhere.example/mcp"} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		response, err := h.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	want := map[string]string{"https://mcp.example/other": "k", "http://mcp.example/mcp": "", "https://mcp.example:8443/mcp": "", "https://elsewhere.example/mcp": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		began := time.Now()
		p := &Paced{Pause: time.Second, Base: answering(func(*http.Request) (*http.Response, error) {
			at = append(at, time.Since(began))
			return &http.Response{Body: io.NopCloser(strings.NewReader(""))}, nil
		})}
		for range 3 {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://mcp.example/", nil)
			response, err := p.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
		}
		if diff := cmp.Diff([]time.Duration{0, time.Second, 2 * time.Second}, at); diff != "" {
			t.Error(diff)
		}
	})
}
