package host

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"time"
)

// line is a connection whose first bytes can be peeked at.
type line struct {
	net.Conn
	ahead []byte
	// sum receives what is read, if it is not nil.
	sum io.Writer
}

// Read implements [net.Conn].
func (l *line) Read(p []byte) (int, error) {
	if len(l.ahead) > 0 {
		n := copy(p, l.ahead)
		l.ahead = l.ahead[n:]
		return n, nil
	}
	n, err := l.Conn.Read(p)
	l.seen(p[:n])
	return n, err
}

func (l *line) seen(p []byte) {
	if l.sum != nil && len(p) > 0 {
		_, _ = l.sum.Write(p) // a hash never fails
	}
}

// more waits for bytes beyond those peeked at already.
func (l *line) more(wait time.Duration, most int) error {
	if len(l.ahead) >= most {
		return errors.New("enough was looked at")
	}
	if err := l.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return err
	}
	buffer := make([]byte, most-len(l.ahead))
	for {
		n, err := l.Conn.Read(buffer)
		l.seen(buffer[:n])
		l.ahead = append(slices.Clip(l.ahead), buffer[:n]...)
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// CloseWrite tells the client that nothing more will come.
func (l *line) CloseWrite() error {
	if w, ok := l.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// patient is a connection that ends when no byte moves for a while, or at a
// deadline.
type patient struct {
	net.Conn
	until time.Time // zero: no deadline
	mute  bool      // the client no longer reads
}

// Read implements [net.Conn].
func (c *patient) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(c.deadline()); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// Write implements [net.Conn]. It never fails, so that a client that does not
// read is still read to the end.
func (c *patient) Write(p []byte) (int, error) {
	if !c.mute && c.SetWriteDeadline(time.Now().Add(idleTime)) == nil {
		_, err := c.Conn.Write(p)
		c.mute = err != nil
	}
	return len(p), nil
}

func (c *patient) deadline() time.Time {
	if c.until.IsZero() {
		return time.Now().Add(idleTime)
	}
	return c.until
}

func isTimeout(err error) bool {
	var ne net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &ne) && ne.Timeout()
}
