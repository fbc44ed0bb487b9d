package host

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"strconv"
)

// encodingPush is our name for what git sends when it pushes: every object is
// compressed by itself, so that nothing of it could be recognised.
const encodingPush = "git push"

// push reads what was pushed: the names as they are, then the contents of the
// objects.
type push struct {
	in      *bufio.Reader
	out     []byte
	object  io.Reader // nil between objects
	packed  bool      // the names are over
	objects uint32    // still to come
}

var errNoPush = errors.New("not what git pushes")

// Read implements [io.Reader].
func (u *push) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.object != nil {
			n, err := u.object.Read(p)
			if errors.Is(err, io.EOF) {
				u.object, err = nil, nil
			}
			if n > 0 || err != nil {
				return n, err
			}
			continue
		}
		if err := u.advance(); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *push) advance() error {
	if !u.packed {
		return u.line()
	}
	if u.objects == 0 {
		return u.rest()
	}
	u.objects--
	return u.next()
}

// line reads "OLD NEW REF" with its length in front, up to the flush.
func (u *push) line() error {
	head, err := u.in.Peek(4)
	if err != nil && len(head) > 0 {
		return noEOF(err)
	}
	if err != nil {
		return err
	}
	size, err := strconv.ParseUint(string(head), 16, 16)
	if err != nil || size > 0 && size < 4 {
		return errNoPush
	}
	u.out = make([]byte, max(size, 4))
	if _, err := io.ReadFull(u.in, u.out); err != nil || size > 0 {
		return err
	}
	u.packed = true
	head, err = u.in.Peek(12)
	if errors.Is(err, io.EOF) && len(head) == 0 {
		return nil // nothing but names
	}
	if err != nil || !bytes.HasPrefix(head, []byte("PACK")) {
		return errNoPush
	}
	u.objects = binary.BigEndian.Uint32(head[8:])
	_, err = u.in.Discard(12)
	return err
}

// next begins an object: its kind and size, what it differs from if it is a
// difference, then its contents.
func (u *push) next() error {
	first, err := u.in.ReadByte()
	if err != nil {
		return noEOF(err)
	}
	if err := u.skipNumber(first); err != nil {
		return err
	}
	switch first >> 4 & 7 {
	case 6: // from an object at a distance
		if first, err = u.in.ReadByte(); err != nil {
			return noEOF(err)
		}
		err = u.skipNumber(first)
	case 7: // from an object of that name
		_, err = u.in.Discard(20)
	}
	if err != nil {
		return noEOF(err)
	}
	u.object, err = zlib.NewReader(u.in)
	return err
}

// skipNumber reads on while the highest bit says so.
func (u *push) skipNumber(b byte) error {
	for range 10 {
		if b&0x80 == 0 {
			return nil
		}
		var err error
		if b, err = u.in.ReadByte(); err != nil {
			return noEOF(err)
		}
	}
	return errNoPush
}

// rest is the sum of it all; what follows is told as it is.
func (u *push) rest() error {
	if n, err := u.in.Discard(20); err != nil && n > 0 {
		return noEOF(err)
	}
	if _, err := u.in.Peek(1); err == nil {
		return errNoPush
	}
	return io.EOF
}
