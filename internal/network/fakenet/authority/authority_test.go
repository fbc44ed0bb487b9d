package authority

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func noon() time.Time { return time.Date(2031, 5, 4, 12, 0, 0, 0, time.UTC) }

func make32(t testing.TB, b byte) *Authority {
	t.Helper()
	a, err := New(bytes.NewReader(bytes.Repeat([]byte{b}, 32)), noon())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestLeafVerifies(t *testing.T) {
	a := make32(t, 1)
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(a.PEM()) {
		t.Fatal("PEM holds no certificate")
	}
	for _, name := range []string{
		"api.weather.example", "API.Weather.Example.", "192.0.2.7", "2001:db8::7", "a_b.example",
		strings.Repeat("long-label.", 20) + "example",
	} {
		t.Run(name, func(t *testing.T) {
			leaf, err := a.Leaf(name)
			if err != nil {
				t.Fatal(err)
			}
			host := strings.TrimSuffix(name, ".")
			if strings.Contains(host, ":") {
				host = "[" + host + "]"
			}
			if _, err := leaf.Leaf.Verify(x509.VerifyOptions{DNSName: host, Roots: pool, CurrentTime: noon()}); err != nil {
				t.Error(err)
			}
			if _, err := leaf.Leaf.Verify(x509.VerifyOptions{DNSName: "other.example", Roots: pool, CurrentTime: noon()}); err == nil {
				t.Error("is valid for another name, too")
			}
		})
	}
}

func TestLeafRefuses(t *testing.T) {
	a := make32(t, 1)
	for _, name := range []string{"", ".", "a..b", "a b", "a\x00b", "é.example", "*.example", strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 130) + "b"} {
		if _, err := a.Leaf(name); err == nil {
			t.Errorf("Leaf(%q) is a certificate", name)
		}
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	a, b, c := make32(t, 1), make32(t, 1), make32(t, 2)
	if !bytes.Equal(a.PEM(), b.PEM()) || bytes.Equal(a.PEM(), c.PEM()) {
		t.Error("the root does not follow the seed")
	}
	la, errA := a.Leaf("x.example")
	lb, errB := b.Leaf("x.example")
	if errA != nil || errB != nil || !bytes.Equal(la.Certificate[0], lb.Certificate[0]) {
		t.Error("the leaf does not follow the seed", errA, errB)
	}
}

func TestNothingTellsOnUs(t *testing.T) {
	for seed := range byte(40) {
		a := make32(t, seed)
		leaf, err := a.Leaf("x.example")
		if err != nil {
			t.Fatal(err)
		}
		all := strings.ToLower(string(a.root.Raw) + string(leaf.Certificate[0]))
		for _, word := range []string{"mcp", "sandbox", "fake", "test", "sink"} {
			if strings.Contains(all, word) {
				t.Errorf("seed %d: the certificates say %q", seed, word)
			}
		}
		if age := noon().Sub(a.root.NotBefore); age < 180*24*time.Hour {
			t.Errorf("seed %d: the root is only %v old", seed, age)
		}
		if life := leaf.Leaf.NotAfter.Sub(leaf.Leaf.NotBefore); life > 200*24*time.Hour {
			t.Errorf("seed %d: a certificate for %v is more than clients take", seed, life)
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	a := make32(t, 1)
	for i := range maxLeaves + 10 {
		a.leaves[fmt.Sprint("n", i)] = nil
	}
	first, err := a.Leaf("x.example")
	if err != nil {
		t.Fatal(err)
	}
	second, err := a.Leaf("x.example")
	if err != nil || first != second {
		t.Error("made twice", err)
	}
	if len(a.leaves) > maxLeaves {
		t.Errorf("%d certificates are kept", len(a.leaves))
	}
}

func TestSeedTooShort(t *testing.T) {
	if _, err := New(strings.NewReader("short"), noon()); err == nil {
		t.Error("a seed of five bytes was enough")
	}
}

// TestStrict uses the strictest verifier available.
func TestStrict(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("no openssl here")
	}
	a, err := New(bytes.NewReader(bytes.Repeat([]byte{7}, 32)), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := a.Leaf("strict.example")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root, der, crt := filepath.Join(dir, "root.pem"), filepath.Join(dir, "leaf.der"), filepath.Join(dir, "leaf.pem")
	if err := os.WriteFile(root, a.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(der, leaf.Certificate[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), openssl, "x509", "-inform", "der", "-in", der, "-out", crt).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), openssl, "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", "strict.example", "-CAfile", root, crt).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func BenchmarkLeaf(b *testing.B) {
	a := make32(b, 1)
	for i := 0; b.Loop(); i++ {
		if _, err := a.Leaf(fmt.Sprintf("n%d.example", i)); err != nil {
			b.Fatal(err)
		}
	}
}
