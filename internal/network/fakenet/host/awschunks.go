package host

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// encodingAWS is the framing in which clients of S3 send bodies: chunks with a
// signature each, and headers behind them.
const encodingAWS = "aws-chunked"

// awsChunks decodes a body with that framing. What stands beside the bytes, in which
// data can be hidden, is reported as that of chunked bodies is.
type awsChunks struct {
	in    *bufio.Reader
	to    *intake
	left  int64 // of the chunk
	began bool
	ended bool
}

// Read implements [io.Reader].
func (c *awsChunks) Read(p []byte) (int, error) {
	for c.left == 0 {
		if c.ended {
			return 0, io.EOF
		}
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	n, err := c.in.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, noEOF(err)
}

// next reads up to the bytes of the next chunk, or to the end.
func (c *awsChunks) next() error {
	if c.began {
		if l, err := readLine(c.in); err != nil || len(l) > 0 {
			c.to.web.sent("", l)
			return orFraming(err)
		}
	}
	c.began = true
	l, err := readLine(c.in)
	if err != nil {
		return err
	}
	digits, extension, _ := bytes.Cut(l, []byte(";"))
	c.to.web.sent("chunk extension", extension)
	size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 31)
	if err != nil {
		c.to.web.sent("", l)
		return errFraming
	}
	if c.left = int64(size); size == 0 {
		c.ended = true
		return c.trailers()
	}
	return nil
}

// trailers reads the headers behind the last chunk, if there are any. Empty lines stand
// behind them, and in some clients between them.
func (c *awsChunks) trailers() error {
	for total := 0; total < maxHead; {
		if c.atEnd() {
			return nil
		}
		l, err := readLine(c.in)
		if err != nil {
			return err
		}
		if len(l) == 0 {
			total++
			continue
		}
		total += len(l)
		name, value, ok := strings.Cut(string(l), ":")
		if !ok {
			c.to.web.sent("", l)
			return errFraming
		}
		c.to.field(services.Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	return errFraming
}

func (c *awsChunks) atEnd() bool {
	_, err := c.in.Peek(1)
	return errors.Is(err, io.EOF)
}

func orFraming(err error) error {
	if err == nil {
		return errFraming
	}
	return err
}
