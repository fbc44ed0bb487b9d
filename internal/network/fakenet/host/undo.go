package host

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// undo decodes a body while it arrives. The decoders read, but the body is
// written: a coroutine connects the two, so that everything happens in one
// goroutine and in order.
type undo struct {
	of     *intake
	to     func(p []byte) // receives the decoded bytes
	in     []byte         // arrived, and not yet read by the decoder
	recent []byte         // the last bytes that arrived, reported if they cannot be decoded
	raw    int64
	closed bool
	failed bool
	bomb   bool

	next func() (struct{}, bool)
	stop func()
}

// no gap: exceeding it ends the connection, which is an event
const (
	maxEncodings = 4
	keptRecent   = 64 << 10
	freeGrowth   = 1 << 20
	maxDistance  = 8 << 20
)

var errBomb = errors.New("grows too much")

func newUndo(encodings []string, of *intake, to func(p []byte)) *undo {
	u := &undo{of: of, to: to}
	u.next, u.stop = iter.Pull(func(yield func(struct{}) bool) {
		u.failed = u.decode(encodings, yield) != nil
	})
	return u
}

// take adds bytes as sent.
func (u *undo) take(p []byte) {
	for len(p) > 0 && !u.failed {
		n := min(len(p), keptRecent/4)
		u.raw += int64(n)
		u.recent = append(u.recent, p[:n]...)
		u.recent = u.recent[max(0, len(u.recent)-keptRecent):]
		u.in = p[:n]
		u.run()
		p = p[n:]
	}
	u.to(p)
}

// end passes the end of the body to the decoder.
func (u *undo) end() {
	u.closed = true
	if !u.failed {
		u.run()
	}
	u.stop()
}

// run lets the decoder continue until it needs more bytes or has ended.
func (u *undo) run() {
	for more := true; more && (len(u.in) > 0 || u.closed); {
		_, more = u.next()
		if more {
			continue
		}
		// Bytes after the end of the encoded data are not part of it.
		u.failed = u.failed || len(u.in) > 0
	}
	if u.failed {
		u.to(u.recent)
		u.in, u.recent = nil, nil
	}
}

// decode runs in the coroutine.
func (u *undo) decode(encodings []string, yield func(struct{}) bool) (err error) {
	defer func() {
		if p := recover(); p != nil { // in a decoder
			err = fmt.Errorf("undoing an encoding: %v", p)
		}
	}()
	var r io.Reader = arriving{u, yield}
	if len(encodings) > maxEncodings {
		u.bomb = true
		return errBomb
	}
	for _, encoding := range slices.Backward(encodings) {
		var done func()
		if r, done, err = u.decoder(encoding, r); err != nil {
			return err
		}
		defer done()
		r = &measured{Reader: r, u: u}
	}
	p := make([]byte, 16<<10)
	for {
		n, err := r.Read(p)
		u.to(p[:n])
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// measured counts the output of one encoding, because each one may be a
// decompression bomb.
type measured struct {
	io.Reader
	u    *undo
	made int64
}

func (m *measured) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.made += int64(n)
	if m.made > maxDecoded || m.made > freeGrowth && m.made > maxRatio*m.u.raw {
		m.u.bomb = true
		return n, errBomb
	}
	return n, err
}

// arriving is the decoder's input; it yields to wait for more bytes.
type arriving struct {
	u     *undo
	yield func(struct{}) bool
}

func (a arriving) Read(p []byte) (int, error) {
	for len(a.u.in) == 0 {
		if a.u.closed || !a.yield(struct{}{}) {
			return 0, io.EOF
		}
	}
	n := copy(p, a.u.in)
	a.u.in = a.u.in[n:]
	return n, nil
}

func nothing() {}

func (u *undo) decoder(encoding string, r io.Reader) (io.Reader, func(), error) {
	switch encoding {
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(r)
		return z, nothing, err
	case encodingPush:
		return &push{in: bufio.NewReader(r)}, nothing, nil
	case encodingAWS:
		return &awsChunks{in: bufio.NewReader(r), to: u.of}, nothing, nil
	case "deflate":
		return inflate(r)
	case "br":
		return brotli.NewReader(r), nothing, nil
	case "zstd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(maxDecoded), zstd.WithDecoderMaxWindow(maxDistance))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return nil, nil, fmt.Errorf("the encoding %q is not known", encoding)
}

// inflate accepts both formats that are called deflate: zlib and raw.
func inflate(r io.Reader) (io.Reader, func(), error) {
	b := bufio.NewReader(r)
	if head, err := b.Peek(2); err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		z, err := zlib.NewReader(b)
		return alone{z, b}, nothing, err
	}
	return alone{flate.NewReader(b), b}, nothing, nil
}

// alone fails if bytes follow the end.
type alone struct {
	io.Reader
	rest *bufio.Reader
}

func (a alone) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		if _, more := a.rest.Peek(1); more == nil {
			err = errors.New("goes on after its end")
		}
	}
	return n, err
}

// encodings are those of a request's body, the innermost first.
func (r *request) encodings() []string {
	var list []string
	if r.Header("Content-Type") == "application/x-git-receive-pack-request" {
		list = append(list, encodingPush)
	}
	list = append(list, encodingsOf(r.Headers("Content-Encoding")...)...)
	if framed := slices.Contains(list, encodingAWS); framed || strings.HasPrefix(r.Header("X-Amz-Content-Sha256"), "STREAMING-") {
		list = append(slices.DeleteFunc(list, func(e string) bool { return e == encodingAWS }), encodingAWS)
	}
	return append(list, encodingsOf(r.Headers("Transfer-Encoding")...)...)
}

// encodingsOf parses lists of encodings from headers.
func encodingsOf(values ...string) []string {
	var list []string
	for _, v := range values {
		for e := range strings.SplitSeq(strings.ToLower(v), ",") {
			if e = strings.TrimSpace(e); e != "" && e != "identity" && e != "chunked" {
				list = append(list, e)
			}
		}
	}
	return list
}
