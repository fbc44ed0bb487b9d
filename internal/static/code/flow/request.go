package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// isClient reports the names of HTTP libraries.
func isClient(name string) bool {
	switch name {
	case "fetch", "axios", "got", "ky", "undici", "node-fetch", "cross-fetch", "isomorphic-fetch", "node-fetch-native", "superagent", "needle", "request", "request-promise", "phin", "ofetch", "$fetch", "https", "http", "follow-redirects",
		"requests", "httpx", "aiohttp", "urllib3", "urllib2", "curl_cffi", "niquests":
		return true
	}
	return false
}

// requests reports the names of methods that make requests.
func requests(name string) bool {
	switch name {
	case "get", "post", "put", "patch", "delete", "head", "request", "fetch", "stream", "send", "getJSON", "$get", "$post":
		return true
	}
	return false
}

// request follows a call of an HTTP library.
func (b *libraries) request(path string, on val, args []*syntax.Node) (val, bool) {
	if path == "urllib.request.urlopen" || path == "urlopen" {
		return b.send(nil, "GET", args), true
	}
	first, last := path, path
	if i := strings.IndexAny(path, ".("); i >= 0 {
		first = path[:i]
	}
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		last = path[i+1:]
	}
	if !isClient(first) {
		return val{}, false
	}
	switch last {
	case "create", "extend", "Client", "AsyncClient", "Session", "session", "ClientSession", "PoolManager", "defaults", "instance", "Agent", "Pool":
		return b.client(path, args), true
	case "__aenter__", "__enter__":
		return on, true
	}
	if last != first && !requests(last) {
		return val{}, false
	}
	var base []ir.FlowPart
	if on.node != 0 {
		base = []ir.FlowPart{{Node: b.member(on.node, Base)}}
	}
	return b.send(base, b.methodOf(last, args), args), true
}

// byValue is the method of a request that has it as its first argument.
const byValue = "?"

// methodOf returns the method of a request, "" if it is not known.
func (b *libraries) methodOf(name string, args []*syntax.Node) string {
	if len(args) == 0 {
		return ""
	}
	switch name {
	case "get", "post", "put", "patch", "delete", "head":
		return strings.ToUpper(name)
	}
	if len(args) > 1 && args[0].Is(syntax.String) && !strings.Contains(args[0].Text, "/") {
		return knownMethod(args[0].Text)
	}
	if name == "request" && b.python {
		return byValue
	}
	options := args[len(args)-1:]
	if len(args) > 1 {
		options = args[1:2]
	}
	if len(options) == 1 && options[0].Is(syntax.Object) {
		for _, p := range options[0].Kids {
			if p.Is(syntax.Spread) {
				return ""
			}
			if p.Text == "method" {
				return knownMethod(p.Kid(0).Text)
			}
		}
		return "GET"
	}
	if len(args) == 1 && name == "fetch" {
		return "GET"
	}
	return ""
}

func knownMethod(name string) string {
	switch name = strings.ToUpper(name); name {
	case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD":
		return name
	}
	return ""
}

// client makes a client with an address that all of its requests begin with.
func (b *libraries) client(path string, args []*syntax.Node) val {
	v := val{path: path + "()", node: b.fresh()}
	base := b.member(v.node, Base)
	for i, a := range args {
		node := b.calls.argument(a)
		switch {
		case a.Is(syntax.Keyword) && (a.Text == "base_url" || a.Text == "baseURL"), i == 0 && b.python && !a.Is(syntax.Keyword):
			b.same(base, node)
		case a.Is(syntax.Keyword):
		default:
			for _, name := range []string{"baseURL", "baseUrl", "prefixUrl"} {
				if m, ok := b.links[link{node, name}]; ok {
					b.same(base, m)
				}
			}
		}
	}
	return v
}

