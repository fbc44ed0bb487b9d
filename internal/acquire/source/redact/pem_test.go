package redact

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// testKeys returns private keys in the usual containers.
func testKeys(t testing.TB) map[string]*pem.Block {
	t.Helper()
	pkcs8 := func(key any) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		sourcetest.Must(t, err)
		return der
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	sourcetest.Must(t, err)
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	sourcetest.Must(t, err)
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	sourcetest.Must(t, err)
	p521, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	sourcetest.Must(t, err)
	sec1, err := x509.MarshalECPrivateKey(p256)
	sourcetest.Must(t, err)
	return map[string]*pem.Block{
		"rsa":     {Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(rsaKey)},
		"rsa8":    {Type: "PRIVATE KEY", Bytes: pkcs8(rsaKey)},
		"ed25519": {Type: "PRIVATE KEY", Bytes: pkcs8(edKey)},
		"p256":    {Type: "PRIVATE KEY", Bytes: pkcs8(p256)},
		"p521":    {Type: "PRIVATE KEY", Bytes: pkcs8(p521)},
		"sec1":    {Type: "EC PRIVATE KEY", Bytes: sec1},
		"openssh": {Type: "OPENSSH PRIVATE KEY", Bytes: append([]byte("openssh-key-v1\x00"), x509.MarshalPKCS1PrivateKey(rsaKey)[:400]...)},
		"locked": {
			Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(rsaKey),
			Headers: map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "AES-128-CBC,00112233445566778899AABBCCDDEEFF"},
		},
	}
}

func TestPrivateKeys(t *testing.T) {
	for name, block := range testKeys(t) {
		t.Run(name, func(t *testing.T) {
			text := string(pem.EncodeToMemory(block))
			before, after := "Subject: x\r\n", "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2F0\n-----END CERTIFICATE-----\n"
			for _, ending := range []string{"\n", "\r\n"} {
				data := before + strings.ReplaceAll(text, "\n", ending) + after
				m := NewMask("server.pem", Classify("server.pem"))
				got, why := m.Apply(data)
				if why != "" || m.Count != 1 || len(got) != len(data) || !strings.HasPrefix(got, before+"-----BEGIN ") || !strings.HasSuffix(got, after) {
					t.Fatalf("%s, %d replaced: %s", why, m.Count, got)
				}
				fake, rest := pem.Decode([]byte(got))
				if fake == nil || fake.Type != block.Type || len(fake.Bytes) != len(block.Bytes) || len(fake.Headers) != len(block.Headers) || string(rest) != after {
					t.Fatalf("it became %s", got)
				}
				checkKey(t, name, block, fake)
			}
		})
	}
}

func checkKey(t *testing.T, name string, block, fake *pem.Block) {
	t.Helper()
	var err error
	switch name {
	case "ed25519", "p256", "p521":
		_, err = x509.ParsePKCS8PrivateKey(fake.Bytes)
		if strings.Contains(string(fake.Bytes), string(block.Bytes[len(block.Bytes)-16:])) {
			t.Error("the key survived")
		}
	case "sec1":
		_, err = x509.ParseECPrivateKey(fake.Bytes)
	default:
		old, out := string(block.Bytes), string(fake.Bytes)
		for at := 20; at+5 <= len(old); at++ {
			if strings.Contains(out, old[at:at+5]) {
				t.Errorf("bytes of the key survived at %d", at)
			}
		}
	}
	if err != nil {
		t.Errorf("the fake is no key: %v", err)
	}
}

// TestBrokenFrames has keys that no program would accept, but that are real
// nevertheless.
func TestBrokenFrames(t *testing.T) {
	body := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("the key itself, ", 20)))
	for name, data := range map[string]string{
		"no end":       "-----BEGIN PRIVATE KEY-----\n" + body,
		"other end":    "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END CERTIFICATE-----\n",
		"no base 64":   "-----BEGIN PRIVATE KEY-----\n" + body + "!\n-----END PRIVATE KEY-----\n",
		"one line":     "-----BEGIN PRIVATE KEY-----" + body + "-----END PRIVATE KEY-----",
		"indented":     "key: |\n  -----BEGIN PRIVATE KEY-----\n  " + body + "\n  -----END PRIVATE KEY-----\n",
		"escaped":      "-----BEGIN PRIVATE KEY-----\\n" + body + "\\n-----END PRIVATE KEY-----\\n",
		"two":          "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n-----BEGIN EC PRIVATE KEY-----\n" + body + "\n-----END EC PRIVATE KEY-----\n",
		"outside":      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n" + body + "\n",
		"no frame":     body,
		"without name": "-----BEGIN-----\n" + body + "\n",
		"putty":        "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n" + body + "\n",
	} {
		for _, path := range []string{"x.pem", "id_rsa", ".env"} {
			m := NewMask(path, Classify(path))
			got, why := m.Apply(data)
			for at := 0; at+12 <= len(body); at += 4 {
				if why == "" && strings.Contains(got, body[at:at+12]) {
					t.Errorf("%s in %s: the key survived: %s", name, path, got)
					break
				}
			}
		}
	}
}
