package leak

import (
	"fmt"
	"hash/maphash"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/canary"
	"github.com/mcpsf/mcpsf/internal/observe/opaque"
)

// Mark is a planted text; its bytes prove where they were read.
type Mark struct {
	// ID, Kind and Source are reported with the leak.
	ID, Kind, Source string
	// Given is set for an argument of a call, Configured for a value that the
	// server was started with.
	Given, Configured bool
	// Hosts are the hosts that may receive it, including their subdomains.
	Hosts []string
	// Tokens are the strings that occur nowhere else.
	Tokens []string
}

const (
	// leastToken is the minimum length of a token that can be recognised.
	leastToken = 8
	// leastGiven is the share of a caller's value that must be found: shorter
	// parts may be ordinary text.
	leastGiven = 0.9
	// leastFound is how many bytes of a secret must be found, unless it is
	// shorter: secrets of the same kind have a common prefix.
	leastFound = 14
)

// Finder recognises the marks of a run. It is safe for concurrent use.
type Finder struct {
	set   *canary.Set
	marks []Mark

	mu     sync.Mutex
	told   reports
	pieces pieces
	given  given
	same   map[uint64]bool
	effort effort
	meter  *opaque.Meter
	// unsearched counts the messages and streams that were not searched to the
	// end.
	unsearched int64
	// resultsUnsearched counts those that went to the client.
	resultsUnsearched int64
	// valuesLeft is how many arguments of a call are not searched for.
	valuesLeft int64
}

// New compiles the marks. It leaves out tokens that are too short to be
// distinguished from other text.
func New(marks []Mark) (*Finder, error) {
	f := &Finder{
		marks: marks, told: reports{ways: map[secretWay]map[string]map[string]int{}},
		given: given{planted: map[string]bool{}},
		same:  map[uint64]bool{}, effort: effort{seed: maphash.MakeSeed()}, meter: opaque.New(),
	}
	for i := range marks { // a secret that is recognised is not opaque
		mark := &marks[i]
		for _, token := range mark.Tokens {
			if f.meter.Know([]byte(token)); mark.Configured {
				f.meter.KnowValue([]byte(token))
			}
		}
	}
	var err error
	if f.set, err = compile(marks); err != nil {
		return nil, fmt.Errorf("preparing to recognise what was planted: %w", err)
	}
	f.pieces = pieces{set: f.set, gathers: map[string]*canary.Gather{}}
	return f, nil
}

func compile(marks []Mark) (*canary.Set, error) {
	var list []canary.Mark
	for i := range marks {
		for n, token := range marks[i].Tokens {
			if len(token) >= leastToken {
				mark := canary.Mark{ID: fmt.Sprintf("%d.%d", i, n), Value: []byte(token)}
				if marks[i].Given { // may be ordinary words; searched for anyway
					mark.Distinct = []canary.Span{{From: 0, To: len(token)}}
				}
				list = append(list, mark)
			}
		}
	}
	return canary.Compile(list)
}

// Decoys returns the marks of planted files.
func Decoys(decoys []mcpsf.Decoy) []Mark {
	marks := make([]Mark, 0, len(decoys))
	for i := range decoys {
		d := &decoys[i]
		marks = append(marks, Mark{ID: d.ID, Kind: d.Kind, Source: d.Path, Tokens: d.Tokens, Hosts: d.Hosts})
	}
	return marks
}

// Message searches one complete message, which may hold only a part of a secret.
func (f *Finder) Message(channel, destination, part string, body []byte) []mcpsf.LeakDetail {
	return f.piece(channel, destination, part, body, 0)
}

// Piece does the same for data that leaves the sandbox: it also searches for
// values that a caller gave. ref is the number of the message's event.
func (f *Finder) Piece(channel, destination, part string, body []byte, ref int64) []mcpsf.LeakDetail {
	return append(f.piece(channel, destination, part, body, ref), f.handedOn(channel, destination, part, body)...)
}

func (f *Finder) piece(channel, destination, part string, body []byte, ref int64) []mcpsf.LeakDetail {
	if f.known(channel+" "+destination+" "+part, body) {
		return nil
	}
	var hits []canary.Hit
	f.look(func() {
		var cut bool
		if hits, cut = search(f.set, body); len(hits) == 0 {
			hits = f.gather(channel+" "+destination, body, ref)
		}
		f.noteCut(channel, cut)
	})
	return f.details(channel, destination, part, hits)
}

// gather joins a message with the earlier ones for the same destination.
func (f *Finder) gather(key string, body []byte, ref int64) []canary.Hit {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pieces.add(key, body, ref)
}

func (f *Finder) details(channel, destination, part string, hits []canary.Hit) []mcpsf.LeakDetail {
	return f.describe(f.marks, channel, destination, part, hits)
}

// describe turns the hits for these marks into leak details.
func (f *Finder) describe(marks []Mark, channel, destination, part string, hits []canary.Hit) []mcpsf.LeakDetail {
	var list []mcpsf.LeakDetail
	seen := map[int]bool{}
	for i := range hits {
		h := &hits[i]
		at, token, ok := marked(marks, h.Mark)
		if !ok || seen[at] || !enough(&marks[at], token, h.Share) || f.handed(&marks[at]) {
			continue
		}
		seen[at] = true // once per message
		m := &marks[at]
		if !f.tell(secretWay{m.ID, channel, Belongs(destination, m.Hosts)}, destination, part) {
			continue
		}
		list = append(list, mcpsf.LeakDetail{
			ID: m.ID, Kind: m.Kind, Source: m.Source, Given: m.Given, Configured: m.Configured,
			Belongs: Belongs(destination, m.Hosts),
			Channel: channel, Destination: destination, Part: part,
			Chain: h.Chain, Share: h.Share, Excerpt: h.Excerpt, Via: refs(h.Refs),
		})
	}
	return list
}

// marked returns the mark that a hit belongs to.
func marked(marks []Mark, name string) (at int, token string, ok bool) {
	first, second, _ := strings.Cut(name, ".")
	at, err := strconv.Atoi(first)
	n, failed := strconv.Atoi(second)
	if err != nil || failed != nil || at >= len(marks) || n >= len(marks[at].Tokens) {
		return 0, "", false
	}
	return at, marks[at].Tokens[n], true
}

// enough reports whether this share of a token proves a leak.
func enough(m *Mark, token string, share float64) bool {
	if m.Given {
		return share >= leastGiven
	}
	return share*float64(len(token)) >= float64(min(leastFound, len(token)))-0.5
}

// refs drops unknown event numbers.
func refs(list []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(list), func(n int64) bool { return n == 0 })
}

// Belongs reports whether a destination, with or without port, is one of the
// hosts or a subdomain.
func Belongs(destination string, hosts []string) bool {
	name := destination
	if host, _, err := net.SplitHostPort(destination); err == nil {
		name = host
	}
	return slices.ContainsFunc(hosts, func(h string) bool { return name == h || strings.HasSuffix(name, "."+h) })
}

// tell counts the reports of one leak and reports whether it is within the
// bound.
func (f *Finder) tell(w secretWay, destination, part string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.told.allow(w, destination, part)
}
