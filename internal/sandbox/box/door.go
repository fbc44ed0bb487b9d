package box

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"sync"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Door connects to what listens in the sandbox. Its bytes are part of the
// conversation with the server: what it is sent counts as standard input, and
// what it answers as [mcpsf.Served].
type Door struct {
	file *os.File

	// sending orders what is sent; sent is how much of it there was.
	sending sync.Mutex
	sent    int64

	mu     sync.Mutex
	visits map[uint32]*Visit
	last   uint32
	shut   bool
	done   chan struct{}
}

// Dial connects to an address of the sandbox.
func (d *Door) Dial(ctx context.Context, to netip.AddrPort) (*Visit, error) {
	v, err := d.begin()
	if err != nil {
		return nil, err
	}
	if err := d.send(wire.Knock{Kind: wire.KnockOpen, Visit: v.id, Data: []byte(to.String())}); err != nil {
		v.end(err)
		return nil, err
	}
	select {
	case <-v.opened:
		return v, nil
	case <-v.ended:
		return nil, fmt.Errorf("connecting to %s in the sandbox: %w", to, v.reason())
	case <-ctx.Done():
		_ = v.Close()
		return nil, ctx.Err()
	}
}

func (d *Door) begin() (*Visit, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return nil, errDoorShut
	}
	d.last++
	v := newVisit(d, d.last)
	d.visits[v.id] = v
	return v, nil
}

var errDoorShut = errors.New("the sandbox is gone")

func (d *Door) send(k wire.Knock) error {
	if _, err := d.file.Write(k.Append(nil)); err != nil {
		return fmt.Errorf("talking through the door: %w", err)
	}
	return nil
}

// listen hands out what comes until the sandbox is gone.
func (d *Door) listen() {
	defer close(d.done)
	buf := make([]byte, wire.MaxKnockSize)
	for {
		n, err := d.file.Read(buf)
		if err != nil {
			break
		}
		k, err := wire.ParseKnock(buf[:n])
		if err != nil {
			break
		}
		if v := d.visit(k.Visit); v != nil {
			v.take(k)
		}
	}
	d.mu.Lock()
	d.shut = true
	left := d.visits
	d.visits = map[uint32]*Visit{}
	d.mu.Unlock()
	for _, v := range left {
		v.end(errDoorShut)
	}
}

// Idle tells whether everything was read that came through. No door is idle.
func (d *Door) Idle() bool {
	if d == nil {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, v := range d.visits {
		if !v.idle() {
			return false
		}
	}
	return true
}

func (d *Door) visit(id uint32) *Visit {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.visits[id]
}

func (d *Door) forget(id uint32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.visits, id)
}

func (d *Door) close() {
	_ = d.file.Close()
	<-d.done
}
