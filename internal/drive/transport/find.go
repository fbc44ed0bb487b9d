package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/sse"
	"github.com/mcpsf/mcpsf/internal/pause"
)

// no gap: what is longer is malformed output or ends the connection, which is an event
const (
	// maxProbed is how much of an answer is read to recognise the protocol.
	maxProbed = 64 << 10
	// maxHints bounds how many addresses from the server's output are tried.
	maxHints = 16
	// probeTime is the timeout of one address.
	probeTime = 3 * time.Second
	// reprobe is the time between two rounds, and maxRounds how many there are
	// for a server that answers but not in this protocol.
	reprobe, maxRounds = 200 * time.Millisecond, 5
)

// usualPaths are common paths of MCP endpoints, the most common first.
func usualPaths() []string {
	return []string{
		"/mcp", "/sse", "/", "/mcp/", "/api/mcp", "/v1/mcp", "/mcp/sse", "/mcp/v1", "/http", "/stream", "/streamable",
		"/rpc", "/jsonrpc", "/message", "/messages", "/api/sse", "/events",
	}
}

// FindEndpoint finds the path at base where a server speaks MCP: from the
// hints, which are addresses it printed, or from common paths. Until ctx ends
// it waits for a server that does not listen yet.
func FindEndpoint(ctx context.Context, wire Wire, base string, hints []string) (string, error) {
	root, err := url.Parse(base)
	if err != nil || root.Host == "" {
		return "", fmt.Errorf("%q is no address of a server", base)
	}
	last := errors.New("nothing was tried")
	paths := probePaths(root, hints)
	for rounds := 0; rounds < maxRounds; {
		var guarded, doubtful string
		heard := false
		for _, at := range paths {
			likely, err := probe(ctx, wire, at)
			if err != nil {
				last = err
				continue
			}
			heard = true
			switch likely {
			case speaks:
				return at.String(), nil
			case wantsAuth:
				guarded = firstOf(guarded, at.String())
			case maySpeak:
				doubtful = firstOf(doubtful, at.String())
			}
		}
		if guarded != "" || doubtful != "" && rounds > 0 {
			return firstOf(guarded, doubtful), nil
		}
		if heard {
			rounds++
			last = errors.New("the server speaks MCP at none of the usual paths")
		}
		if err := pause.For(ctx, reprobe); err != nil {
			return "", fmt.Errorf("looking for the server's endpoint: %w", last)
		}
	}
	return "", fmt.Errorf("looking for the server's endpoint: %w", last)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// probePaths returns the addresses to try. Of a hint only the path counts: the
// server may not know its outside host name.
func probePaths(root *url.URL, hints []string) []*url.URL {
	var paths []string
	if root.Path != "" && root.Path != "/" {
		paths = append(paths, root.Path)
	}
	for _, hint := range hints[:min(len(hints), maxHints)] {
		if u, err := url.Parse(strings.TrimSpace(hint)); err == nil && strings.HasPrefix(u.Path, "/") {
			paths = append(paths, u.Path)
		}
	}
	var list []*url.URL
	var seen []string
	for _, path := range append(paths, usualPaths()...) {
		if !slices.Contains(seen, path) {
			seen = append(seen, path)
			list = append(list, &url.URL{Scheme: root.Scheme, Host: root.Host, Path: path})
		}
	}
	return list
}

// likelihood is how likely an address is the endpoint.
type likelihood uint8

const (
	speaksNot likelihood = iota
	maySpeak             // it answers like an MCP server
	wantsAuth            // it requires credentials
	speaks
)

// probe tries one address: first with a ping, which has no effect; then by
// opening a stream, as servers of revision 2024-11-05 want it; then, if that
// looks promising, with a handshake whose session is ended again.
func probe(ctx context.Context, wire Wire, at *url.URL) (likelihood, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	ping := []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	first, err := probeOnce(ctx, wire, http.MethodPost, at, ping, nil)
	if err != nil || first.speaks {
		return first.likelihood(), err
	}
	second, err := probeOnce(ctx, wire, http.MethodGet, at, nil, nil)
	if err == nil && second.speaks {
		return speaks, nil
	}
	if first.status != http.StatusBadRequest {
		return first.likelihood(), nil
	}
	hello, err := jsonrpc.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": protocol.MethodInitialize, "params": map[string]any{
		"protocolVersion": protocol.Offered, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "probe", "version": "1"},
	}})
	if err != nil {
		return speaksNot, fmt.Errorf("making a handshake: %w", err)
	}
	third, err := probeOnce(ctx, wire, http.MethodPost, at, hello, nil)
	if err != nil {
		return first.likelihood(), nil
	}
	if third.session != "" {
		_, _ = probeOnce(ctx, wire, http.MethodDelete, at, nil, http.Header{protocol.HeaderSession: {third.session}}) // ends the session; an error does not matter
	}
	return max(first.likelihood(), third.likelihood()), nil
}

// probed is the response to a probe.
type probed struct {
	status  int
	kind    string
	session string
	head    []byte
	// speaks says that the answer is MCP: a JSON-RPC answer, or the first event
	// of the older transport.
	speaks bool
}

func probeOnce(ctx context.Context, wire Wire, method string, at *url.URL, body []byte, more http.Header) (probed, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return probed{}, fmt.Errorf("making a request: %w", err)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Accept-Encoding", "identity")
	if method == http.MethodGet {
		r.Header.Set("Accept", "text/event-stream")
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for name := range more {
		r.Header.Set(name, more.Get(name))
	}
	resp, err := wire.Do(r, func(int64, int64) {})
	if err != nil {
		return probed{}, err
	}
	defer closeBody(resp)
	p := probed{status: resp.StatusCode, kind: mediaType(resp)}
	if id := resp.Header.Get(protocol.HeaderSession); sse.FitsHeader(id) {
		p.session = id
	}
	p.read(resp.Body)
	return p, nil
}

// read reads until the protocol is clear, which in a stream is long before its
// end.
func (p *probed) read(body io.Reader) {
	stream := p.kind == "text/event-stream"
	e := &sse.Parser{Max: maxProbed, Head: maxProbed, Emit: func(e sse.Event) {
		p.speaks = p.speaks || e.Name == "endpoint" || jsonrpc.IsAnswer(bytes.Trim(e.Data, jsonrpc.Blanks))
	}}
	buf := make([]byte, 4<<10)
	for len(p.head) < maxProbed && !p.speaks {
		n, err := body.Read(buf)
		p.head = append(p.head, buf[:n]...)
		if stream {
			e.Feed(buf[:n])
		}
		if err != nil {
			break
		}
	}
	if text := bytes.Trim(p.head, jsonrpc.Blanks); !stream {
		p.speaks = json.Valid(text) && jsonrpc.IsAnswer(text)
	}
}

func (p *probed) likelihood() likelihood {
	said := strings.ToLower(string(p.head[:min(len(p.head), 4<<10)]))
	switch {
	case p.speaks:
		return speaks
	case p.status == http.StatusUnauthorized || p.status == http.StatusForbidden:
		return wantsAuth
	case p.status == http.StatusBadRequest && (strings.Contains(said, "session") || strings.Contains(said, "mcp")),
		p.status == http.StatusNotAcceptable && strings.Contains(said, "event-stream"):
		return maySpeak
	}
	return speaksNot
}
