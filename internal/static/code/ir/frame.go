package ir

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxFrame is the size of the largest message between parent and child.
// gap: source-not-read
const MaxFrame = 64 << 20

// ErrFrame reports an invalid message.
var ErrFrame = errors.New("a message of the reading process is not right")

// Request asks for a file to be read.
type Request struct {
	Path     string
	Language Language
	// Markup is set if the file has JSX.
	Markup bool
	// Brief asks for the cheap parts only: the file belongs to a dependency.
	Brief bool
	// Declared asks for nothing but what the file declares about answers.
	Declared bool
	Source   []byte
}

// WriteFrame writes a message.
func WriteFrame(w io.Writer, body []byte) error {
	if len(body) > MaxFrame {
		return fmt.Errorf("%w: %d bytes", ErrFrame, len(body))
	}
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(body)))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}

// ReadFrame reads a message. io.EOF means that there are no more.
func ReadFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > MaxFrame {
		return nil, fmt.Errorf("%w: %d bytes", ErrFrame, n)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return body, nil
}

// Encode encodes a request: a line of JSON, then the source.
func (q *Request) Encode() ([]byte, error) {
	head, err := json.Marshal(requestHead{q.Path, q.Language, q.Markup, q.Brief, q.Declared})
	if err != nil {
		return nil, err
	}
	out := make([]byte, 4, 4+len(head)+len(q.Source))
	binary.BigEndian.PutUint32(out, uint32(len(head)))
	return append(append(out, head...), q.Source...), nil
}

type requestHead struct {
	Path     string   `json:"path"`
	Language Language `json:"language"`
	Markup   bool     `json:"markup"`
	Brief    bool     `json:"brief"`
	Declared bool     `json:"declared,omitempty"`
}

// DecodeRequest is the opposite of Encode.
func DecodeRequest(body []byte) (*Request, error) {
	if len(body) < 4 {
		return nil, ErrFrame
	}
	n := int(binary.BigEndian.Uint32(body))
	if n > len(body)-4 || n > 1<<20 {
		return nil, ErrFrame
	}
	var h requestHead
	if err := json.Unmarshal(body[4:4+n], &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return &Request{h.Path, h.Language, h.Markup, h.Brief, h.Declared, body[4+n:]}, nil
}

// Decode reads a file from a frame and checks its indices.
func Decode(body []byte) (*File, error) {
	var f File
	if err := json.Unmarshal(body, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return &f, nil
}

// Check reports invalid indices.
func (f *File) Check() error {
	funcs, conds := len(f.Funcs), len(f.Conds)
	for i := range f.Funcs {
		fn := &f.Funcs[i]
		if fn.In < -1 || fn.In >= max(i, 1) || !below(fn.Handler, len(f.Tools)) {
			return fmt.Errorf("%w: function %d", ErrFrame, i)
		}
	}
	for i := range f.Calls {
		if !f.Calls[i].fits(funcs, conds) {
			return fmt.Errorf("%w: call %d", ErrFrame, i)
		}
	}
	for i := range f.Texts {
		if !inside(f.Texts[i].Func, funcs) {
			return fmt.Errorf("%w: text %d", ErrFrame, i)
		}
	}
	for i := range f.Reads {
		if !inside(f.Reads[i].Func, funcs) || !all(f.Reads[i].Conds, conds) {
			return fmt.Errorf("%w: read %d", ErrFrame, i)
		}
	}
	for i := range f.Conds {
		if !all(f.Conds[i].Calls, funcs) {
			return fmt.Errorf("%w: condition %d", ErrFrame, i)
		}
	}
	for i := range f.Tools {
		if !below(f.Tools[i].Func, funcs) {
			return fmt.Errorf("%w: tool %d", ErrFrame, i)
		}
	}
	for name, i := range f.Exports {
		if !inside(i, funcs) {
			return fmt.Errorf("%w: export %.40q", ErrFrame, name)
		}
	}
	return f.Flow.check()
}

func (c *Call) fits(funcs, conds int) bool {
	for _, a := range c.Args {
		if !below(a.Func, funcs) {
			return false
		}
	}
	return inside(c.Func, funcs) && below(c.To, funcs) && all(c.Conds, conds)
}

func inside(i, n int) bool { return i >= 0 && i < n }

// below allows -1, which means none.
func below(i, n int) bool { return i >= -1 && i < n }

func all(list []int, below int) bool {
	for _, i := range list {
		if i < 0 || i >= below {
			return false
		}
	}
	return true
}
