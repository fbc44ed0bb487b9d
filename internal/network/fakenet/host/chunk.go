package host

import (
	"bufio"
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// chunks reads a chunked body. Chunk extensions, in which data can be hidden, are
// reported too.
func (p *plain) chunks(r *request) error {
	for {
		l, err := readLine(p.in)
		if err != nil {
			return err
		}
		digits, extension, _ := bytes.Cut(l, []byte(";"))
		p.web.sent("chunk extension", extension)
		size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 31)
		if err != nil {
			p.web.sent("", l)
			return errFraming
		}
		if size == 0 {
			return p.trailers(r)
		}
		if err := p.copy(r, int64(size)); err != nil || r.body.cut {
			return err
		}
		if l, err = readLine(p.in); err != nil {
			return err
		}
		if len(l) > 0 {
			p.web.sent("", l)
			return errFraming
		}
	}
}

// trailers reads the headers after the body.
func (p *plain) trailers(r *request) error {
	for total := 0; total < maxHead; {
		l, err := readLine(p.in)
		if err != nil || len(l) == 0 {
			return err
		}
		total += len(l)
		name, value, _ := strings.Cut(string(l), ":")
		f := services.Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}
		r.Fields = append(r.Fields, f)
		p.web.sent("header "+f.Name, []byte(f.Value))
	}
	return errFraming
}

// readLine reads a line without its end. The line must fit into the buffer.
func readLine(in *bufio.Reader) ([]byte, error) {
	l, err := in.ReadSlice('\n')
	if err != nil {
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, errFraming
		}
		return nil, noEOF(err)
	}
	return bytes.Clone(bytes.TrimRight(l, "\r\n")), nil
}
