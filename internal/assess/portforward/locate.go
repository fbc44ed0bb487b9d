package portforward

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// no gap: a server that is not found gets no PASS
const (
	// listensInstead is how long a server that listens may take to answer over
	// its standard streams before HTTP is tried.
	listensInstead = 3 * time.Second
	// comesUp is how long a server may take until it listens, and perPort how
	// long one address is probed before the next.
	comesUp, perPort = 60 * time.Second, 10 * time.Second
	// tellsWhere is how long a server that listens may take to print its
	// address.
	tellsWhere = 2 * time.Second
	glance     = 50 * time.Millisecond
	// maxAddresses bounds how many addresses are probed, and lastListens is how
	// long the last one is waited for.
	maxAddresses = 4
	lastListens  = 5 * time.Second
)

// WatchListening returns a channel that is closed once the server has listened
// for a while, and a function that ends the watch.
func WatchListening(listening func() []netip.AddrPort, clock transport.Clock) (<-chan struct{}, func()) {
	found, quit := make(chan struct{}), make(chan struct{})
	go func() {
		tick := time.NewTicker(glance)
		defer tick.Stop()
		for len(listening()) == 0 {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
		}
		over, stop := clock.After(listensInstead)
		defer stop()
		select {
		case <-quit:
		case <-over:
			close(found)
		}
	}()
	return found, func() { close(quit) }
}

// Locate finds the URL at which the server speaks MCP. said returns its output,
// which usually names the URL.
func (t *Transport) Locate(ctx context.Context, said func() string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, comesUp)
	defer cancel()
	last := errors.New("it does not listen")
	var asked []netip.AddrPort
	var named []string
	var since time.Time // when these addresses were first probed
	for {
		ports, text := t.listening(), said()
		var names []string
		for _, at := range ports {
			names = append(names, printed(text, at.Port())...)
		}
		switch {
		case len(ports) == 0:
		case !slices.Equal(ports, asked):
			since = time.Now()
			fallthrough
		case !slices.Equal(names, named): // servers often print the URL after they listen
			asked, named = slices.Clone(ports), names
			url, err := t.ask(ctx, ports, text)
			if err == nil {
				return url, nil
			}
			last = err
		case time.Since(since) > tellsWhere:
			return "", fmt.Errorf("finding where the server speaks MCP: %w", last) // none of them speaks MCP
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("finding where the server speaks MCP: %w", last)
		case <-time.After(glance):
		}
	}
}

// ask probes all addresses, the latest first: it is most often the MCP endpoint.
func (t *Transport) ask(ctx context.Context, ports []netip.AddrPort, said string) (url string, err error) {
	for _, at := range slices.Backward(ports) {
		if url, err = t.find(ctx, at, said); err == nil {
			return url, nil
		}
	}
	return "", err
}

// find probes one address.
func (t *Transport) find(ctx context.Context, at netip.AddrPort, said string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, perPort)
	defer cancel()
	return transport.FindEndpoint(ctx, t, address(at), printed(said, at.Port()))
}

// printed returns the URLs with that port in the server's output.
func printed(text string, port uint16) []string {
	var list []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\r\"'`<>()|,;", r) }) {
		at := strings.Index(word, "http://")
		if at >= 0 && strings.Contains(word, ":"+strconv.Itoa(int(port))+"/") {
			list = append(list, strings.TrimRight(word[at:], ".!"))
		}
	}
	return list
}

// WaitListening waits until something listens.
func (t *Transport) WaitListening(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, comesUp)
	defer cancel()
	for {
		if at := t.listening(); len(at) > 0 {
			return address(at[0]), nil
		}
		select {
		case <-ctx.Done():
			return "", errors.New("it does not listen any more")
		case <-time.After(glance):
		}
	}
}

// Addresses are where something listens, once there are as many as before.
func (t *Transport) Addresses(ctx context.Context, expected int) []string {
	for end := time.Now().Add(lastListens); len(t.listening()) < expected && time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(glance):
		}
	}
	var list []string
	for _, at := range t.listening() {
		if len(list) < maxAddresses {
			list = append(list, address(at))
		}
	}
	return list
}

// address is where something listens, as a user would write it.
func address(at netip.AddrPort) string {
	if at.Addr().IsUnspecified() || at.Addr().IsLoopback() {
		return "http://localhost:" + strconv.Itoa(int(at.Port()))
	}
	return "http://" + reachable(at).String()
}
