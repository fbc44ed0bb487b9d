package session

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf"
)

var errOverLimit = errors.New("the server wrote more than it may")

// intake reads the body of a response. All of it counts, and what is beyond
// the limit is not read.
type intake struct {
	w      *web
	body   io.Reader
	placed Placed
}

// open begins to read a body. What was compressed without our asking is read
// all the same.
func (w *web) open(resp *http.Response) *intake {
	in := &intake{w: w, body: resp.Body}
	in.placed, _ = resp.Body.(Placed)
	switch coding := strings.ToLower(resp.Header.Get("Content-Encoding")); coding {
	case "", "identity":
	case "gzip", "x-gzip":
		w.session.note(noteEncoding)
		in.body = &unzipped{from: in.body}
	default:
		w.session.note(noteEncoding)
	}
	return in
}

// unzipped reads what was compressed. Its beginning is read when it is needed
// and not before, because that can take time.
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

// each hands on the body piece by piece, to its end.
func (in *intake) each(feed func([]byte)) {
	const maxEmptyReads = 100
	buf := make([]byte, 32<<10)
	for empty := 0; empty < maxEmptyReads; empty++ {
		n, err := in.body.Read(buf)
		if n > 0 {
			empty = 0
			within := in.w.tap.admit(mcpsf.Served, n)
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

// whole reads a body that is one message.
func (in *intake) whole() frame {
	var f frame
	limit, head := int(in.w.opts.MaxFrame), in.w.opts.MaxBody
	in.each(func(p []byte) {
		f.size += int64(len(p))
		switch {
		case f.cut:
		case len(f.data)+len(p) > limit:
			f.data = append(f.data, p...)
			f.data, f.cut = append(make([]byte, 0, head), f.data[:min(len(f.data), head)]...), true
		default:
			f.data = append(f.data, p...)
		}
	})
	f.end = in.offset()
	if f.cut {
		in.w.session.note(noteCut)
		return f
	}
	f.data, f.message = in.w.single(f.data)
	return f
}

// single is the one JSON object or array that data is, without what stands
// around it, and whether it is one.
func (w *web) single(data []byte) ([]byte, bool) {
	trimmed := bytes.Trim(bytes.TrimPrefix(data, []byte("\ufeff")), blanks)
	var scan scanner
	n, v := scan.run(trimmed)
	if v == scanDeep {
		w.session.note(noteDeep)
	}
	if v != scanDone || n != len(trimmed) {
		return data, false
	}
	return trimmed, true
}

// isAnswer tells whether an object is an answer of JSON-RPC.
func isAnswer(data []byte) bool {
	var e envelope
	return isObject(data) && json.Unmarshal(data, &e) == nil && e.answers() && (e.Version != nil || e.hasID())
}

// closeBody gives a response up. What is left of it is not read: it may not
// end.
func closeBody(resp *http.Response) {
	_ = resp.Body.Close() // nothing that could be done about it
}
