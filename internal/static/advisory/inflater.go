package advisory

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
)

// errLonger reports that the content is larger than the archive states.
var errLonger = errors.New("it unpacks to more than it should")

// inflater unpacks records one after another with the same decoder.
type inflater struct {
	from *bytes.Reader
	flat io.ReadCloser
}

// decode fills dst with the unpacked content, which must have exactly that
// length.
func (d *inflater) decode(dst, packed []byte) error {
	if d.flat == nil {
		d.from = bytes.NewReader(nil)
		d.flat = flate.NewReader(d.from)
	}
	d.from.Reset(packed)
	if err := d.flat.(flate.Resetter).Reset(d.from, nil); err != nil {
		return err
	}
	if _, err := io.ReadFull(d.flat, dst); err != nil {
		return err
	}
	var more [1]byte
	if n, err := d.flat.Read(more[:]); n > 0 || !errors.Is(err, io.EOF) {
		return errLonger
	}
	return nil
}
