// Package secretbox encrypts values for the database with a key that is not in
// it, and signs sessions.
//
// In: the secret of the service, from a file or a variable.
//
// Out: encrypted values (AES-256-GCM), signatures (HMAC-SHA-256) and keys derived
// for one purpose (HKDF).
//
// Never: log or return the secret itself.
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

// size is the length of the secret, in bytes.
const size = 32

// encryption is the purpose of the key that values are encrypted with. Changing
// it makes stored values unreadable.
const encryption = "seal"

// Key is the secret of a service. All its servers and workers have the same.
type Key struct{ secret []byte }

// New reads a key from text: 32 bytes in base64.
func New(text string) (*Key, error) {
	secret, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(secret) != size {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the secret must be 32 bytes in base64; make one with: head -c 32 /dev/urandom | base64"}
	}
	return &Key{secret}, nil
}

// Load reads the key from a file. If there is no file, it creates one with a new
// key.
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

// create writes a new key. If two processes do so at once, the first wins: the
// file is linked to its name, which fails if the name exists.
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

// For derives a key for one purpose. Keys of different purposes are independent.
func (k *Key) For(purpose string) []byte {
	derived, err := hkdf.Key(sha256.New, k.secret, nil, "mcpsf "+purpose, size)
	if err != nil {
		panic(err) // the length is a constant
	}
	return derived
}

func (k *Key) cipher() (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.For(encryption))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Encrypt encrypts a value. The additional data is not part of the result, but is
// needed to decrypt it: a value cannot be moved to another job.
func (k *Key) Encrypt(value, additional []byte) ([]byte, error) {
	c, err := k.cipher()
	if err != nil {
		return nil, err
	}
	return c.Seal(nil, nil, value, additional), nil //nolint:gosec // the cipher chooses the nonce itself
}

// Decrypt decrypts the result of [Key.Encrypt].
func (k *Key) Decrypt(encrypted, additional []byte) ([]byte, error) {
	c, err := k.cipher()
	if err != nil {
		return nil, err
	}
	value, err := c.Open(nil, nil, encrypted, additional)
	if err != nil {
		return nil, errors.New("cannot decrypt a value: it was changed, or encrypted with another secret")
	}
	return value, nil
}

// Sign returns the HMAC of a text, for one purpose.
func (k *Key) Sign(purpose string, text []byte) []byte {
	mac := hmac.New(sha256.New, k.For(purpose))
	mac.Write(text)
	return mac.Sum(nil)
}
