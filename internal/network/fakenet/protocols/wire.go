package protocols

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases"
)

const (
	budget    = 32 << 20         // bytes read from one client, and bytes sent to it
	idleWait  = 30 * time.Second // for the client's next byte
	writeWait = 10 * time.Second // for the client to read
	byeWait   = time.Second      // for what a client sends after it said goodbye
	lineMax   = 16 << 10         // longer lines are reported, not parsed
	takeMax   = 128 << 10        // bytes of one message that are kept
	tellAt    = 16 << 10         // bytes that are reported at once
)

// errStray says that the client does not speak this protocol, or that the rest
// need not be parsed: it is read and reported.
var errStray = errors.New("not of this protocol")

// wire is the connection to the client. Every byte read from it is reported
// once, under the part that the next call of tell names.
type wire struct {
	conversation *Conversation
	conn         net.Conn
	in           *bufio.Reader
	out          *bufio.Writer
	left         int64 // bytes that may still be read
	room         int64 // bytes that may still be sent
	idle         time.Duration
	host         string // the host name in greetings

	secure bool // the client asked for TLS and it began
	exact  bool // nothing is read ahead, because TLS may follow unannounced
	mute   bool // the client does not read, or the answers reached their limit; reading goes on

	heard   []byte // read, and not yet assigned to a part
	pending []byte // assigned to a part and not yet reported, to report many small pieces at once
	part    string // of pending
}

func newWire(t *Conversation) *wire {
	w := &wire{conversation: t, left: budget, room: budget, idle: idleWait, host: hostName(t.Name)}
	w.adopt(t.Conn)
	return w
}

func (w *wire) adopt(c net.Conn) {
	w.conn = c
	w.in = bufio.NewReaderSize(source{w}, lineMax)
	w.out = bufio.NewWriterSize(sink{w}, lineMax)
}

// line reads a line and returns it without its end. For a line that is too long
// it returns "".
func (w *wire) line() (string, error) {
	piece, whole, err := w.piece()
	if err != nil {
		return "", err
	}
	w.heard = append(w.heard, piece...)
	if whole {
		return strings.TrimRight(string(piece), "\r\n"), nil
	}
	for !whole {
		w.tell("")
		if piece, whole, err = w.piece(); err != nil {
			return "", err
		}
		w.heard = append(w.heard, piece...)
	}
	return "", nil
}

// piece reads a line, or as much of it as fits; then whole is false. The bytes
// are not added to heard, and are valid until the next read.
func (w *wire) piece() (p []byte, whole bool, err error) {
	p, err = w.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return p, false, nil
	case err != nil:
		w.heard = append(w.heard, p...)
		return nil, false, err
	}
	return p, true, nil
}

// take reads n bytes. No protocol here has messages larger than takeMax.
func (w *wire) take(n int) ([]byte, error) {
	if n < 0 || n > takeMax {
		return nil, errStray
	}
	var from io.Reader = w.in
	if w.exact && w.in.Buffered() == 0 {
		from = source{w}
	}
	p := make([]byte, n)
	got, err := io.ReadFull(from, p)
	w.heard = append(w.heard, p[:got]...)
	return p, err
}

// head reads a message of n bytes, keeps its beginning and reports the rest.
func (w *wire) head(part string, n int64) ([]byte, error) {
	if n < 0 {
		return nil, errStray
	}
	p, err := w.take(int(min(n, takeMax/2)))
	if err != nil || int64(len(p)) == n {
		return p, err
	}
	return p, w.pour(part, n-int64(len(p)))
}

// pour reads n bytes and reports them without keeping any.
func (w *wire) pour(part string, n int64) error {
	w.tell(part)
	for n > 0 {
		p, err := w.take(int(min(n, tellAt)))
		w.tell(part)
		if err != nil {
			return err
		}
		n -= int64(len(p))
	}
	return nil
}

// tell assigns the bytes read so far to a part.
func (w *wire) tell(part string) {
	w.add(part, w.heard)
	w.heard = w.heard[:0]
}

// add reports bytes that were not sent as such, but decoded.
func (w *wire) add(part string, p []byte) {
	if len(p) == 0 {
		return
	}
	if part != w.part {
		w.deliver()
	}
	w.part = part
	w.pending = append(w.pending, p...)
	if len(w.pending) >= tellAt {
		w.deliver()
	}
}

