// Package services makes up the answers of web services: clouds, package
// registries, language models, chats, APIs of any kind. A request comes in; the
// answer goes out, made from the seed, with everything that is expected of it. An
// answer never repeats what the client sent, and does not depend on what was sent
// before: see the package shape for why. Object storage is the exception, as all
// databases are: see the package databases. The package does not deal with
// connections.
package services

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/kubernetes"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// Options apply to all requests of a run.
type Options struct {
	// Seed determines the replies.
	Seed uint64
	// Now is the time that the replies state.
	Now func() time.Time
	// Metadata is what the metadata services of clouds return.
	Metadata Metadata
	// Cluster answers in place of clusters of Kubernetes; nil: none is known.
	Cluster *kubernetes.Cluster
	// Install is set for an installation: downloads, packages and repositories
	// do not exist. Uploads are accepted as usual.
	Install bool
	// Location is the URL that a host redirects all requests to, false if it
	// does not redirect; nil: no host redirects.
	Location func(name string) (string, bool)
	// Proofs makes scripts and programs that report when they are run.
	Proofs *execproof.Tracker
	// Expected is what answers have to contain; nil: what the known services
	// have. An installation gets answers as they are.
	Expected *shape.Expectations
}

// Services answers requests in place of every service. It is safe for
// concurrent use.
type Services struct {
	opts     Options
	proofs   *execproof.Tracker
	expected *shape.Expectations
	// gaveTools is set when tools of a made-up MCP server were listed.
	gaveTools atomic.Bool
}

// New makes the services of a run.
func New(o *Options) *Services {
	s := &Services{opts: *o, proofs: o.Proofs, expected: o.Expected}
	if s.expected == nil {
		s.expected = shape.New()
	}
	return s
}

// GaveTools reports whether a client was given the tools of a made-up MCP server, and
// lists them among its own.
func (s *Services) GaveTools(listed []string) bool { return s.gaveTools.Load() && passesOn(listed) }

// responder answers the requests it knows and returns nil for others.
type responder struct {
	answer func(s *Services, r *Request) *Answer
	// complete is set if its answers are completed by what is expected. Others are
	// what a standard, a registry or a cloud says.
	complete bool
}

// responders are tried in this order.
func responders() []responder {
	return []responder{
		{elsewhere, false}, {metadata, false}, {preflight, false}, {doh, false}, {grpc, false}, {absent, false}, {nonsense, false}, {git, false},
		{wellKnown, false}, {cluster, false}, {catalog, true}, {model, true}, {localModel, false}, {deviceCode, false}, {token, false}, {registry, false}, {chat, true}, {forge, true}, {knownText, false}, {script, false},
		{whoami, true}, {openAPI, false}, {clickhouse, false}, {known, true}, {mcpServer, false}, {procedure, true}, {document, false}, {download, false}, {accepted, false}, {graph, true}, {weather, true}, {markup, false}, {api, true},
	}
}

// elsewhere redirects if the host is set to redirect.
func elsewhere(s *Services, r *Request) *Answer {
	if s.opts.Location == nil {
		return nil
	}
	to, ok := s.opts.Location(r.Domain())
	if !ok {
		return nil
	}
	return Page(http.StatusFound).with("Location", to)
}

// Reply answers a request.
func (s *Services) Reply(r *Request) *Answer {
	if a := objectStorage(s, r); a != nil {
		return a
	}
	if a := s.learnedJSON(r); a != nil {
		return a
	}
	if a := learnedMedia(s, r); a != nil {
		return a
	}
	for _, responder := range responders() {
		a := responder.answer(s, r)
		if a == nil {
			continue
		}
		if responder.complete && !s.opts.Install {
			s.complete(r, a)
		}
		s.note(r, a)
		return a
	}
	return Page(http.StatusNotFound)
}

// Dice are random numbers that depend on the seed and on the given strings.
func Dice(seed uint64, of ...string) *rand.Rand {
	sum := fnv.New64a()
	for _, s := range of {
		fmt.Fprintf(sum, "%d:%s", len(s), s)
	}
	return rand.New(rand.NewPCG(seed, sum.Sum64()))
}

func (s *Services) dice(of ...string) *rand.Rand { return Dice(s.opts.Seed, of...) }

// diceFor a request depend on its host and path, and on nothing it carried.
func (s *Services) diceFor(r *Request) *rand.Rand { return s.dice(r.Domain(), r.Path) }

func pick[T any](d *rand.Rand, from ...T) T { return from[d.IntN(len(from))] }

// letters are n random characters of from.
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

// object is a JSON object; its keys are written in order.
type object map[string]any

const kindJSON = "application/json; charset=utf-8"

func asJSON(status int, v any) *Answer {
	p, err := json.Marshal(v)
	if err != nil { // cannot happen with strings and numbers
		return &Answer{Status: http.StatusInternalServerError}
	}
	return of(status, kindJSON, p)
}

// Reads says whether the method only reads.
func (r *Request) Reads() bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// base is the last element of the path.
func (r *Request) base() string { return path.Base(r.Path) }

// under says whether domain is one of the names or a subdomain of one.
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

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
