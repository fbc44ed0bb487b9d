package shape

import (
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
)

// The bounds of what is remembered.
// no gap: bounds our own made-up answers
const (
	maxSourced = 2000
	maxAll     = 50_000 // nodes of all sources together
	maxAsked   = 32
)

// Expectations are what the answers of one run have to contain. They are safe for
// concurrent use. The zero value expects what the table of services says.
type Expectations struct {
	mu      sync.Mutex
	sourced []sourced
	size    int // nodes in sourced
	replies []reply
	lessons
}

// sourced is an expectation that the source expresses.
type sourced struct {
	host   string
	path   []string // nil: any
	method string   // "": any
	node   *node
}

// New makes expectations that nothing was added to.
func New() *Expectations { return &Expectations{} }

// Expect adds what the source says about an answer, before the run.
func (e *Expectations) Expect(a mcpsf.ExpectedAnswer) {
	left := maxNodes
	var n *node
	if a.Format == "" {
		n = nodeOf(a.Shape, 0, &left)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.expectReply(&a)
	if n == nil || len(e.sourced) >= maxSourced || e.size+maxNodes-left > maxAll {
		return
	}
	e.size += maxNodes - left
	e.sourced = append(e.sourced, sourced{host: domainOf(a.Host), path: segmentsOf(a.Path), method: a.Method, node: n})
}

// domainOf is a host without its port.
func domainOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// The ranks of an expectation: how much of a request it names.
const (
	rankNone = iota
	rankAny
	rankHost
	rankTail // the path ends like that, of any host
	rankPath
	rankBoth
)

// rank says how well the source's words fit a request for a path of these segments.
func (s *sourced) rank(r *Request, asked []string) int {
	domain := r.Domain
	if s.method != "" && s.method != reading(r.Method) {
		return rankNone
	}
	if s.host != "" && !hostLike(s.host, domain) {
		return rankNone
	}
	if len(s.path) == 0 {
		if s.host == "" {
			return rankAny
		}
		return rankHost
	}
	switch {
	case matches(s.path, asked) && s.host != "":
		return rankBoth
	case matches(s.path, asked):
		return rankPath
	case len(asked) > len(s.path) && matches(s.path, asked[len(asked)-len(s.path):]):
		return rankTail
	}
	return rankNone
}

// expected puts together what is expected of an answer: first what was learned,
// then what the service has, then what the source says, the most specific first.
// It is nil if nothing is expected.
func (e *Expectations) expected(r *Request, value any) *node {
	n, left := &node{}, maxNodes
	told := false
	add := func(more *node) {
		if more != nil {
			told = true
			n.merge(more, 0, &left)
		}
	}
	add(e.learned(r))
	found := rankAny
	if a := serviceAnswer(r); a != nil {
		add(a.node)
		found = rankPath
	}
	ranked := e.ranked(r)
	for rank := rankBoth; rank >= rankAny; rank-- {
		if rank == rankAny && found > rankHost {
			break // shapes of other answers
		}
		for _, s := range ranked[rank] {
			if rank > rankAny || s.suits(n.kind, value) {
				found = max(found, rank)
				add(s.node)
			}
		}
	}
	if !told {
		return nil
	}
	return n
}

// ranked are the source's expectations of an answer by their rank. Where one names the
// method and the path, it is the form that the code checks the answer against: what is
// read elsewhere would only add to it.
func (e *Expectations) ranked(r *Request) (list [rankBoth + 1][]*sourced) {
	asked := segmentsOf(r.Path)
	for i := range e.sourced {
		s := &e.sourced[i]
		rank := s.rank(r, asked)
		list[rank] = append(list[rank], s)
	}
	for _, rank := range []int{rankBoth, rankPath, rankTail} {
		if i := slices.IndexFunc(list[rank], func(s *sourced) bool { return s.method != "" }); i >= 0 {
			only := list[rank][i]
			list = [rankBoth + 1][]*sourced{}
			list[rank] = []*sourced{only}
			break
		}
		if len(list[rank]) > 0 {
			break // what names more of the request
		}
	}
	return list
}

// suits says whether an expectation that names no request may be about an answer:
// a list is not made into an object for it, unless that was learned.
func (s *sourced) suits(learned string, value any) bool {
	if learned != "" {
		return s.node.kind == learned
	}
	switch value.(type) {
	case []any:
		return s.node.kind == array
	case map[string]any:
		return s.node.kind == object
	}
	return true
}

// Complete returns the answer to a request with everything that is expected of it.
// What is there stays if it has the right type. The value is as encoding/json
// decodes it, and may be changed.
func (e *Expectations) Complete(r *Request, value any) any {
	e.mu.Lock()
	n := e.expected(r, value)
	e.mu.Unlock()
	if n != nil {
		value = complete(r, n, value)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.remember(e.key(r), value)
	return value
}