func (w *wire) deliver() {
	if len(w.pending) > 0 && w.conversation.Sent != nil {
		w.conversation.Sent(w.part, w.pending)
	}
	w.pending = nil
}

// printf answers. The answer is sent when the next read has to wait.
func (w *wire) printf(format string, args ...any) {
	if !w.mute {
		_, _ = fmt.Fprintf(w.out, format, args...)
	}
}

// put answers with bytes.
func (w *wire) put(p ...byte) {
	if !w.mute {
		_, _ = w.out.Write(p)
	}
}

// canSecure says whether TLS may be offered.
func (w *wire) canSecure() bool { return w.conversation.Upgrade != nil && !w.secure }

// upgrade begins TLS. Bytes that the client sent in clear ahead of it are
// reported and then dropped, so that they do not count as sent inside TLS.
func (w *wire) upgrade() error {
	_ = w.out.Flush()
	if n := w.in.Buffered(); n > 0 {
		if _, err := w.take(n); err != nil {
			return err
		}
	}
	w.tell("")
	w.deliver()
	_ = w.conn.SetDeadline(time.Now().Add(w.idle))
	c, err := w.conversation.Upgrade()
	if err != nil {
		return fmt.Errorf("beginning TLS: %w", err)
	}
	w.secure, w.exact = true, false
	w.adopt(c)
	return nil
}

// end closes the conversation after serve returned, and reads what the client
// still sends.
func (w *wire) end(err error) error {
	if err == nil {
		_ = w.out.Flush()
		if half, ok := w.conn.(interface{ CloseWrite() error }); ok && !w.mute {
			_ = half.CloseWrite()
		}
		w.idle = byeWait
	}
	for err == nil || errors.Is(err, errStray) {
		w.tell("")
		if _, err = w.in.Peek(1); err == nil {
			_, err = w.take(min(w.in.Buffered(), tellAt))
		}
	}
	w.tell("")
	w.deliver()
	_ = w.out.Flush()
	if errors.Is(err, ErrLimit) {
		return ErrLimit
	}
	return nil // a client may disconnect in any way
}

// hostName removes from a name what must not stand in a greeting.
func hostName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, name[:min(len(name), 253)])
	if name == "" {
		return "localhost.localdomain"
	}
	return name
}

// stored are the databases of the run. A conversation without any gets its own.
func (w *wire) stored() *databases.Databases {
	if w.conversation.Databases == nil {
		w.conversation.Databases = databases.New()
	}
	return w.conversation.Databases
}

// now is the time that databases show: the full hour, so that two starts of a server
// get the same.
func (w *wire) now() time.Time {
	if w.conversation.Now == nil {
		return time.Time{}
	}
	return w.conversation.Now().UTC().Truncate(time.Hour)
}

// nonce differs between connections and is the same when a run is repeated.
func (w *wire) nonce() [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %d %v %v", w.conversation.Name, w.conversation.Port, w.conversation.Conn.LocalAddr(), w.conversation.Conn.RemoteAddr()))
}

// source reads from the client within the limits.
type source struct{ w *wire }

// Read implements [io.Reader]. Before it waits, it reports what was read and
// sends pending answers.
func (s source) Read(p []byte) (int, error) {
	w := s.w
	_ = w.out.Flush()
	w.deliver()
	if w.left <= 0 {
		return 0, ErrLimit
	}
	_ = w.conn.SetReadDeadline(time.Now().Add(w.idle))
	n, err := w.conn.Read(p[:min(int64(len(p)), w.left)])
	w.left -= int64(n)
	return n, err
}

// sink writes to the client. A client that does not read is no longer answered.
type sink struct{ w *wire }

// Write implements [io.Writer].
func (s sink) Write(p []byte) (int, error) {
	if s.w.mute {
		return len(p), nil
	}
	_ = s.w.conn.SetWriteDeadline(time.Now().Add(writeWait))
	n, err := s.w.conn.Write(p)
	s.w.room -= int64(n)
	s.w.mute = err != nil || s.w.room <= 0
	return len(p), nil //nolint:nilerr // who does not read is still heard
}

// word splits a line at its first space.
func word(line string) (verb, rest string) {
	verb, rest, _ = strings.Cut(line, " ")
	return strings.ToUpper(verb), strings.TrimSpace(rest)
}

// addText reports decoded bytes on a line of their own.
func (w *wire) addText(part string, p []byte) {
	if len(p) > 0 {
		w.add(part, append(bytes.Clone(p), '\n'))
	}
}
