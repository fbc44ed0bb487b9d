// Package authority is the certificate authority of one run: a seed goes in, a
// root that the sandbox trusts and certificates for any name come out.
//
// The same seed and the same time give the same certificates, byte for byte.
// Nothing in them reveals that the network is fake.
package authority

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"sync"
	"time"
)

// Authority signs certificates. It is safe for concurrent use.
type Authority struct {
	secret []byte
	now    time.Time
	root   *x509.Certificate
	key    *ecdsa.PrivateKey

	mu     sync.Mutex
	leaves map[string]*tls.Certificate
}

// secretSize is how many bytes of the seed are read.
const secretSize = 32

// New makes the authority of a seed at the time now.
func New(seed io.Reader, now time.Time) (*Authority, error) {
	secret := make([]byte, secretSize)
	if _, err := io.ReadFull(seed, secret); err != nil {
		return nil, fmt.Errorf("reading the seed of the certificate authority: %w", err)
	}
	a := &Authority{secret: secret, now: now.UTC().Truncate(24 * time.Hour), leaves: map[string]*tls.Certificate{}}
	a.key = a.privateKey("root")
	if err := a.makeRoot(); err != nil {
		return nil, err
	}
	return a, nil
}

// PEM is the root certificate, for a system's trust store.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.root.Raw})
}

// Root is the same certificate, parsed.
func (a *Authority) Root() *x509.Certificate { return a.root }

func (a *Authority) makeRoot() error {
	firm := a.pick("firm", firms())
	template := &x509.Certificate{
		SerialNumber: a.serial("root"),
		Subject: pkix.Name{
			Country:      []string{"US"},
			Organization: []string{firm},
			CommonName:   firm + " Root CA " + a.pick("generation", []string{"R1", "G2", "R3", "X1"}),
		},
		NotBefore:             a.now.AddDate(0, -a.number("age", 7, 22), -a.number("day", 1, 27)),
		NotAfter:              a.now.AddDate(a.number("life", 6, 14), 0, 0),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
	}
	// Without a source of randomness, signatures follow RFC 6979 and are the
	// same each time.
	raw, err := x509.CreateCertificate(nil, template, template, a.key.Public(), a.key)
	if err != nil {
		return fmt.Errorf("making the root certificate: %w", err)
	}
	if a.root, err = x509.ParseCertificate(raw); err != nil {
		return fmt.Errorf("reading the root certificate: %w", err)
	}
	return nil
}

// firms are names like those of corporate authorities; none exists.
func firms() []string {
	return []string{
		"Halvorsen Trust Services", "Northgate Digital Security", "Meridian Networks",
		"Calder & Whitlock IT", "Ostrava Systems Group", "Brightwater Technologies",
	}
}

// derive makes an independent secret from the seed for each label.
func (a *Authority) derive(label string) []byte {
	mac := hmac.New(sha256.New, a.secret)
	mac.Write([]byte(label))
	return mac.Sum(nil)
}

// privateKey makes a key from the label. One in 2^32 digests is no valid key;
// then the next digest is used.
func (a *Authority) privateKey(label string) *ecdsa.PrivateKey {
	for {
		label += "."
		if key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), a.derive("key "+label)); err == nil {
			return key
		}
	}
}

func (a *Authority) serial(label string) *big.Int {
	d := a.derive("serial " + label)[:16]
	d[0] = d[0]&0x7f | 0x40 // positive, and always of the same length
	return new(big.Int).SetBytes(d)
}

// number is between low and high, inclusive.
func (a *Authority) number(label string, low, high int) int {
	return low + int(a.derive("number " + label)[0])%(high-low+1)
}

func (a *Authority) pick(label string, from []string) string {
	return from[a.number(label, 0, len(from)-1)]
}
