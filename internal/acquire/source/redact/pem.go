package redact

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	frameBegin = lazyregexp.New(`-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----`)
	anyFrame   = lazyregexp.New(`-----BEGIN [A-Z0-9 ]{1,60}-----`)
)

// keys replaces the private keys in a file of keys and certificates. Public
// parts stay; a file without any PEM frame is a single secret.
func (m *Mask) keys(data string) string {
	switch {
	case frameBegin.MatchString(data):
		out := m.frames(data)
		return m.outside(out)
	case anyFrame.MatchString(data), strings.TrimSpace(data) == "":
		return data
	case strings.Contains(data, "\n") && strings.Contains(data, ":"):
		return m.lines(data) // PuTTY's
	}
	return m.whole(data)
}

// outside handles the text around the frames, because some tools write the key
// there a second time, for people.
func (m *Mask) outside(data string) string {
	var b strings.Builder
	for data != "" {
		at := anyFrame.FindStringIndex(data)
		if at == nil {
			b.WriteString(m.lines(data))
			break
		}
		b.WriteString(m.lines(data[:at[0]]))
		end := frameEnd(data, at)
		b.WriteString(data[at[0]:end])
		data = data[end:]
	}
	return b.String()
}

// frameEnd is the end of the frame that begins at at.
func frameEnd(data string, at []int) int {
	frame := strings.Replace(data[at[0]:at[1]], "BEGIN", "END", 1)
	if n := strings.Index(data[at[1]:], frame); n >= 0 {
		return at[1] + n + len(frame)
	}
	return len(data)
}

// frames replaces the private keys in any text.
func (m *Mask) frames(data string) string {
	var b strings.Builder
	for n := 0; ; n++ {
		at := frameBegin.FindStringSubmatchIndex(data)
		if at == nil {
			b.WriteString(data)
			return b.String()
		}
		kind := data[at[2]:at[3]]
		end := frameEnd(data, at)
		body := data[at[1]:end]
		footer := ""
		if i := strings.LastIndex(body, "-----END "); i >= 0 {
			body, footer = body[:i], body[i:]
		}
		b.WriteString(data[:at[1]] + m.key(fmt.Sprintf("%s %d", kind, n), kind, body) + footer)
		data = data[end:]
	}
}

// key makes new content for a frame: as many bytes, on lines of the same
// length.
func (m *Mask) key(name, kind, body string) string {
	if strings.Contains(body, `\`) { // all on one line, with escapes
		return m.escapedKey(name, body)
	}
	var head, text strings.Builder
	first, indent := "", ""
	for line := range strings.Lines(body) {
		content := strings.TrimSpace(line)
		switch {
		case first == "" && (content == "" || strings.Contains(content, ":")):
			head.WriteString(line) // how it is encrypted
		case content != "" && !strings.HasPrefix(content, "="): // a checksum
			if first == "" {
				first = line
				indent, _, _ = strings.Cut(line, content)
			}
			text.WriteString(content)
		}
	}
	if first == "" {
		return body
	}
	m.Count++
	rng := shapeRand(m.seed, name)
	der, err := base64.StdEncoding.DecodeString(text.String())
	if err != nil {
		return head.String() + reshapeLong(rng, body[head.Len():])
	}
	content := strings.TrimSpace(first)
	ending := strings.TrimPrefix(first, indent+content)
	out := base64.StdEncoding.EncodeToString(newKey(rng, kind, der))
	var b strings.Builder
	b.WriteString(head.String())
	for out != "" {
		n := min(len(out), len(content))
		b.WriteString(indent + out[:n] + ending)
		out = out[n:]
	}
	tail := body[len(strings.TrimRight(body, " \t")):]
	return b.String() + tail
}

func (m *Mask) escapedKey(name, body string) string {
	rng := shapeRand(m.seed, name)
	var b strings.Builder
	last := 0
	for _, at := range append(keyEscape.FindAllStringIndex(body, -1), []int{len(body), len(body)}) {
		b.WriteString(reshapeLong(rng, body[last:at[0]]) + body[at[0]:at[1]])
		last = at[1]
	}
	m.Count++
	return b.String()
}

var keyEscape = lazyregexp.New(`\\[nrt]`)

// reshapeLong is [reshape] for texts of any length.
func reshapeLong(rng *rand.Rand, text string) string {
	const piece = 4 << 10
	var b strings.Builder
	for text != "" {
		n := min(piece, len(text))
		b.WriteString(reshape(rng, text[:n]))
		text = text[n:]
	}
	return b.String()
}

// newKey returns a key of the same kind if that is cheap, else as many bytes
// that only begin like one.
func newKey(rng *rand.Rand, kind string, old []byte) []byte {
	fresh := make([]byte, len(old))
	for i := range fresh {
		fresh[i] = byte(rng.Uint32())
	}
	if der := curveKey(rng, kind, old); der != nil {
		return der
	}
	const openSSH = "openssh-key-v1\x00"
	switch {
	case strings.HasPrefix(string(old), openSSH):
		copy(fresh, openSSH)
	case len(old) > 4 && old[0] == 0x30:
		copy(fresh, old[:4]) // the header of an ASN.1 sequence with its length
	}
	return fresh
}

// curveKey makes elliptic-curve keys, nil for all others.
func curveKey(rng *rand.Rand, kind string, old []byte) []byte {
	var parsed any
	var err error
	switch kind {
	case "PRIVATE KEY":
		parsed, err = x509.ParsePKCS8PrivateKey(old)
	case "EC PRIVATE KEY":
		parsed, err = x509.ParseECPrivateKey(old)
	}
	if err != nil {
		return nil
	}
	switch k := parsed.(type) {
	case ed25519.PrivateKey:
		der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(someBytes(rng, ed25519.SeedSize)))
		if err != nil {
			return nil
		}
		return der
	case *ecdsa.PrivateKey:
		return ecdsaKey(rng, kind, k)
	}
	return nil
}

func ecdsaKey(rng *rand.Rand, kind string, old *ecdsa.PrivateKey) []byte {
	const tries = 16
	marshal := func(k *ecdsa.PrivateKey) ([]byte, error) { return x509.MarshalPKCS8PrivateKey(k) }
	if kind == "EC PRIVATE KEY" {
		marshal = x509.MarshalECPrivateKey
	}
	bits := old.Curve.Params().BitSize
	for range tries {
		raw := someBytes(rng, (bits+7)/8)
		raw[0] >>= (8 - bits%8) % 8
		if k, err := ecdsa.ParseRawPrivateKey(old.Curve, raw); err == nil {
			if der, err := marshal(k); err == nil {
				return der
			}
		}
	}
	return nil
}

func someBytes(rng *rand.Rand, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(rng.Uint32())
	}
	return out
}
