package host

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
)

// responder answers what it knows and returns nil for the rest.
type responder func(s *session, r *request) *answer

// responders are asked in this order.
func responders() []responder {
	return []responder{
		elsewhere, metadata, preflight, doh, grpc, absent, nonsense, git, wellKnown, catalog, model, token, registry,
		chat, forge, script, whoami, openAPI, download, graph, weather, markup, api,
	}
}

// elsewhere sends on to where a host says.
func elsewhere(s *session, r *request) *answer {
	if s.h.o.Location == nil {
		return nil
	}
	to, ok := s.h.o.Location(r.domain())
	if !ok {
		return nil
	}
	return page(http.StatusFound).with("Location", to)
}

// reply finds who answers a request.
func (s *session) reply(r *request) *answer {
	for _, responder := range responders() {
		if a := responder(s, r); a != nil {
			return a
		}
	}
	return page(http.StatusNotFound)
}

// dice are loaded by the seed and by what they are for.
func (h *Host) dice(of ...string) *rand.Rand {
	sum := fnv.New64a()
	for _, s := range of {
		fmt.Fprintf(sum, "%d:%s", len(s), s)
	}
	return rand.New(rand.NewPCG(h.o.Seed, sum.Sum64()))
}

// dice of a request depend on where it went, and on nothing it carried.
func (s *session) dice(r *request) *rand.Rand { return s.h.dice(r.domain(), r.path) }

func pick[T any](d *rand.Rand, from ...T) T { return from[d.IntN(len(from))] }

// letters are random ones.
func letters(d *rand.Rand, n int, from string) string {
	p := make([]byte, n)
	for i := range p {
		p[i] = from[d.IntN(len(from))]
	}
	return string(p)
}

const (
	hexDigits = "0123456789abcdef"
	alphabet  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

func uuid(d *rand.Rand) string {
	return letters(d, 8, hexDigits) + "-" + letters(d, 4, hexDigits) + "-4" + letters(d, 3, hexDigits) +
		"-a" + letters(d, 3, hexDigits) + "-" + letters(d, 12, hexDigits)
}

// object is written with its keys in order.
type object map[string]any

const kindJSON = "application/json; charset=utf-8"

func asJSON(status int, v any) *answer {
	p, err := json.Marshal(v)
	if err != nil { // of strings and numbers: it cannot
		return &answer{status: http.StatusInternalServerError}
	}
	return of(status, kindJSON, p)
}

func (r *request) reads() bool { return r.method == http.MethodGet || r.method == http.MethodHead }

// base is the last part of the path.
func (r *request) base() string { return path.Base(r.path) }

// under tells whether the host is the name or below it.
func under(domain string, names ...string) bool {
	for _, n := range names {
		if domain == n || strings.HasSuffix(domain, "."+n) {
			return true
		}
	}
	return false
}

func hasAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