// send records a request, and follows its callback.
func (b *libraries) send(base []ir.FlowPart, method string, args []*syntax.Node) val {
	result := b.fresh()
	r := ir.FlowRequest{In: b.cur, Result: result, Method: method}
	switch {
	case len(args) < 2:
	case args[0].Is(syntax.String) && !strings.Contains(args[0].Text, "/"): // the method comes first
		args = args[1:]
	case method == byValue && !args[1].Is(syntax.Keyword) && !args[1].Is(syntax.Spread):
		r.Method, r.By = "", b.store(b.expr(args[0]))
		args = args[1:]
	}
	if r.Method == byValue {
		r.Method = ""
	}
	for i, a := range args {
		switch {
		case a.Is(syntax.Func):
			b.inline(a, result)
		case a.Is(syntax.Keyword) && a.Text == "url", i == 0 && !a.Is(syntax.Keyword):
			if a.Is(syntax.Keyword) {
				a = a.Kid(0)
			}
			r.URL = b.urlOf(a)
		default:
			b.calls.argument(a)
		}
	}
	if !absolute(r.URL) {
		if len(base) > 0 && len(r.URL) > 0 && r.URL[0].Text != "" && !strings.HasPrefix(r.URL[0].Text, "/") {
			base = append(base, ir.FlowPart{Text: "/"})
		}
		r.URL = append(append([]ir.FlowPart{}, base...), r.URL...)
	}
	b.out.Requests = append(b.out.Requests, r)
	return val{node: result}
}

func absolute(text []ir.FlowPart) bool {
	return len(text) > 0 && (strings.HasPrefix(text[0].Text, "http://") || strings.HasPrefix(text[0].Text, "https://"))
}

// urlOf returns the address of a request: a text, or an object with options.
func (b *libraries) urlOf(a *syntax.Node) []ir.FlowPart {
	v := b.expr(a)
	if len(v.text) > 0 || v.node == 0 {
		return v.text
	}
	has := func(name string) []ir.FlowPart {
		if m, ok := b.links[link{v.node, name}]; ok {
			return []ir.FlowPart{{Node: m}}
		}
		return nil
	}
	if !a.Is(syntax.Object) {
		return []ir.FlowPart{{Node: v.node}}
	}
	for _, name := range []string{"baseURL", "prefixUrl"} {
		if base := has(name); base != nil {
			return append(base, has("url")...)
		}
	}
	if url := has("url"); url != nil {
		return url
	}
	if path := has("path"); path != nil {
		return path
	}
	return has("uri")
}

// maybeRequest records that a call is a request if its function is not found in
// the package.
func (b *libraries) maybeRequest(on, result val, name string, args []*syntax.Node, call int) {
	if len(args) == 0 {
		return
	}
	at := args[0]
	if at.Is(syntax.String) && !strings.Contains(at.Text, "/") && len(args) > 1 {
		at = args[1]
	}
	if !at.Is(syntax.String) && !at.Is(syntax.Join) && !at.Is(syntax.Binary) && !at.Is(syntax.Name) && !at.Is(syntax.Member) {
		return
	}
	url := b.urlOf(at)
	if !mayAddress(url) {
		return
	}
	if !absolute(url) {
		url = append([]ir.FlowPart{{Node: b.member(on.node, Base)}}, url...)
	}
	b.out.Requests = append(b.out.Requests, ir.FlowRequest{In: b.cur, Result: result.node, URL: url, Call: call, Method: strings.TrimPrefix(b.methodOf(name, args), byValue)})
}

// address follows new URL(path, base) and the like, which keep the address.
func (b *libraries) address(args []*syntax.Node) val {
	if len(args) == 0 {
		return val{}
	}
	v := b.expr(args[0])
	if v.node != 0 && len(v.text) == 0 && len(args) == 1 {
		b.use(v.node, ir.UseShown)
		return val{text: textOf(v)}
	}
	text := b.textNode(args[0])
	if len(args) > 1 && !absolute(text) {
		if base := b.textNode(args[1]); isAddress(base) || base[0].Node != 0 {
			text = append(base, text...)
		}
	}
	b.calls.arguments(args[min(2, len(args)):])
	return val{text: text}
}

func (b *libraries) textNode(n *syntax.Node) []ir.FlowPart {
	return append([]ir.FlowPart{}, textOf(b.expr(n))...)
}
