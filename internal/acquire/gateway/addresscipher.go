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

// upstreamFile is the location of a file at its registry. The sandbox sees it
// encrypted, as a token in the URL that it requests from the gateway.
type upstreamFile struct {
	kind targetKind
	// registry is the scope for npm, the position of the index for PyPI.
	registry string
	// entry is the file's name in the lock: "npm name@version", "pypi file".
	entry string
	// file is its name in the sandbox.
	file    string
	address string
}

// addressCipher makes tokens that the sandbox can neither read nor forge. The
// same file gets the same token during the gateway's lifetime, because
// installers cache by URL.
type addressCipher struct {
	aead cipher.AEAD
	mac  []byte
}

func newAddressCipher() *addressCipher {
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
	return &addressCipher{aead: aead, mac: key[32:]}
}

func (c *addressCipher) encrypt(o *upstreamFile) string {
	plain := []byte(strings.Join([]string{string(rune('0' + o.kind)), o.registry, o.entry, o.file, o.address}, "\x00"))
	// The nonce depends on the text, so that different texts never share one.
	mac := hmac.New(sha256.New, c.mac)
	mac.Write(plain)
	nonce := mac.Sum(nil)[:c.aead.NonceSize()]
	return base64.RawURLEncoding.EncodeToString(c.aead.Seal(nonce, nonce, plain, nil))
}

func (c *addressCipher) decrypt(text string) (*upstreamFile, bool) {
	// Strict decoding: each token has one spelling.
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < c.aead.NonceSize() {
		return nil, false
	}
	plain, err := c.aead.Open(nil, b[:c.aead.NonceSize()], b[c.aead.NonceSize():], nil)
	if err != nil {
		return nil, false
	}
	parts := strings.Split(string(plain), "\x00")
	if len(parts) != 5 || len(parts[0]) != 1 {
		return nil, false
	}
	return &upstreamFile{
		kind: targetKind(parts[0][0] - '0'), registry: parts[1], entry: parts[2], file: parts[3], address: parts[4],
	}, true
}
