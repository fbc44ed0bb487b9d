package transport

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A flood of text is not kept whole: its size is reported, all of it can be
// searched, and the stored part stays small.
func TestAFloodOfTextIsCut(t *testing.T) {
	const lines = 2000
	told, kept, cut, seen := 0, 0, 0, int64(0)
	l := &liner{stream: mcpsf.Stderr, emit: func(m mcpsf.Message) {
		told++
		kept += len(m.Body)
		seen += m.Size
		if m.Truncated {
			cut++
		}
		if !json.Valid(m.Body) {
			t.Fatalf("not JSON: %.100q", m.Body)
		}
		if len(m.Whole) != maxLine {
			t.Fatalf("%d bytes to be searched, want %d", len(m.Whole), maxLine)
		}
	}}
	for range lines {
		l.feed(bytes.Repeat([]byte{0}, maxLine))
	}
	if told != lines || seen != lines*maxLine {
		t.Errorf("%d lines of %d bytes were told, want %d of %d", told, seen, lines, lines*maxLine)
	}
	if most := maxKept + worstLine + lines*beginning; kept > most {
		t.Errorf("%d bytes are kept, want no more than %d", kept, most)
	}
	if cut == 0 || cut == lines {
		t.Errorf("%d of %d lines are cut, want those after the first %d bytes", cut, lines, maxKept)
	}
}
