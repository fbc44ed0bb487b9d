// Package httpprobe decides which requests to send to an unknown web server. It
// takes texts that the server serves or its source code, and returns paths and
// requests. It makes no requests itself.
package httpprobe

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of the texts read and of what is learned from them.
// no gap: bounds probes for weaknesses, which the profile bounds
const (
	maxPaths = 120
	maxNames = 60
	maxText  = 2 << 20
	// maxHeaders is as many as servers accept.
	maxHeaders = 20
	maxHits    = 2000
)

// Learned is what texts reveal about a server's routes. Likely entries come
// before merely possible ones.
type Learned struct {
	// Paths begin with a slash, as do Guesses, which are texts that only look
	// like paths. Names are parameter names.
	Paths, Guesses, Names []string
	// Headers are custom headers from which a server reads an address, or a
	// name and its key.
	Headers []string
	// Scripts are addresses of further scripts to read.
	Scripts []string
}

var (
	// A route appears in the call that registers it, or in a comparison with
	// the path.
	routes = lazyregexp.New(`(?:\.(?:get|post|put|patch|all|any|route|add_get|add_post|add_route|add_api_route|HandleFunc|Handle)\(|\bRoute\(|\b(?:path|pathname|url|PATH_INFO)\)?\s*(?:[!=]==?|\.startsWith\(|\.startswith\()|\bcase)\s*["'\x60](/[\w\-./:{}<>]{0,80})["'\x60?]`)
	// literals are string literals that may be paths.
	literals = lazyregexp.New(`["'\x60](?:https?://(?:localhost|127\.0\.0\.1)(?::\d+)?|\$\{[^}"'\x60]{1,40}\})?(/[a-z][\w\-]{0,40}(?:/[\w\-:{}<>]{1,40}){0,4}/?)["'\x60?]`)
	links    = lazyregexp.New(`(?i)\b(?:href|action|src|data-url|hx-get|hx-post)\s*=\s*["']?(/[\w\-./]{1,100})`)
	// reads are the ways to read a parameter of a request.
	reads   = lazyregexp.New(`\b(?:query|args|params|body|form|json|data|payload|searchParams|query_params|qs|fields|input)\)?(?:(?:\?\.|\.)(?:get\(\s*["'\x60])?|\[\s*["'\x60])([A-Za-z_]\w{1,30})`)
	unpacks = lazyregexp.New(`\{([\w\s,:='"\[\]{}]{1,300})\}\s*=\s*(?:await\s+)?(?:req|request|ctx|c)\b[\w.()]{0,40}(?:query|body|json|params)`)
	// headers are custom headers that name an address or a key.
	headers = lazyregexp.New(`(?i)["'\x60](x-[a-z0-9]+(?:-[a-z0-9]+){0,5}-(?:url|uri|host|server|endpoint|domain|site|token|key|secret|pat|user|username|id|type))["'\x60]`)
	// subscripts are string keys of a lookup.
	subscripts = lazyregexp.New(`(?:\[|\.get\()\s*["'\x60]([A-Za-z_]\w{1,30})["'\x60]\s*[\]),]`)
	word       = lazyregexp.New(`[A-Za-z_]\w{1,30}`)
	// held are the placeholders in a path.
	held = lazyregexp.New(`:\w+|\{[^}/]*\}|<[^>/]*>`)
)

// Read adds what a text reveals.
func (l *Learned) Read(text string) {
	text = text[:min(len(text), maxText)]
	for _, m := range routes.FindAllStringSubmatch(text, maxHits) {
		l.Paths = addPath(l.Paths, m[1])
	}
	for _, m := range links.FindAllStringSubmatch(text, maxHits) {
		if strings.HasSuffix(m[1], ".js") || strings.HasSuffix(m[1], ".mjs") {
			l.Scripts = add(l.Scripts, m[1], maxPaths)
		}
		l.Paths = addPath(l.Paths, m[1])
	}
	for _, m := range unpacks.FindAllStringSubmatch(text, maxHits) {
		for _, name := range word.FindAllString(m[1], maxNames) {
			l.addName(name)
		}
	}
	for _, m := range reads.FindAllStringSubmatch(text, maxHits) {
		l.addName(m[1])
	}
	for _, m := range headers.FindAllStringSubmatch(text, maxHits) {
		l.Headers = add(l.Headers, strings.ToLower(m[1]), maxHeaders)
	}
	for _, m := range subscripts.FindAllStringSubmatch(text, maxHits) {
		l.addName(m[1])
	}
	for _, m := range literals.FindAllStringSubmatch(text, maxHits) {
		l.Guesses = addPath(l.Guesses, m[1])
	}
}

// addPath adds a path that can be a route: no static file, and no path of the
// file system.
func addPath(paths []string, path string) []string {
	if len(path) < 2 || strings.HasPrefix(path, "//") || strings.Contains(path, "..") || onDisk(path) {
		return paths
	}
	if at := strings.LastIndexByte(path, '.'); at > strings.LastIndexByte(path, '/') && slices.Contains(assets(), path[at+1:]) {
		return paths
	}
	return add(paths, held.ReplaceAllString(path, "1"), maxPaths)
}

func (l *Learned) addName(name string) {
	if !slices.Contains(methods(), name) {
		l.Names = add(l.Names, name, maxNames)
	}
}

func add(list []string, s string, most int) []string {
	if len(list) >= most || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func assets() []string {
	return []string{"js", "mjs", "css", "map", "png", "svg", "ico", "jpg", "gif", "woff", "woff2", "ttf", "txt", "md", "ts", "tsx", "py"}
}

// onDisk reports whether a path more likely belongs to the file system.
func onDisk(path string) bool {
	first, _, _ := strings.Cut(path[1:], "/")
	return slices.Contains([]string{
		"usr", "etc", "home", "tmp", "var", "dev", "proc", "sys", "bin", "sbin", "opt", "root", "lib", "Users", "Library", "Applications", "mnt", "node_modules",
	}, first)
}

// methods are method names of objects, which are not parameters.
func methods() []string {
	return []string{
		"get", "has", "set", "then", "catch", "length", "map", "filter", "forEach", "toString", "keys", "values", "items", "entries", "parse", "push",
		"append", "pop", "split", "join", "slice", "find", "some", "every", "includes", "concat", "read", "write", "decode", "encode", "update", "copy",
		"getAll", "get_all", "getlist", "delete", "sort", "size", "pipe", "on", "prototype", "constructor", "strip", "lower", "upper", "replace", "is_empty",
		"const", "let", "var", "await", "async", "return", "null", "undefined", "true", "false", "None", "query", "body",
	}
}
