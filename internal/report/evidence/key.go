package evidence

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mcpsf/mcpsf"
)

// maxKey is the maximum size of a file with a key.
// no gap: a larger bundle is refused with an error
const maxKey = 64 << 10

// NewKey makes a key and writes it: the private half to name, readable by its
// owner only, the public half to name.pub. An existing file is not overwritten.
func NewKey(name string) (id string, err error) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return "", fmt.Errorf("making a key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return "", fmt.Errorf("encoding the key: %w", err)
	}
	if err := putKey(name, 0o600, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})); err != nil {
		return "", err
	}
	if err := putKey(name+".pub", 0o644, EncodePublicKey(public)); err != nil {
		_ = os.Remove(name)
		return "", err
	}
	return KeyID(public), nil
}

func putKey(name string, mode os.FileMode, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		text := fmt.Sprintf("cannot write the key to %q; choose another place", name)
		if errors.Is(err, os.ErrExist) {
			text = fmt.Sprintf("%q is there already, and keys are not overwritten; choose another name", name)
		}
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: text, Err: err}
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(name)
		return fmt.Errorf("writing the key: %w", err)
	}
	return nil
}

// EncodePublicKey returns the key as PEM.
func EncodePublicKey(key ed25519.PublicKey) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: spki(key)})
}

// KeyID names a key: the SHA-256 of its SubjectPublicKeyInfo.
func KeyID(key ed25519.PublicKey) string {
	sum := sha256.Sum256(spki(key))
	return hex.EncodeToString(sum[:])
}

func spki(key ed25519.PublicKey) []byte {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		panic(err) // an ed25519 key can always be encoded
	}
	return der
}

// LoadPrivateKey reads the key to sign with.
func LoadPrivateKey(name string) (ed25519.PrivateKey, error) {
	block, err := readPEM(name)
	if err != nil {
		return nil, err
	}
	switch block.Type {
	case "PRIVATE KEY":
	case "ENCRYPTED PRIVATE KEY":
		return nil, badKey(name, "is encrypted, and mcpsf asks for no passphrase; decrypt it with: openssl pkey -in FILE -out PLAIN", nil)
	case "PUBLIC KEY":
		return nil, badKey(name, "is a public key; name the private one", nil)
	default:
		return nil, badKey(name, fmt.Sprintf("has a %q in it, not a PKCS #8 private key; make one with: mcpsf keys new FILE", block.Type), nil)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, badKey(name, "is not a readable private key", err)
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, badKey(name, "is not an ed25519 key; make one with: mcpsf keys new FILE", nil)
	}
	return private, nil
}

// LoadPublicKey reads the key to check a signature with.
func LoadPublicKey(name string) (ed25519.PublicKey, error) {
	block, err := readPEM(name)
	if err != nil {
		return nil, err
	}
	switch block.Type {
	case "PUBLIC KEY":
	case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
		return nil, badKey(name, "is a private key; print the public one with: mcpsf keys public FILE", nil)
	default:
		return nil, badKey(name, fmt.Sprintf("has a %q in it, not a public key", block.Type), nil)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, badKey(name, "is not a readable public key", err)
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, badKey(name, "is not an ed25519 key", nil)
	}
	return public, nil
}

func readPEM(name string) (*pem.Block, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, badKey(name, "cannot be opened", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxKey {
		return nil, badKey(name, fmt.Sprintf("is not a regular file of at most %d KiB", maxKey>>10), nil)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, badKey(name, "cannot be opened", err)
	}
	defer f.Close()
	data := make([]byte, maxKey)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, badKey(name, "cannot be read", err)
	}
	block, _ := pem.Decode(data[:n])
	if block == nil {
		return nil, badKey(name, "has no PEM in it", nil)
	}
	return block, nil
}

func badKey(name, what string, err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("%q %s", name, what), Err: err}
}
