package opaque

import (
	"mime"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxPart is how much of a part is kept until the message ends. What follows is
// measured in portions of that size.
// no gap: all of it is measured.
const maxPart = 256 << 10

// longestBoundary is the longest boundary of a multipart body that is taken for one:
// clients make them from 16 to 32 random letters and a prefix.
const longestBoundary = 60

// socketKey is the length of the random key with which a WebSocket begins.
const socketKey = 24

// signature is that of a request to AWS: it follows from the request and a key.
var signature = lazyregexp.New(`Signature=[0-9a-f]{64}(?:&|$)`)

// Message is one message of the server. Its methods are called one after another.
type Message struct {
	m           *Meter
	destination string
	parts       map[string][]byte
	order       []string
	tokens      []token
	size        int
}

// Write adds bytes to a part of the message: "url", "header NAME", "body", ...
func (g *Message) Write(part string, p []byte) {
	if _, ok := g.parts[part]; !ok {
		g.order = append(g.order, part)
	}
	g.parts[part] = append(g.parts[part], p...)
	g.size += len(p)
	if len(g.parts[part]) >= maxPart {
		g.flush(part)
	}
}

// flush extracts the tokens of a part.
func (g *Message) flush(part string) {
	p := g.parts[part]
	g.parts[part] = nil
	switch {
	case part == "url" && below(g.destination, "amazonaws.com"):
		p = signature.ReplaceAll(afterHost(p), nil)
	case part == "url":
		p = afterHost(p)
	case strings.EqualFold(part, "header content-type"):
		p = g.withoutBoundary(p)
	case strings.EqualFold(part, "header host") && below(hostOf(p), g.destination), strings.EqualFold(part, "header sec-websocket-key") && len(p) <= socketKey:
		return
	case strings.EqualFold(part, "header authorization") && below(g.destination, "amazonaws.com"):
		p = signature.ReplaceAll(p, nil)
	}
	if name, ok := strings.CutPrefix(part, "header "); ok {
		p = append([]byte(name+" "), p...) // it can hold data, too
	}
	for _, t := range tokensOf(p, 0) {
		t.part = part
		g.tokens = append(g.tokens, t)
	}
}

// End measures the message and returns nil if it has nothing opaque.
func (g *Message) End() *mcpsf.OpaqueDetail {
	if body := g.parts["body"]; len(body) > 0 {
		g.m.Know(digests(body)) // requests are signed that way
	}
	for _, part := range g.order {
		if len(g.parts[part]) > 0 {
			g.flush(part)
		}
	}
	if len(g.tokens) == 0 {
		return nil
	}
	g.m.mu.Lock()
	defer g.m.mu.Unlock()
	return g.m.measure(g.destination, g.size, g.tokens)
}

// withoutBoundary drops the boundary of a multipart body, which stands in the body
// again.
func (g *Message) withoutBoundary(p []byte) []byte {
	kind, params, err := mime.ParseMediaType(string(p))
	if b := params["boundary"]; err == nil && b != "" && len(b) <= longestBoundary {
		g.m.Know([]byte(b))
		return []byte(kind)
	}
	return p
}

// afterHost returns the path and query of an address, without their escapes.
func afterHost(p []byte) []byte {
	text := string(p)
	if _, rest, ok := strings.Cut(text, "://"); ok {
		_, text, _ = strings.Cut(rest, "/")
	}
	return []byte(text)
}

func below(host, domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }

// hostOf returns the name in a Host header.
func hostOf(p []byte) string {
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(string(p))), ":")
	return name
}
