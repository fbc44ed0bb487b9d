package oauth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// no gap: bounds the login at a remote server; failure is an error
const (
	// How often to poll for the user's login, and how long to wait for it,
	// where the server does not say.
	defaultInterval = 5 * time.Second
	maxInterval     = 30 * time.Second
	maxWait         = 15 * time.Minute
)

// byDevice has the user enter a code on another device (RFC 8628).
func (t *Transport) byDevice(ctx context.Context) error {
	if t.found.Server.Device == "" {
		return errors.New("its authorization server offers no login by a code")
	}
	to, err := t.address(t.found.Server.Device)
	if err != nil {
		return fmt.Errorf("where codes are given out: %w", err)
	}
	if err := t.register(ctx); err != nil {
		return err
	}
	conf, err := t.config()
	if err != nil {
		return err
	}
	conf.Endpoint.DeviceAuthURL = to.String()
	device, err := conf.DeviceAuth(t.with(ctx), t.forDevice()...)
	if err != nil {
		return t.told(to.Host, err)
	}
	page, err := t.address(device.VerificationURI)
	if err != nil || device.DeviceCode == "" || device.UserCode == "" {
		return errors.New("its authorization server gave no code")
	}
	t.opts.Learned(device.DeviceCode)
	t.opts.User.Enter(page.String(), safetext.Line(device.UserCode, maxShown))
	waiting, cancel := context.WithTimeout(ctx, bounded(device))
	defer cancel()
	got, err := conf.DeviceAccessToken(t.with(waiting), device, t.forResource())
	if err != nil && waiting.Err() != nil {
		return errors.New("nobody entered the code in time")
	}
	return t.keep(got, err)
}

// bounded limits the times that the server gave and returns how long to wait
// for the user. The library trusts these times, and a ticker with interval 0
// panics.
func bounded(device *oauth2.DeviceAuthResponse) time.Duration {
	wait := maxWait
	if left := time.Until(device.Expiry); left > 0 && left < maxWait {
		wait = left
	}
	device.Expiry = time.Time{}
	if most := int64(maxInterval / time.Second); device.Interval <= 0 || device.Interval >= most {
		device.Interval = int64(defaultInterval / time.Second)
	}
	return wait
}

// forDevice returns the parameters of the device code request. The library
// omits the client's credentials.
func (t *Transport) forDevice() []oauth2.AuthCodeOption {
	options := []oauth2.AuthCodeOption{t.forResource()}
	if t.client.method(t.found.Server.Methods) == "client_secret_post" {
		options = append(options, oauth2.SetAuthURLParam("client_secret", t.client.Secret))
	}
	return options
}
