package remote

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf"
)

// Dialer connects to the server.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

const (
	// leastKey is the minimum length of an RSA key.
	leastKey = 2048
	// soon is the remaining validity that counts as about to expire.
	soon = 7 * 24 * time.Hour
)

// CheckTLS checks the certificate and the TLS versions of a server. roots
// default to the machine's. A server without TLS is not checked.
func CheckTLS(ctx context.Context, d Dialer, u *url.URL, roots *x509.CertPool, now time.Time) []mcpsf.RemoteDetail {
	if u.Scheme != "https" {
		return nil
	}
	detail := func(got, want string, weak bool) mcpsf.RemoteDetail {
		return mcpsf.RemoteDetail{Check: mcpsf.CheckTLS, URL: Shown(u), Got: got, Want: want, Weak: weak}
	}
	var told []mcpsf.RemoteDetail
	state, err := handshake(ctx, d, u, &tls.Config{
		ServerName: u.Hostname(), RootCAs: roots, Time: func() time.Time { return now }, MinVersion: tls.VersionTLS12,
	})
	switch {
	case err == nil:
		told = append(told, detail(tls.VersionName(state.Version)+" and a valid certificate", "", false))
		if got := weakness(state.PeerCertificates[0], now); got != "" {
			told = append(told, detail(got, "a certificate that lasts", true))
		}
	case untrusted(err):
		told = append(told, detail("the certificate is not valid: "+cut(err.Error(), 200), "a certificate that can be checked", true))
	case ctx.Err() != nil:
		return nil
	}
	old, err := handshake(ctx, d, u, &tls.Config{
		ServerName: u.Hostname(), InsecureSkipVerify: true, //nolint:gosec // nothing is said: only which versions are spoken is of interest
		MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11,
	})
	if err == nil {
		told = append(told, detail(tls.VersionName(old.Version)+" is accepted", "TLS 1.2 or later", true))
	}
	return told
}

// handshake makes a TLS handshake and closes the connection.
func handshake(ctx context.Context, d Dialer, u *url.URL, config *tls.Config) (*tls.ConnectionState, error) {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	port := u.Port()
	if port == "" {
		port = "443"
	}
	plain, err := d.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return nil, fmt.Errorf("reaching the server: %w", err)
	}
	defer plain.Close()
	conn := tls.Client(plain, config)
	if err := conn.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	state := conn.ConnectionState()
	return &state, nil
}

// untrusted distinguishes a bad certificate from a failed connection.
func untrusted(err error) bool {
	_, ok := errors.AsType[*tls.CertificateVerificationError](err)
	return ok
}

// weakness describes the defect of an otherwise valid certificate.
func weakness(c *x509.Certificate, now time.Time) string {
	if key, ok := c.PublicKey.(*rsa.PublicKey); ok && key.N.BitLen() < leastKey {
		return fmt.Sprintf("the certificate's key has only %d bits", key.N.BitLen())
	}
	if left := c.NotAfter.Sub(now); left < soon && c.NotAfter.Sub(c.NotBefore) > 2*soon {
		return fmt.Sprintf("the certificate expires in %.0f hours", left.Hours())
	}
	return ""
}
