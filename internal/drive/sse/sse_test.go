package sse

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// parse returns the events of a stream that is fed in pieces of one size.
func parse(stream []byte, piece int) (list []string, e *Parser) {
	e = &Parser{Max: 64, Head: 16, Emit: func(ev Event) {
		list = append(list, fmt.Sprintf("%s %q cut=%v size=%d", ev.Name, ev.Data, ev.Cut, ev.Size))
	}}
	for ; len(stream) > 0; stream = stream[min(piece, len(stream)):] {
		e.Feed(stream[:min(piece, len(stream))])
	}
	return list, e
}

func TestEvents(t *testing.T) {
	tests := map[string]struct {
		stream string
		want   []string
		last   string
		retry  time.Duration
	}{
		"one":              {stream: "data: a\n\n", want: []string{` "a" cut=false size=9`}},
		"all fields":       {stream: "event: x\nid: 7\nretry: 20\ndata:a\ndata:  b\n\n", want: []string{`x "a\n b" cut=false size=42`}, last: "7", retry: 20 * time.Millisecond},
		"line ends":        {stream: "data: a\r\rdata: b\r\n\r\n", want: []string{` "a" cut=false size=9`, ` "b" cut=false size=10`}},
		"a mark":           {stream: "\ufeffdata: a\n\n", want: []string{` "a" cut=false size=12`}},
		"comments":         {stream: ": x\n\n:\ndata: a\n\n", want: []string{` "a" cut=false size=11`}},
		"empty data":       {stream: "id: 1\ndata\n\n", want: []string{` "" cut=false size=12`}, last: "1"},
		"only an id":       {stream: "id: 1\n\n", last: "1"},
		"no end":           {stream: "data: a\n"},
		"a bad id":         {stream: "id: a\x00b\nid: \x1b[31m\ndata: a\n\n", want: []string{` "a" cut=false size=27`}},
		"a bad retry":      {stream: "retry: -5\nretry: 99999999999999999999\nretry: 1s\ndata: a\n\n", want: []string{` "a" cut=false size=57`}},
		"a long line":      {stream: "data: " + strings.Repeat("x", 100) + "\n\n", want: []string{` "xxxxxxxxxx" cut=true size=108`}},
		"many lines":       {stream: strings.Repeat("data: xxxx\n", 30) + "\ndata: y\n\n", want: []string{` "xxxx\nxxxx\nxxxx\nx" cut=true size=331`, ` "y" cut=false size=9`}},
		"a long id":        {stream: "id: " + strings.Repeat("x", 100) + "\ndata: a\n\n", want: []string{` "a" cut=false size=114`}},
		"an unknown field": {stream: "colour: red\ndata: a\n\n", want: []string{` "a" cut=false size=21`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, piece := range []int{1, 3, 1000} {
				got, e := parse([]byte(test.stream), piece)
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("in pieces of %d (-want +got):\n%s", piece, diff)
				}
				if e.Last != test.last || e.Retry != test.retry {
					t.Errorf("last %q, retry %v", e.Last, e.Retry)
				}
			}
		})
	}
}

func FuzzEvents(f *testing.F) {
	for _, seed := range []string{"data: a\n\n", "event: x\r\nid: 1\rretry: 5\n\n\n", "\ufeff:\n\ndata", "data: " + "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		whole, e := parse(stream, len(stream)+1)
		pieces, _ := parse(stream, 1)
		// Only lines beyond the limit may depend on how the input was cut.
		if longest := longestLine(stream); longest <= e.Max && !cmp.Equal(whole, pieces) {
			t.Errorf("%q and %q", whole, pieces)
		}
		if len(e.line) > e.Max || len(e.data) > e.Max || !FitsHeader(e.Last) {
			t.Errorf("%d and %d bytes are kept, and %q", len(e.line), len(e.data), e.Last)
		}
	})
}

func longestLine(stream []byte) (n int) {
	for line := range bytes.FieldsFuncSeq(stream, func(r rune) bool { return r == '\r' || r == '\n' }) {
		n = max(n, len(line))
	}
	return n
}
