package harness

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// parse gives what a stream says, fed in pieces of a size.
func parse(stream []byte, piece int) (list []string, e *events) {
	e = &events{max: 64, head: 16, emit: func(ev event) {
		list = append(list, fmt.Sprintf("%s %q cut=%v size=%d", ev.name, ev.data, ev.cut, ev.size))
	}}
	for ; len(stream) > 0; stream = stream[min(piece, len(stream)):] {
		e.feed(stream[:min(piece, len(stream))])
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
				if e.last != test.last || e.retry != test.retry {
					t.Errorf("last %q, retry %v", e.last, e.retry)
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
		// Where a line was too long, how it was cut up may show; nothing else.
		if longest := longestLine(stream); longest <= e.max && !cmp.Equal(whole, pieces) {
			t.Errorf("%q and %q", whole, pieces)
		}
		if len(e.line) > e.max || len(e.data) > e.max || !fitsHeader(e.last) {
			t.Errorf("%d and %d bytes are kept, and %q", len(e.line), len(e.data), e.last)
		}
	})
}

func longestLine(stream []byte) (n int) {
	for line := range bytes.FieldsFuncSeq(stream, func(r rune) bool { return r == '\r' || r == '\n' }) {
		n = max(n, len(line))
	}
	return n
}

func TestHeadersOfTools(t *testing.T) {
	schema := []byte(`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"object","properties":{"c":{"type":"integer","x-mcp-header":"C"}}},"d":{"type":"boolean"}}}`)
	list, sane := boundHeaders(schema)
	if !sane {
		t.Error("these headers make sense")
	}
	got := filled(list, []byte(`{"a":"x\r\nEvil: 1","b":{"c":7},"d":true}`))
	if diff := cmp.Diff(map[string]string{"Mcp-Param-A": "=?base64?eA0KRXZpbDogMQ==?=", "Mcp-Param-C": "7"}, got); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	for _, bad := range []string{
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB"}}}`,
		`{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`,
	} {
		if _, sane := boundHeaders([]byte(bad)); sane {
			t.Errorf("%s makes sense", bad)
		}
	}
	deep := strings.Repeat(`{"properties":{"a":`, 10_000)
	if list, _ := boundHeaders([]byte(deep)); list != nil {
		t.Errorf("%v was found", list)
	}
}
