package gateway

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// origin is where a file really is. It goes through the sandbox sealed.
type origin struct {
	kind targetKind
	// registry is the scope for npm, the place of the index for PyPI.
	registry string
	// entry is what the lock calls the file: "npm name@version", "pypi file".
	entry string
	// file is what the sandbox calls it.
	file    string
	address string
}

// seal makes addresses that the sandbox can neither read nor invent. The same
// origin gets the same address as long as the gateway lives, because
// installers keep what they know by its address.
type seal struct {
	aead cipher.AEAD
	mac  []byte
}

func newSeal() *seal {
	var key [64]byte
	_, _ = rand.Read(key[:]) // never fails
	block, err := aes.NewCipher(key[:32])
	if err != nil {
		panic(err) // the length is right
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // so is the block size
	}
	return &seal{aead: aead, mac: key[32:]}
}

func (s *seal) close(o *origin) string {
	plain := []byte(strings.Join([]string{string(rune('0' + o.kind)), o.registry, o.entry, o.file, o.address}, "\x00"))
	// A nonce that depends on the text: different texts never share one.
	mac := hmac.New(sha256.New, s.mac)
	mac.Write(plain)
	nonce := mac.Sum(nil)[:s.aead.NonceSize()]
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nonce, nonce, plain, nil))
}

func (s *seal) open(text string) (*origin, bool) {
	// Strict: one address has one spelling.
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < s.aead.NonceSize() {
		return nil, false
	}
	plain, err := s.aead.Open(nil, b[:s.aead.NonceSize()], b[s.aead.NonceSize():], nil)
	if err != nil {
		return nil, false
	}
	parts := strings.Split(string(plain), "\x00")
	if len(parts) != 5 || len(parts[0]) != 1 {
		return nil, false
	}
	return &origin{
		kind: targetKind(parts[0][0] - '0'), registry: parts[1], entry: parts[2], file: parts[3], address: parts[4],
	}, true
}
