package expect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// no gap: what is not found out about answers is only answered as usual
const maxHost, maxPath, maxSegment = 253, 200, 64

var (
	hostName    = lazyregexp.New(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	pathSegment = lazyregexp.New(`^[\w.~%@:+=,!*'()$-]+$`)
)

func isHost(s string) bool { return len(s) <= maxHost && hostName.MatchString(s) }

// addressed is a request with its address.
type addressed struct {
	host, path string
	result     int
	// sure says that it certainly is a request.
	sure   bool
	method string
}

// known returns the requests, the best known first. Those that each caller has
// a copy of are left out if nothing is known of them.
func (w *writer) known() []addressed {
	var out []addressed
	for _, r := range w.graph.requests {
		if r.call != 0 && w.graph.calls[r.call-1].done {
			continue
		}
		text := w.graph.text(r.url, 0)
		if r.call != 0 && !strings.Contains(text, "/") {
			continue
		}
		host, path := split(text)
		if r.copied && path == "" {
			w.visit(r.result)
			continue
		}
		out = append(out, addressed{host, path, r.result, r.call == 0, w.graph.methodOf(&r)})
	}
	slices.SortStableFunc(out, func(a, b addressed) int {
		return cmp.Or(-cmp.Compare(a.host, b.host), -cmp.Compare(a.path, b.path))
	})
	return out
}

// split returns the host and the path of an address with holes; "" for what is
// not known.
func split(url string) (host, path string) {
	url, _, _ = strings.Cut(url, "?")
	url, _, _ = strings.Cut(url, "#")
	rest := url
	if _, after, ok := strings.Cut(url, "://"); ok {
		host, rest, _ = strings.Cut(after, "/")
		rest = "/" + rest
		if before, behind, hole := strings.Cut(host, ir.Hole); hole && behind == "" && before != "" {
			host, rest = before, "" // what follows the host is not known
		}
		host, _, _ = strings.Cut(strings.ToLower(host), ":")
		if !isHost(host) || !strings.Contains(host, ".") {
			host = ""
		}
	} else if strings.HasPrefix(url, ir.Hole+"/") {
		rest = url[len(ir.Hole):]
	}
	if !strings.HasPrefix(rest, "/") {
		return host, ""
	}
	return host, cleanPath(rest)
}

// cleanPath replaces the parts of a path that are not known.
func cleanPath(p string) string {
	var out []string
	known := false
	for part := range strings.SplitSeq(strings.Trim(p, "/"), "/") {
		if part == "" {
			continue
		}
		if len(part) > maxSegment || !pathSegment.MatchString(part) {
			part = "{}"
		} else {
			known = true
		}
		out = append(out, part)
	}
	if joined := "/" + strings.Join(out, "/"); known && len(joined) <= maxPath {
		return joined
	}
	return ""
}
