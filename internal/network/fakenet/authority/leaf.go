package authority

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net/netip"
	"strings"
)

// no gap: forgotten certificates are made again
const (
	// maxLeaves bounds the memory for a target that uses ever new names.
	maxLeaves = 2048
	// maxCommonName is the limit of X.509.
	maxCommonName = 64
	maxName       = 253
)

// Leaf is the certificate of a host name or address. An invalid host name is an
// error.
func (a *Authority) Leaf(name string) (*tls.Certificate, error) {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	a.mu.Lock()
	defer a.mu.Unlock()
	if leaf, ok := a.leaves[name]; ok {
		return leaf, nil
	}
	leaf, err := a.sign(name)
	if err != nil {
		return nil, fmt.Errorf("making a certificate for %q: %w", name, err)
	}
	if len(a.leaves) >= maxLeaves {
		clear(a.leaves) // they are the same when made again
	}
	a.leaves[name] = leaf
	return leaf, nil
}

func (a *Authority) sign(name string) (*tls.Certificate, error) {
	key := a.privateKey("leaf " + name)
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	id := sha256.Sum256(public)
	template := &x509.Certificate{
		SerialNumber:          a.serial("leaf " + name),
		NotBefore:             a.now.AddDate(0, 0, -a.number("since "+name, 5, 50)),
		NotAfter:              a.now.AddDate(0, 0, a.number("until "+name, 35, 80)),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		SubjectKeyId:          id[:20],
	}
	if len(name) <= maxCommonName {
		template.Subject = pkix.Name{CommonName: name}
	}
	if address, err := netip.ParseAddr(name); err == nil {
		template.IPAddresses = append(template.IPAddresses, address.Unmap().WithZone("").AsSlice())
	} else if err := checkName(name); err != nil {
		return nil, err
	} else {
		template.DNSNames = []string{name}
	}
	raw, err := x509.CreateCertificate(nil, template, a.root, key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: parsed}, nil
}

// checkName accepts what clients accept as a host name, including underscores.
func checkName(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("a name of %d bytes", len(name))
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 {
			return fmt.Errorf("a label of %d bytes", len(label))
		}
		for _, c := range []byte(label) {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
				return fmt.Errorf("%q is in no name", c)
			}
		}
	}
	return nil
}
