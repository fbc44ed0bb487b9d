package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// explain implements [blobs].
func (r *registryImage) explain(err error) error {
	host := r.ref.Context().RegistryStr()
	if ours, ok := errors.AsType[*mcpsf.Error](err); ok {
		return ours // without the addresses that net/http added
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if answer, ok := errors.AsType[*transport.Error](err); ok {
		return r.status(answer.StatusCode, host)
	}
	if unreachable(err) {
		return unavailable("the registry %s cannot be reached for the image %s (%s); check the network and the name, or try again later",
			usererr.Quote(host), usererr.Quote(r.source), safetext.Line(cause(err).Error(), usererr.MaxShown))
	}
	return usererr.Usage("the registry %s sent something else than the image %s (%s); it is damaged or was tampered with, do not use it",
		usererr.Quote(host), usererr.Quote(r.source), safetext.Line(cause(err).Error(), 2*usererr.MaxShown))
}

func (r *registryImage) status(code int, host string) error {
	login := "docker login"
	if host != name.DefaultRegistry {
		login += " " + usererr.ShellWord(host)
	}
	if err := r.credentials.broken; err != nil {
		login += " (what it keeps cannot be read: " + safetext.Line(err.Error(), usererr.MaxShown) + ")"
	}
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return usererr.Usage("the registry %s does not give out the image %s (status %d): it does not exist or is private; check its name or log in with: %s",
			usererr.Quote(host), usererr.Quote(r.source), code, login)
	case code == http.StatusNotFound:
		return usererr.Usage("the registry %s has no image %s, or not all of it; check its name and tag", usererr.Quote(host), usererr.Quote(r.source))
	case code == http.StatusTooManyRequests:
		return unavailable("the registry %s says that it was asked too often; wait, or log in with: %s", usererr.Quote(host), login)
	case code >= http.StatusInternalServerError:
		return unavailable("the registry %s is down (status %d); try again later", usererr.Quote(host), code)
	}
	return usererr.Usage("the registry %s refuses to give out the image %s (status %d); check its name", usererr.Quote(host), usererr.Quote(r.source), code)
}

func unavailable(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf(format, args...)}
}

// again implements [blobs]: a broken connection is retried, an error answer is
// not.
func (r *registryImage) again(err error) bool {
	_, ours := errors.AsType[*mcpsf.Error](err)
	_, answer := errors.AsType[*transport.Error](err)
	return !ours && !answer && unreachable(err) && !errors.Is(err, errSilent)
}

// unreachable reports whether the registry could not be reached, in contrast to
// an error answer.
func unreachable(err error) bool {
	if answer, ok := errors.AsType[*transport.Error](err); ok {
		return slices.Contains([]int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, answer.StatusCode)
	}
	if _, ours := errors.AsType[*mcpsf.Error](err); ours {
		return false
	}
	_, network := errors.AsType[net.Error](err) // url.Error is one, too
	return network || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errSilent)
}

// cause removes the URL, which is reported elsewhere and can contain a token.
func cause(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ended the connection too early")
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
