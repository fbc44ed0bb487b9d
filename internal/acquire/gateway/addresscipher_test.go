package gateway

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddressCipher(t *testing.T) {
	c := newAddressCipher()
	o := &upstreamFile{kind: targetPyPIFile, registry: "1", entry: "pypi x.whl", file: "x.whl", address: "https://user-secret.example/x.whl"}
	text := c.encrypt(o)
	got, ok := c.decrypt(text)
	if diff := cmp.Diff(o, got, cmp.AllowUnexported(upstreamFile{})); !ok || diff != "" {
		t.Errorf("ok %v (-want +got)\n%s", ok, diff)
	}
	if again := c.encrypt(o); again != text {
		t.Error("the same file has two addresses")
	}
	other := *o
	other.registry = "0"
	if c.encrypt(&other)[:16] == text[:16] {
		t.Error("two files share a nonce")
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "example") {
		t.Error("the sandbox can read where the file is")
	}
	if _, ok := newAddressCipher().decrypt(text); ok {
		t.Error("another gateway's token was taken")
	}
}

func TestForgedAddress(t *testing.T) {
	c := newAddressCipher()
	text := c.encrypt(&upstreamFile{kind: targetNPMFile, file: "x.tgz", address: "https://files.example/x.tgz"})
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		forged := append([]byte(nil), b...)
		forged[i] ^= 1
		if _, ok := c.decrypt(base64.RawURLEncoding.EncodeToString(forged)); ok {
			t.Fatalf("a change of byte %d was not seen", i)
		}
	}
	for n := range len(text) {
		if _, ok := c.decrypt(text[:n]); ok {
			t.Fatalf("the first %d characters were taken", n)
		}
	}
	for _, forged := range []string{text + "A", text + "=", text + text, "", "AAAA", text[1:]} {
		if _, ok := c.decrypt(forged); ok {
			t.Errorf("%q was taken", forged)
		}
	}
}
