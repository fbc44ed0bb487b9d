package transport

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// looksOlder reports whether this first response may come from a server of
// revision 2024-11-05, which accepts messages only after its stream was opened.
func looksOlder(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusNotImplemented, http.StatusGone:
		return !isJSON(resp) || resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusMethodNotAllowed
	}
	return false
}

// goOlder opens the stream first and then sends the message to the address that
// the server names. If there is no stream, the first response stands.
func (w *HTTP) goOlder(ctx, flight context.Context, first *http.Response, post func() (*http.Response, error)) (*http.Response, error) {
	resp, err := w.at.get(ctx, w.at.base, "")
	if err != nil {
		return first, nil
	}
	if resp.StatusCode != http.StatusOK || !IsStream(resp) {
		closeBody(resp)
		return first, nil
	}
	found := make(chan *url.URL, 1)
	w.others.Go(func() { w.streams.follow(resp, found) })
	timer := time.NewTimer(w.opts.CallTimeout)
	defer timer.Stop()
	select {
	case to := <-found:
		if to == nil {
			return first, nil
		}
		w.at.becomeOlder(to)
	case <-timer.C:
		return first, nil
	case <-flight.Done():
		return first, nil
	}
	closeBody(first)
	again, err := post()
	if err != nil {
		return nil, fmt.Errorf("sending to the address the server named: %w", err)
	}
	return again, nil
}
