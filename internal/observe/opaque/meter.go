package opaque

import (
	"hash/maphash"
	"sync"

	"github.com/mcpsf/mcpsf"
)

const (
	// maxDestinations bounds the destinations that are told apart; all others
	// share one.
	// no gap: those are measured, too.
	maxDestinations = 1024
	// maxRemembered bounds the tokens that a destination is known to have.
	// no gap: beyond it a token counts each time.
	maxRemembered = 1 << 14
	// freeIdentifiers is how many identifiers of a message are not counted, and
	// identifier how many random bytes one has at most: a UUID has 16.
	freeIdentifiers, identifier = 2, 16
	// perUUID is for how many bytes of a message one more UUID is not counted: each
	// record of a batch has one.
	perUUID = 256
	// fewScraps is from how many short random tokens on they are counted:
	// versions and abbreviations look random, too, but are few.
	fewScraps = 6
)

// Meter measures the messages of one server. It is safe for concurrent use.
type Meter struct {
	mu    sync.Mutex
	seed  maphash.Seed
	known known
	to    map[string]*account
}

// account is what one destination got.
type account struct {
	total int64
	seen  map[uint64]bool
	// scraps are the short tokens, and scrapBytes the random bytes in them.
	scraps     int
	scrapBytes float64
}

// New returns a meter for a server that was given nothing yet.
func New() *Meter {
	return &Meter{seed: maphash.MakeSeed(), known: newKnown(), to: map[string]*account{}}
}

// Know adds what the server has from somebody else. What follows from it is not
// opaque.
func (m *Meter) Know(p []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known.add(p)
}

// KnowValue adds a value that the server may also send the digest of.
func (m *Meter) KnowValue(value []byte) {
	m.Know(value)
	m.Know(digests(value))
}

// Message begins a message to a destination, "" for the client.
func (m *Meter) Message(destination string) *Message {
	return &Message{m: m, destination: destination, parts: map[string][]byte{}}
}

// account returns that of a destination. Each answer to the client has its own.
func (m *Meter) account(destination string) *account {
	if destination == "" {
		return &account{seen: map[uint64]bool{}}
	}
	if m.to[destination] == nil && len(m.to) >= maxDestinations {
		destination = "others"
	}
	a := m.to[destination]
	if a == nil {
		a = &account{seen: map[uint64]bool{}}
		m.to[destination] = a
	}
	return a
}

// measure counts the random bytes of the tokens that the destination has not got
// before.
func (m *Meter) measure(destination string, size int, tokens []token) *mcpsf.OpaqueDetail {
	a := m.account(destination)
	free, freeUUIDs, sum, part, most := freeIdentifiers, size/perUUID, 0.0, "", 0.0
	for _, t := range tokens {
		key := maphash.String(m.seed, t.text)
		if a.seen[key] || m.known.has(&t) {
			continue
		}
		if len(a.seen) < maxRemembered {
			a.seen[key] = true
		}
		switch {
		case t.scrap:
			a.scraps++
			a.scrapBytes += t.bytes
			if a.scraps < fewScraps {
				continue
			}
			t.bytes, a.scrapBytes = a.scrapBytes, 0
		case t.bytes <= identifier && free > 0:
			free--
			continue
		case t.uuid && freeUUIDs > 0:
			freeUUIDs--
			continue
		}
		sum += t.bytes
		if t.bytes > most {
			part, most = t.part, t.bytes
		}
	}
	if sum < 1 {
		return nil
	}
	a.total += int64(sum)
	return &mcpsf.OpaqueDetail{Bytes: int64(sum), Total: a.total, Part: part}
}
