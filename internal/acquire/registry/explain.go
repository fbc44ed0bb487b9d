package registry

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Explain turns a status or a failure into one line for the user: what was
// requested, what the registry answered, what to do. what is for example `npm
// package "x"`. The code is [mcpsf.CodeUsage] if the registry refuses, and
// [mcpsf.CodeUnavailable] if it cannot be reached. Errors of ours and of an
// ended context are returned unchanged.
func Explain(what string, r Registry, status int, err error) error {
	if _, ours := errors.AsType[*mcpsf.Error](err); ours || errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		why, fix := failure(err, r)
		return &mcpsf.Error{
			Code:    mcpsf.CodeUnavailable,
			Message: fmt.Sprintf("%s cannot be fetched from %s: %s; %s", what, r.host(), why, fix),
		}
	}
	code := mcpsf.CodeUsage
	var why string
	switch {
	case (status == http.StatusNotFound || status == http.StatusGone) && r.auth == "":
		// Many registries answer 404 for private packages without credentials.
		why = fmt.Sprintf("%s does not exist at %s; check the name, the registry or, if it is private, the credentials (%s)", what, r.host(), r.where())
	case status == http.StatusNotFound || status == http.StatusGone:
		why = fmt.Sprintf("%s does not exist at %s; check the name, or the registry (%s)", what, r.host(), r.where())
	case status == http.StatusUnauthorized, status == http.StatusForbidden && r.auth == "":
		why = fmt.Sprintf("%s is not given out by %s without the right credentials (status %d); check the name, or set credentials in %s",
			what, r.host(), status, r.where())
	case status == http.StatusForbidden:
		why = fmt.Sprintf("%s is not given out by %s with your credentials (status %d); check the name, or the credentials in %s",
			what, r.host(), status, r.where())
	case status == http.StatusProxyAuthRequired:
		code, why = mcpsf.CodeUnavailable, fmt.Sprintf("%s cannot be fetched: the proxy wants credentials; put them into HTTPS_PROXY", what)
	case status == http.StatusTooManyRequests:
		code, why = mcpsf.CodeUnavailable, fmt.Sprintf("%s cannot be fetched: %s has had too many requests (status 429); try again later", what, r.host())
	case status >= 400 && status < 500:
		why = fmt.Sprintf("%s is refused by %s (status %d); check the registry (%s)", what, r.host(), status, r.where())
	default:
		code = mcpsf.CodeUnavailable
		why = fmt.Sprintf("%s cannot be fetched: %s is out of order (status %d); try again later, or set another registry (%s)",
			what, r.host(), status, r.where())
	}
	return &mcpsf.Error{Code: code, Message: why}
}

// failure says what failed and what to do about it.
func failure(err error, r Registry) (why, fix string) {
	later := "try again later, or check the registry (" + r.where() + ")"
	_, dns := errors.AsType[*net.DNSError](err)
	timeout, isNet := errors.AsType[net.Error](err)
	switch {
	case isUntrusted(err):
		return "its certificate is not trusted (" + safetext.Line(err.Error(), maxShown) + ")", "set the authority that signed it, " + r.authoritySetting()
	case dns:
		return "its name cannot be looked up", "check the network, the proxy variables, or the registry (" + r.where() + ")"
	case errors.Is(err, errTooBig):
		return safetext.Line(err.Error(), maxShown), "assess a copy of what the server needs of it"
	case errors.Is(err, errStalled), errors.Is(err, errTrickle):
		return safetext.Line(err.Error(), maxShown), later
	case errors.Is(err, syscall.ECONNREFUSED):
		return "it refuses connections", "check the network, the proxy variables, or the registry (" + r.where() + ")"
	case isNet && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "it does not answer in time", later
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return "the answer was truncated", "try again"
	}
	return safetext.Line(err.Error(), maxShown), later
}

// isUntrusted reports a certificate that is not valid.
func isUntrusted(err error) bool {
	_, verification := errors.AsType[*tls.CertificateVerificationError](err)
	_, authority := errors.AsType[x509.UnknownAuthorityError](err)
	return verification || authority
}

// isSilence reports that the other side accepted the connection and sent
// nothing.
func isSilence(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	op, dial := errors.AsType[*net.OpError](err)
	return ok && timeout.Timeout() && !(dial && op.Op == "dial")
}

func (r Registry) host() string {
	if r.URL == nil {
		return "the registry"
	}
	return safetext.Line(r.URL.Host, maxShown)
}

func (r Registry) where() string {
	return cmp.Or(r.settings, "the proxy variables")
}

func (r Registry) authoritySetting() string {
	switch {
	case strings.Contains(r.settings, "npm"):
		return "cafile in .npmrc"
	case strings.Contains(strings.ToLower(r.settings), "pip"):
		return "PIP_CERT"
	}
	return "SSL_CERT_FILE"
}

// maxShown is how many bytes of foreign text an error quotes.
// no gap: bounds the user's own settings and the answers of registries; more is an error
const maxShown = 200
