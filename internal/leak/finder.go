package leak

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/canary"
)

// Mark is something whose bytes prove where they come from.
type Mark struct {
	// ID, Kind and Source are told with the leak.
	ID, Kind, Source string
	// Given is set for what the caller of a tool hands over.
	Given bool
	// Tokens are the strings that occur nowhere else.
	Tokens []string
}

const (
	// leastToken is the length from which a token can be recognised.
	leastToken = 8
	// maxTold bounds how often the same secret is told on the same way: whoever
	// sends it a thousand times is known after a few.
	maxTold = 5
	// maxGathers bounds the destinations for which pieces are put together.
	maxGathers = 256
	// maxPiece is how long a message may be that is taken for a piece.
	maxPiece = 4096
)

// Finder recognises the marks of a run. It is safe for concurrent use.
type Finder struct {
	set   *canary.Set
	marks []Mark

	mu      sync.Mutex
	told    map[way]int
	gathers map[string]*canary.Gather
}

// way is how a secret left.
type way struct {
	mark                       int
	channel, destination, part string
}

// New compiles the marks. Tokens that are too short to be told from other text
// are left out.
func New(marks []Mark) (*Finder, error) {
	f := &Finder{marks: marks, told: map[way]int{}, gathers: map[string]*canary.Gather{}}
	var list []canary.Mark
	for i := range marks {
		for n, token := range marks[i].Tokens {
			if len(token) >= leastToken {
				list = append(list, canary.Mark{ID: fmt.Sprintf("%d.%d", i, n), Value: []byte(token)})
			}
		}
	}
	var err error
	if f.set, err = canary.Compile(list); err != nil {
		return nil, fmt.Errorf("preparing to recognise what was planted: %w", err)
	}
	return f, nil
}

// Decoys are the marks of planted files.
func Decoys(decoys []mcpsf.Decoy) []Mark {
	marks := make([]Mark, 0, len(decoys))
	for i := range decoys {
		d := &decoys[i]
		marks = append(marks, Mark{ID: d.ID, Kind: d.Kind, Source: d.Path, Tokens: d.Tokens})
	}
	return marks
}

// Message looks into one message that is complete.
func (f *Finder) Message(channel, destination, part string, body []byte) []mcpsf.LeakDetail {
	return f.details(channel, destination, part, f.set.Bytes(body))
}

// Piece looks into one of several messages to a destination, which may carry a
// part of a secret each. ref is the event that tells of the message.
func (f *Finder) Piece(channel, destination, part string, body []byte, ref int64) []mcpsf.LeakDetail {
	hits := f.set.Bytes(body)
	if len(hits) == 0 && len(body) <= maxPiece {
		hits = f.gather(channel+" "+destination, body, ref)
	}
	return f.details(channel, destination, part, hits)
}

// gather adds a message to the others for the same destination. A destination
// too many is looked at by itself.
func (f *Finder) gather(key string, body []byte, ref int64) []canary.Hit {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.gathers[key]
	if g == nil {
		if len(f.gathers) >= maxGathers {
			return nil
		}
		g = f.set.Gather()
		f.gathers[key] = g
	}
	return g.Add(body, ref)
}

func (f *Finder) details(channel, destination, part string, hits []canary.Hit) []mcpsf.LeakDetail {
	var list []mcpsf.LeakDetail
	for i := range hits {
		h := &hits[i]
		number, _, _ := strings.Cut(h.Mark, ".")
		at, err := strconv.Atoi(number)
		if err != nil || !f.tell(way{at, channel, destination, part}) {
			continue
		}
		m := &f.marks[at]
		list = append(list, mcpsf.LeakDetail{
			ID: m.ID, Kind: m.Kind, Source: m.Source, Given: m.Given,
			Channel: channel, Destination: destination, Part: part,
			Chain: h.Chain, Share: h.Share, Excerpt: h.Excerpt, Via: h.Refs,
		})
	}
	return list
}

// tell counts what is told on a way.
func (f *Finder) tell(w way) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told[w]++
	return f.told[w] <= maxTold
}
