// Package secretbox keeps secrets from whoever gets hold of the database: values are
// encrypted with a key that is not in it.
package secretbox

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// size is how long the key of a service is.
const size = 32

// Key is the secret of a service. Everybody who works for it has the same.
type Key struct{ secret []byte }

// New reads a key from text: 32 bytes in base64.
func New(text string) (*Key, error) {
	secret, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(secret) != size {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the secret is 32 bytes in base64; make one with: head -c 32 /dev/urandom | base64"}
	}
	return &Key{secret}, nil
}

// Load reads the key from a file, and makes both if there is none.
func Load(path string) (*Key, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := create(path); err != nil {
			return nil, err
		}
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the secret: %w", err)
	}
	return New(string(text))
}

// create makes a key. Of two that do at once the first wins.
func create(path string) error {
	secret := make([]byte, size)
	if _, err := rand.Read(secret); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".secret-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(base64.StdEncoding.EncodeToString(secret) + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// For derives a key for one purpose: what is made for one means nothing to
// another.
func (k *Key) For(purpose string) []byte {
	derived, err := hkdf.Key(sha256.New, k.secret, nil, "mcpsf "+purpose, size)
	if err != nil {
		panic(err) // the length is a constant
	}
	return derived
}

func (k *Key) cipher() (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.For("seal"))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal encrypts. What it belongs to is not in it, but is needed to open it: a
// value cannot be moved elsewhere.
func (k *Key) Seal(value, belongs []byte) ([]byte, error) {
	c, err := k.cipher()
	if err != nil {
		return nil, err
	}
	return c.Seal(nil, nil, value, belongs), nil //nolint:gosec // the cipher chooses the nonce itself
}

// Open decrypts.
func (k *Key) Open(sealed, belongs []byte) ([]byte, error) {
	c, err := k.cipher()
	if err != nil {
		return nil, err
	}
	value, err := c.Open(nil, nil, sealed, belongs)
	if err != nil {
		return nil, errors.New("what was sealed cannot be opened: it was changed, or sealed with another secret")
	}
	return value, nil
}

// Sign makes a short proof that a text is ours, for one purpose.
func (k *Key) Sign(purpose string, text []byte) []byte {
	mac := hmac.New(sha256.New, k.For(purpose))
	mac.Write(text)
	return mac.Sum(nil)
}
