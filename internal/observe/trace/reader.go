package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
)

// Read calls fn for every event of r in order and returns the first error: of
// the reader, of fn unchanged, or one that wraps [ErrBroken].
func Read(r io.Reader, fn func(mcpsf.Event) error) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	var long []byte
	for last := int64(0); ; last++ {
		line, err := readLine(lines, &long)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading event %d: %w", last+1, err)
		}
		var e mcpsf.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("reading event %d: %w: %w", last+1, ErrBroken, err)
		}
		if e.Seq != last+1 {
			return fmt.Errorf("%w: event %d where %d is due", ErrBroken, e.Seq, last+1)
		}
		if err := fn(e); err != nil {
			return err
		}
	}
}

// readLine returns the next line, which is valid until the next call, and
// [io.EOF] after the last. Lines longer than r's buffer are assembled in long.
func readLine(r *bufio.Reader, long *[]byte) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err == nil {
		return line, nil
	}
	*long = append((*long)[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(*long) > MaxLine {
			return nil, fmt.Errorf("%w: line longer than %d bytes", ErrBroken, MaxLine)
		}
		line, err = r.ReadSlice('\n')
		*long = append(*long, line...)
	}
	switch {
	case err == nil && len(*long) > MaxLine:
		return nil, fmt.Errorf("%w: line longer than %d bytes", ErrBroken, MaxLine)
	case err == nil:
		return *long, nil
	case errors.Is(err, io.EOF) && len(bytes.TrimSpace(*long)) > 0:
		return nil, fmt.Errorf("%w: the last line is cut off", ErrBroken)
	default:
		return nil, err
	}
}
