package egress

import (
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
)

// glance is how often both sides are checked for first bytes.
const glance = 50 * time.Millisecond

// meet waits until either side sends. It returns the protocol of the client's
// first bytes, or nothing if the real host sent first or neither did.
func (r *relay) meet(far net.Conn) (host.Spoken, string, net.Conn, error) {
	w := overhear(far)
	for end := time.Now().Add(idleTime); ; {
		kind, name, err := r.observer.First(glance)
		if errors.Is(err, host.ErrSilent) && !w.heard() && time.Now().Before(end) {
			continue
		}
		far, greeted := w.stop()
		if errors.Is(err, host.ErrSilent) || greeted {
			return host.SpokenOther, "", far, nil
		}
		if ahead := r.observer.Ahead(); kind == host.SpokenOther && len(ahead) > 0 && (ahead[0] == '\r' || ahead[0] == '\n') {
			kind = host.SpokenHTTP // some servers accept this as HTTP, so it is parsed as HTTP
		}
		return kind, name, far, err
	}
}

// waiter waits for the first bytes of a connection.
type waiter struct {
	conn  net.Conn
	done  chan struct{}
	ahead []byte
}

func overhear(conn net.Conn) *waiter {
	w := &waiter{conn: conn, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		p := make([]byte, 4<<10)
		n, _ := conn.Read(p) // a read error occurs again at the next read
		w.ahead = p[:n]
	}()
	return w
}

func (w *waiter) heard() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// stop returns the connection with the bytes that were already read put back.
func (w *waiter) stop() (conn net.Conn, greeted bool) {
	_ = w.conn.SetReadDeadline(time.Unix(1, 0))
	<-w.done
	_ = w.conn.SetReadDeadline(time.Time{})
	if len(w.ahead) == 0 {
		return w.conn, false
	}
	return &resumed{Conn: w.conn, ahead: w.ahead}, true
}

// resumed returns the bytes that were already read first.
type resumed struct {
	net.Conn
	ahead []byte
}

// Read implements [net.Conn].
func (c *resumed) Read(p []byte) (int, error) {
	if len(c.ahead) > 0 {
		n := copy(p, c.ahead)
		c.ahead = c.ahead[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

// CloseWrite signals that no more bytes will come.
func (c *resumed) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// pipe relays both ways until both sides have ended or no bytes move for a
// while. What the client sends is reported, unless it is encrypted.
func (r *relay) pipe(far net.Conn, told bool) {
	r.observer.Settle(nil)
	near := r.observer.Conn()
	var moved atomic.Int64
	moved.Store(time.Now().UnixNano())
	end := func() {
		near.Close()
		far.Close()
	}
	back := make(chan struct{})
	go func() {
		defer close(back)
		if copyTo(near, far, &moved, func([]byte) bool { return true }) != nil {
			end()
		}
	}()
	total := 0
	err := copyTo(far, near, &moved, func(p []byte) bool {
		if total += len(p); told {
			r.observer.Sent("", p)
			if total > maxRaw {
				r.over.Store(true)
			}
		}
		return total <= maxRaw
	})
	if err != nil {
		end()
	}
	<-back
}

var errStopped = errors.New("stopped")

// copyTo copies until the end and passes the end on. pass may stop it.
func copyTo(to, from net.Conn, moved *atomic.Int64, pass func([]byte) bool) error {
	p := make([]byte, 32<<10)
	for {
		if err := from.SetReadDeadline(time.Now().Add(idleTime)); err != nil {
			return err
		}
		n, err := from.Read(p)
		if n > 0 {
			moved.Store(time.Now().UnixNano())
			if !pass(p[:n]) {
				return errStopped
			}
			_ = to.SetWriteDeadline(time.Now().Add(idleTime))
			if _, err := to.Write(p[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return closeWrite(to)
		case errors.Is(err, os.ErrDeadlineExceeded) && time.Since(time.Unix(0, moved.Load())) < idleTime:
			// the other side still sends
		case err != nil:
			return err
		}
	}
}
