package opaque

import (
	"crypto/md5"  //nolint:gosec // what others use it for
	"crypto/sha1" //nolint:gosec // what others use it for
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash/maphash"
	"strings"
)

const (
	// gram is the length of the pieces by which a longer token is recognised.
	gram = 8
	// maxGrams bounds the remembered pieces. When it is reached the oldest half is
	// forgotten.
	// no gap: what is forgotten counts as opaque.
	maxGrams = 1 << 21
	// mostKnown is how much of one text is remembered.
	// no gap: the rest counts as opaque.
	mostKnown = 256 << 10
)

// known remembers texts by the hashes of their pieces.
type known struct {
	seed     maphash.Seed
	new, old *filter
}

func newKnown() known { return known{maphash.MakeSeed(), &filter{}, &filter{}} }

// add remembers the tokens of a text, or the bytes of other data. A server may
// send such data on in base64.
func (k *known) add(p []byte) {
	p = p[:min(len(p), mostKnown)]
	if !isText(p) {
		k.pieces(string(p))
		p = []byte(base64.StdEncoding.EncodeToString(p))
	}
	for t := range strings.FieldsFuncSeq(strings.ToLower(string(p)), notAlphanumeric) {
		if len(t) < gram {
			k.put(t)
		}
		k.pieces(t)
	}
}

func (k *known) pieces(s string) {
	for i := 0; i+gram <= len(s); i++ {
		k.put(s[i : i+gram])
	}
}

func (k *known) put(s string) {
	if k.new.count >= maxGrams/2 {
		k.new, k.old = &filter{}, k.new
	}
	k.new.add(maphash.String(k.seed, s))
}

func (k *known) knows(s string) bool {
	h := maphash.String(k.seed, s)
	return k.new.has(h) || k.old.has(h)
}

// has tells whether a token, or nearly all of it, was in something known.
func (k *known) has(t *token) bool {
	text := t.text
	if !t.binary {
		text = strings.ToLower(text)
	}
	if len(text) < gram {
		return k.knows(text)
	}
	found, all := 0, 0
	for i := 0; i+gram <= len(text); i++ {
		all++
		if k.knows(text[i : i+gram]) {
			found++
		}
	}
	return found*5 >= all*4
}

func notAlphanumeric(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && (r < 'A' || r > 'Z')
}

// digests returns the usual digests of a value in their usual notations.
func digests(value []byte) []byte {
	a, b, c, d := md5.Sum(value), sha1.Sum(value), sha256.Sum256(value), sha512.Sum512(value) //nolint:gosec // recognised, not relied on
	var out []byte
	for _, sum := range [][]byte{a[:], b[:], c[:], d[:]} {
		out = append(out, hex.EncodeToString(sum)+" "+base64.StdEncoding.EncodeToString(sum)+" "+base64.URLEncoding.EncodeToString(sum)+" "...)
	}
	return out
}
