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

// encodingPush is our name for the body of a git push: every object in it is
// compressed separately, so that its content is not recognisable.
const encodingPush = "git push"

// push decodes a push: the ref updates as sent, then the contents of the
// objects.
type push struct {
	in      *bufio.Reader
	out     []byte
	object  io.Reader // nil between objects
	packed  bool      // the ref updates are over
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

// line reads "OLD NEW REF" with its length in front, up to the flush packet.
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
		return nil // ref updates without a pack
	}
	if err != nil || !bytes.HasPrefix(head, []byte("PACK")) {
		return errNoPush
	}
	u.objects = binary.BigEndian.Uint32(head[8:])
	_, err = u.in.Discard(12)
	return err
}

// next begins an object: its type and size, the base object if it is a delta,
// then its content.
func (u *push) next() error {
	first, err := u.in.ReadByte()
	if err != nil {
		return noEOF(err)
	}
	if err := u.skipNumber(first); err != nil {
		return err
	}
	switch first >> 4 & 7 {
	case 6: // delta with the base at an offset
		if first, err = u.in.ReadByte(); err != nil {
			return noEOF(err)
		}
		err = u.skipNumber(first)
	case 7: // delta with the base's hash
		_, err = u.in.Discard(20)
	}
	if err != nil {
		return noEOF(err)
	}
	u.object, err = zlib.NewReader(u.in)
	return err
}

// skipNumber skips bytes while their highest bit is set.
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

// rest reads the checksum; what follows is reported as sent.
func (u *push) rest() error {
	if n, err := u.in.Discard(20); err != nil && n > 0 {
		return noEOF(err)
	}
	if _, err := u.in.Peek(1); err == nil {
		return errNoPush
	}
	return io.EOF
}
