package assess

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// reach is how a server is spoken to.
type reach uint8

const (
	// byStreams is over its standard streams, unless it listens and says
	// nothing there.
	byStreams reach = iota
	// byHTTP is over connections to where it listens.
	byHTTP
	// byStreamsOnly is over its standard streams, wherever else it listens.
	byStreamsOnly
)

const (
	// listensInstead is how long a server that listens may take to answer
	// over its standard streams before it is asked there.
	listensInstead = 3 * time.Second
	// comesUp is how long a server may take until it listens, and perPort how
	// long one place is asked before the next.
	comesUp, perPort = 60 * time.Second, 10 * time.Second
	// tellsWhere is how long a server that listens may take to print at which
	// address.
	tellsWhere = 2 * time.Second
	glance     = 50 * time.Millisecond
)

// otherwise are the further ways to a server that did not answer but listens:
// there, and, if it was not waited for, over its standard streams after all.
func otherwise(try *launch, d *detonation) []*launch {
	if d.session.Initialized || len(d.listening) == 0 || try.reach != byStreams {
		return nil
	}
	there, patient := *try, *try
	there.reach, there.why = byHTTP, "it listens"
	patient.reach = byStreamsOnly
	return []*launch{&there, &patient}
}

// reaching completes what is said by where it is said. The function ends what
// that needs.
func (st *stage) reaching(o *session.Options, try *launch, say *talk, running *box.Box, mon *monitor.Monitor, words *listener) (*session.Options, func()) {
	switch try.reach {
	case byHTTP:
		w := &doorWire{door: running.PortForward(), listening: mon.Listening}
		o.Endpoint.Wire = w
		o.Endpoint.Locate = func(ctx context.Context) (string, error) { return w.locate(ctx, words.text) }
		if say.visits != nil {
			o.Endpoint.Locate = w.up
			say.visits.Places = w.places
		}
		if say.first {
			o.Endpoint.Look = func(ctx context.Context, url string) { w.look(ctx, url, mon) }
		}
	case byStreams:
		found, over := elsewhere(mon.Listening, o.Timing.Clock)
		o.Endpoint.Elsewhere = found
		return o, over
	}
	return o, func() {}
}

// elsewhere is closed once the server has listened for a while. The function
// ends the watch.
func elsewhere(listening func() []netip.AddrPort, clock transport.Clock) (<-chan struct{}, func()) {
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

// locate finds out at which address the server speaks MCP. said is what it
// has printed, which mostly names it.
func (w *doorWire) locate(ctx context.Context, said func() string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, comesUp)
	defer cancel()
	last := errors.New("it does not listen")
	var asked []netip.AddrPort
	var named []string
	var since time.Time // when it was first asked there
	for {
		ports, text := w.listening(), said()
		var names []string
		for _, at := range ports {
			names = append(names, printed(text, at.Port())...)
		}
		switch {
		case len(ports) == 0:
		case !slices.Equal(ports, asked):
			since = time.Now()
			fallthrough
		case !slices.Equal(names, named): // it listens first, and prints where a moment later
			asked, named = slices.Clone(ports), names
			url, err := w.ask(ctx, ports, text)
			if err == nil {
				return url, nil
			}
			last = err
		case time.Since(since) > tellsWhere:
			return "", fmt.Errorf("finding where the server speaks MCP: %w", last) // at none of them
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("finding where the server speaks MCP: %w", last)
		case <-time.After(glance):
		}
	}
}

// ask asks at all places, the last one first: what it listened at last is more
// often the thing itself.
func (w *doorWire) ask(ctx context.Context, ports []netip.AddrPort, said string) (url string, err error) {
	for _, at := range slices.Backward(ports) {
		if url, err = w.find(ctx, at, said); err == nil {
			return url, nil
		}
	}
	return "", err
}

// find asks at one place.
func (w *doorWire) find(ctx context.Context, at netip.AddrPort, said string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, perPort)
	defer cancel()
	return transport.FindEndpoint(ctx, w, address(at), printed(said, at.Port()))
}

// printed are the addresses at that port that a server has told of.
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
