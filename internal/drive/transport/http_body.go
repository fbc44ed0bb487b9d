package transport

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

const noteEncoding = "answered with an encoding that was not asked for"

var errOverLimit = errors.New("the server wrote more than it may")

// bodies reads response bodies within the limits.
type bodies struct {
	tap    *Meter
	peer   Peer
	limits *Limits
}

// intake is one body being read. All its bytes are counted; those beyond the
// limit are not read.
type intake struct {
	*bodies
	body   io.Reader
	placed Placed
}

// open begins to read a body. It also decompresses a body that we did not ask
// to be compressed.
func (b *bodies) open(resp *http.Response) *intake {
	in := &intake{bodies: b, body: resp.Body}
	in.placed, _ = resp.Body.(Placed)
	switch coding := strings.ToLower(resp.Header.Get("Content-Encoding")); coding {
	case "", "identity":
	case "gzip", "x-gzip":
		b.peer.Note(noteEncoding)
		in.body = &unzipped{from: in.body}
	default:
		b.peer.Note(noteEncoding)
	}
	return in
}

// single returns the one JSON object or array in data, without surrounding
// text, and whether there is one.
func (b *bodies) single(data []byte) ([]byte, bool) {
	value, ok, deep := jsonrpc.Single(data)
	if deep {
		b.peer.Note(jsonrpc.NoteDeep)
	}
	return value, ok
}

// unzipped reads a compressed body. It reads the gzip header only when needed,
// because that can block.
type unzipped struct {
	from io.Reader
	zip  *gzip.Reader
}

func (u *unzipped) Read(p []byte) (int, error) {
	if u.zip == nil {
		z, err := gzip.NewReader(u.from)
		if err != nil {
			return 0, err
		}
		u.zip = z
	}
	return u.zip.Read(p)
}

func (in *intake) offset() int64 {
	if in.placed == nil {
		return 0
	}
	return in.placed.Offset()
}

// each passes on the body piece by piece, to its end.
func (in *intake) each(feed func([]byte)) {
	// no gap: what is longer is malformed output or ends the connection, which is an event
	const maxEmptyReads = 100
	buf := make([]byte, 32<<10)
	for empty := 0; empty < maxEmptyReads; empty++ {
		n, err := in.body.Read(buf)
		if n > 0 {
			empty = 0
			within := in.tap.admit(mcpsf.Served, n)
			feed(buf[:within])
			if within < n {
				err = errOverLimit
			}
		}
		if err != nil {
			return
		}
	}
}

// whole reads a body that is a single message.
func (in *intake) whole() jsonrpc.Frame {
	var f jsonrpc.Frame
	limit, head := int(in.limits.MaxFrame), in.limits.MaxBody
	in.each(func(p []byte) {
		f.Size += int64(len(p))
		switch {
		case f.Cut:
		case len(f.Data)+len(p) > limit:
			f.Data = append(f.Data, p...)
			f.Data, f.Cut = append(make([]byte, 0, head), f.Data[:min(len(f.Data), head)]...), true
		default:
			f.Data = append(f.Data, p...)
		}
	})
	f.End = in.offset()
	if f.Cut {
		in.peer.Note(jsonrpc.NoteCut)
		return f
	}
	f.Data, f.Message = in.single(f.Data)
	return f
}
