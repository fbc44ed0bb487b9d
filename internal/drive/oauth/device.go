package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// deviceGrant is the flow's name.
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

const (
	// The time between two questions whether the user is there yet, and how
	// long the user is waited for, where the server does not say.
	defaultInterval = 5 * time.Second
	maxInterval     = 30 * time.Second
	maxWait         = 15 * time.Minute
)

// byDevice has the user enter a code elsewhere (RFC 8628).
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
	form := url.Values{"resource": {t.indicator()}}
	if t.scope != "" {
		form.Set("scope", t.scope)
	}
	var got struct {
		Code     string  `json:"device_code"`
		User     string  `json:"user_code"`
		Page     string  `json:"verification_uri"`
		Expires  float64 `json:"expires_in"`
		Interval float64 `json:"interval"`
	}
	if err := t.form(ctx, to, form, &got); err != nil {
		return err
	}
	page, err := t.address(got.Page)
	if err != nil || got.Code == "" || got.User == "" {
		return errors.New("its authorization server gave no code")
	}
	t.opts.Learned(got.Code)
	t.opts.User.Enter(page.String(), clean(got.User))
	wait := maxWait
	if got.Expires > 0 && got.Expires < maxWait.Seconds() {
		wait = time.Duration(got.Expires * float64(time.Second))
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	interval := defaultInterval
	if got.Interval > 0 && got.Interval < maxInterval.Seconds() {
		interval = time.Duration(got.Interval * float64(time.Second))
	}
	return t.poll(ctx, got.Code, interval)
}

// poll asks for the token until the user has entered the code.
func (t *Transport) poll(ctx context.Context, code string, interval time.Duration) error {
	for {
		timer := time.NewTimer(interval)
		select {
		case <-ctx.Done():
			timer.Stop()
			return errors.New("nobody entered the code in time")
		case <-timer.C:
		}
		err := t.fetch(ctx, url.Values{"grant_type": {deviceGrant}, "device_code": {code}})
		p, refused := errors.AsType[*problem](err)
		switch {
		case err == nil:
			return nil
		case refused && p.Code == "slow_down":
			interval = min(interval+defaultInterval, maxInterval)
		case refused && p.Code == "authorization_pending":
		default:
			return err
		}
	}
}
