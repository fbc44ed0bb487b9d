package evidence

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func testKey(t testing.TB) (ed25519.PublicKey, ed25519.PrivateKey) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return public, private
}

func TestNewKey(t *testing.T) {
	name := filepath.Join(t.TempDir(), "k.pem")
	id, err := NewKey(name)
	if err != nil {
		t.Fatal(err)
	}
	private, err := LoadPrivateKey(name)
	if err != nil {
		t.Fatal(err)
	}
	public, err := LoadPublicKey(name + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if !public.Equal(private.Public()) || KeyID(public) != id {
		t.Error("the halves do not belong together")
	}
	if info, err := os.Stat(name); err != nil || info.Mode() != 0o600 {
		t.Errorf("the private key has mode %v, %v", info.Mode(), err)
	}
}

func TestNewKeyOverwritesNothing(t *testing.T) {
	for _, there := range []string{"k.pem", "k.pem.pub"} {
		t.Run(there, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, there, []byte("precious"))
			_, err := NewKey(filepath.Join(dir, "k.pem"))
			if err == nil || mcpsf.ErrorCode(err) != mcpsf.CodeUsage || !strings.Contains(err.Error(), "is there already") {
				t.Errorf("got %v", err)
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 || string(get(t, dir, there)) != "precious" {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestKeysThatAreNone(t *testing.T) {
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(other)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(other.Public())
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, der []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	}
	ours, _ := testKey(t)
	tests := map[string]struct {
		data            []byte
		private, public string
	}{
		"empty":     {nil, "no PEM", "no PEM"},
		"text":      {[]byte("hello"), "no PEM", "no PEM"},
		"RSA":       {block("PRIVATE KEY", private), "not an ed25519 key", "is a private key"},
		"RSA half":  {block("PUBLIC KEY", public), "is a public key", "not an ed25519 key"},
		"encrypted": {block("ENCRYPTED PRIVATE KEY", []byte{1}), "is encrypted", "is a private key"},
		"openssh":   {block("OPENSSH PRIVATE KEY", []byte{1}), `has a "OPENSSH PRIVATE KEY"`, `has a "OPENSSH PRIVATE KEY"`},
		"garbage":   {block("PRIVATE KEY", []byte{1, 2}), "not a readable", "is a private key"},
		"half":      {block("PUBLIC KEY", []byte{1, 2}), "is a public key", "not a readable"},
		"public":    {EncodePublicKey(ours), "is a public key", ""},
		"too large": {make([]byte, maxKey+1), "at most 64 KiB", "at most 64 KiB"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "k", tt.data)
			_, err := LoadPrivateKey(filepath.Join(dir, "k"))
			wantError(t, err, tt.private)
			_, err = LoadPublicKey(filepath.Join(dir, "k"))
			wantError(t, err, tt.public)
		})
	}
	_, err = LoadPrivateKey(filepath.Join(t.TempDir(), "nowhere"))
	wantError(t, err, "cannot be opened")
	_, err = LoadPublicKey(t.TempDir())
	wantError(t, err, "not a regular file")
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err == nil:
	case err == nil, want == "", !strings.Contains(err.Error(), want), mcpsf.ErrorCode(err) != mcpsf.CodeUsage:
		t.Errorf("got %v, want %q", err, want)
	}
}
