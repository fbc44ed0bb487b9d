package decoys

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"time"
)

// The alphabets tokens are made of.
const (
	digits   = "0123456789"
	upper    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower    = "abcdefghijklmnopqrstuvwxyz"
	hexits   = "0123456789abcdef"
	alnum    = digits + upper + lower
	base32   = upper + "234567"
	base64ab = upper + lower + digits + "+/"
	urlsafe  = upper + lower + digits + "-_"
)

// kit is shared by all files of a home.
type kit struct {
	seed uint64
	now  time.Time
	who  persona
	// The keys that take long to find: these functions wait for them.
	sshKey, accountKey func() rsaKey
}

// persona is the owner of the home.
type persona struct {
	first, last string
	login       string
	email       string
	company     string // one lower-case word
	domain      string
	// services is the domain of the company's databases and clusters.
	services string
}

func newKit(seed uint64, now time.Time) *kit {
	k := &kit{seed: seed, now: now.UTC()}
	m := k.mint("persona")
	p := persona{
		first: pick(m, "Mara", "Jonas", "Elif", "Tomasz", "Ines", "Noah", "Priya", "Lukas", "Sofia", "Kenji", "Amara", "Oskar", "Leila", "Diego", "Hanna", "Yusuf"),
		last:  pick(m, "Lindqvist", "Okafor", "Moreau", "Kowalski", "Ferreira", "Brandt", "Raman", "Novak", "Castell", "Ishida", "Haddad", "Virtanen", "Keller", "Duarte", "Sato", "Petrov"),
		company: pick(m, "amber", "bright", "cedar", "copper", "harbor", "iron", "maple", "north", "oak", "quiet", "red", "river", "silver", "stone", "summit", "willow") +
			pick(m, "bridge", "brook", "crest", "fern", "field", "forge", "gate", "lane", "leaf", "mill", "pine", "point", "quay", "ridge", "works", "yard"),
	}
	p.login = strings.ToLower(p.first[:1] + p.last)
	k.who = p.at("internal")
	return k
}

// at returns the persona of a company whose domain ends in top. Private
// networks use "internal": nobody can register such a name, and it looks
// ordinary. What programs connect to by their configuration is outside: the fake
// Internet has it, and clients get further than to their first look-up.
func (p persona) at(top string) persona {
	p.domain, p.services = p.company+"."+top, p.company+".example"
	p.email = strings.ToLower(p.first) + "@" + p.domain
	return p
}

// mint is a source of values for one file. Each file has its own, so that
// adding a file does not change the others.
type mint struct {
	rng    *rand.Rand
	stream *rand.ChaCha8
	tokens []string
}

func (k *kit) mint(label string) *mint {
	key := sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, k.seed), label...))
	stream := rand.NewChaCha8(key)
	return &mint{rng: rand.New(stream), stream: stream}
}

// text returns n characters of an alphabet.
func (m *mint) text(n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.rng.IntN(len(alphabet))]
	}
	return string(b)
}

func (m *mint) bytes(n int) []byte {
	b := make([]byte, n)
	_, _ = m.stream.Read(b) // never fails
	return b
}

// keep records a token and returns it.
func (m *mint) keep(token string) string {
	m.tokens = append(m.tokens, token)
	return token
}

// secret is a token of n characters after a prefix. The prefix is common to all
// such tokens and proves nothing.
func (m *mint) secret(prefix string, n int, alphabet string) string {
	return prefix + m.keep(m.text(n, alphabet))
}

// password looks like one of a password manager; it needs no escaping in any of
// the formats here.
func (m *mint) password() string { return m.secret("", 20, alnum) }

// checked is a token with the checksum that GitHub and npm append to theirs: a
// thief can verify the format offline.
func (m *mint) checked(prefix string) string {
	body := m.text(30, alnum)
	sum := crc32.ChecksumIEEE([]byte(body))
	tail := make([]byte, 6)
	for i := len(tail) - 1; i >= 0; i-- {
		tail[i] = alnum[sum%62]
		sum /= 62
	}
	return prefix + m.keep(body+string(tail))
}

func (m *mint) uuid() string {
	b := m.bytes(16)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// jwt is a signed token as identity services issue it; only the issuer could
// tell that the signature is random. The part before the signature is similar
// in every such token.
func (m *mint) jwt(header, claims string) string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(header)) + "." + enc([]byte(claims)) + "." + m.keep(enc(m.bytes(256)))
}

func pick(m *mint, from ...string) string { return from[m.rng.IntN(len(from))] }

// ago is a time in the past: a number of days and a part of one.
func (k *kit) ago(m *mint, days int) time.Time {
	return k.now.AddDate(0, 0, -days).Add(-time.Duration(m.rng.Int64N(int64(9 * time.Hour)))).Truncate(time.Second)
}
