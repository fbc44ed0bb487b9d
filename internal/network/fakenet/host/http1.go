package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// http1 serves HTTP/1.0 and 1.1. It accepts more malformed requests than
// servers do, because a rejected client sends less.
func (s *session) http1(ctx context.Context, l *line) string {
	c := &patient{Conn: l}
	p := &plain{web: &web{session: s}, conn: c, in: bufio.NewReaderSize(c, 16<<10), out: bufio.NewWriterSize(c, 16<<10)}
	for {
		switch p.one() {
		case goOn:
			continue
		case toSocket:
			p.out.Flush()
			(&webSocket{session: s, in: p.in, out: p.out}).run()
			s.linger(c, p.in)
			return "websocket"
		case toTunnel:
			p.out.Flush()
			return strings.TrimSuffix("http/"+p.tunnel(ctx), "/")
		}
		p.out.Flush()
		s.linger(c, p.in)
		return "http"
	}
}

// plain is an HTTP/1 connection.
type plain struct {
	web  *web
	conn *patient
	in   *bufio.Reader
	out  *bufio.Writer
	// proxied is the destination that the client asked a tunnel for.
	proxied string
}

// next says what follows a request.
type next int

const (
	goOn next = iota
	toEnd
	toSocket
	toTunnel
)

// one serves one request.
func (p *plain) one() next {
	raw, err := p.head()
	if len(raw) == 0 {
		return toEnd
	}
	r, wellFormed := parseHead(raw)
	p.web.locate(r)
	p.web.began(r)
	switch {
	case errors.Is(err, errTooLong):
		p.web.sent("", raw) // and so is what follows, while the connection is closed
		return p.refuse(r, 431)
	case err != nil || !wellFormed:
		p.web.sent("", raw)
		return p.refuse(r, 400)
	}
	p.web.requests++
	return p.serve(r)
}

func (p *plain) serve(r *request) next {
	switch {
	case r.Method == http.MethodConnect:
		p.proxied = r.Target
		fmt.Fprint(p.out, "HTTP/1.1 200 Connection established\r\n\r\n")
		p.web.ended(r, &services.Answer{Status: 200})
		return toTunnel
	case isSocket(r):
		if a := p.web.h.services.Socket(&r.Request); a != nil {
			a = p.web.finish(r, a)
			p.write(r, a, false)
			p.web.ended(r, a)
			return toEnd
		}
		accept(p.web, r, p.out)
		return toSocket
	}
	keep := r.Version == "1.1" && !r.HasToken("Connection", "close") || r.HasToken("Connection", "keep-alive")
	sane, err := p.body(r)
	if err != nil && !errors.Is(err, errFraming) { // the client disconnected in the middle
		p.web.ended(r, nil)
		return toEnd
	}
	if err != nil {
		return p.refuse(r, 400)
	}
	if r.body.cut {
		return p.refuse(r, 413)
	}
	a := p.web.finish(r, p.web.answer(r))
	keep = keep && sane && p.web.requests < maxRequests
	p.write(r, a, keep)
	p.web.ended(r, a)
	if !keep {
		return toEnd
	}
	if p.in.Buffered() == 0 {
		p.out.Flush()
	}
	return goOn
}

func (p *plain) refuse(r *request, status int) next {
	a := services.Page(status)
	p.write(r, p.web.finish(r, a), false)
	p.web.ended(r, a)
	return toEnd
}

// body reads the request's body. If its length is ambiguous (request smuggling),
// one reading is taken and sane is false: nothing after it can be trusted.
func (p *plain) body(r *request) (sane bool, err error) {
	codings := r.Headers("Transfer-Encoding")
	lengths := r.Headers("Content-Length")
	r.body = p.web.receive(r)
	defer r.body.end()
	expects := r.HasToken("Expect", "100-continue") && r.Version == "1.1" && (len(codings) > 0 || len(lengths) > 0)
	if expects {
		fmt.Fprint(p.out, "HTTP/1.1 100 Continue\r\n\r\n")
		p.out.Flush()
	}
	if len(codings) > 0 {
		last := strings.ToLower(codings[len(codings)-1])
		if !strings.HasSuffix(strings.TrimSpace(last), "chunked") {
			return false, errFraming
		}
		return len(lengths) == 0 && len(codings) == 1, p.chunks(r)
	}
	if len(lengths) == 0 {
		return true, nil
	}
	size, err := strconv.ParseUint(strings.TrimSpace(lengths[0]), 10, 62)
	if err != nil || slices.ContainsFunc(lengths, func(l string) bool { return l != lengths[0] }) {
		return false, errFraming
	}
	return true, p.copy(r, int64(size))
}

// copy moves size bytes into the body.
func (p *plain) copy(r *request, size int64) error {
	var buffer [16 << 10]byte
	for size > 0 {
		n, err := p.in.Read(buffer[:min(size, int64(len(buffer)))])
		if size -= int64(n); !r.body.take(buffer[:n]) {
			return nil
		}
		if err != nil {
			return noEOF(err)
		}
	}
	return nil
}

// tunnel serves the destination of a CONNECT request.
func (p *plain) tunnel(ctx context.Context) string {
	name, port, err := net.SplitHostPort(p.proxied)
	number, bad := strconv.ParseUint(port, 10, 16)
	if err != nil || bad != nil {
		name, number = p.proxied, 443
	}
	return p.web.through(ctx, name, uint16(number), &line{Conn: p.conn.Conn, ahead: buffered(p.in)})
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// head reads up to the empty line, within a total time limit.
func (p *plain) head() ([]byte, error) {
	p.conn.until = time.Now().Add(idleTime)
	defer func() { p.conn.until = time.Time{} }()
	return readHead(p.in)
}
