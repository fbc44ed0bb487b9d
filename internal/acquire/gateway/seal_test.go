package gateway

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSeal(t *testing.T) {
	s := newSeal()
	o := &origin{kind: targetPyPIFile, registry: "1", entry: "pypi x.whl", file: "x.whl", address: "https://user-secret.example/x.whl"}
	text := s.close(o)
	got, ok := s.open(text)
	if diff := cmp.Diff(o, got, cmp.AllowUnexported(origin{})); !ok || diff != "" {
		t.Errorf("ok %v (-want +got)\n%s", ok, diff)
	}
	if again := s.close(o); again != text {
		t.Error("the same file has two addresses")
	}
	other := *o
	other.registry = "0"
	if s.close(&other)[:16] == text[:16] {
		t.Error("two files share a nonce")
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "example") {
		t.Error("the sandbox can read where the file is")
	}
	if _, ok := newSeal().open(text); ok {
		t.Error("another gateway's seal was taken")
	}
}

func TestSealForged(t *testing.T) {
	s := newSeal()
	text := s.close(&origin{kind: targetNPMFile, file: "x.tgz", address: "https://files.example/x.tgz"})
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		forged := append([]byte(nil), b...)
		forged[i] ^= 1
		if _, ok := s.open(base64.RawURLEncoding.EncodeToString(forged)); ok {
			t.Fatalf("a change of byte %d was not seen", i)
		}
	}
	for n := range len(text) {
		if _, ok := s.open(text[:n]); ok {
			t.Fatalf("the first %d characters were taken", n)
		}
	}
	for _, forged := range []string{text + "A", text + "=", text + text, "", "AAAA", text[1:]} {
		if _, ok := s.open(forged); ok {
			t.Errorf("%q was taken", forged)
		}
	}
}
