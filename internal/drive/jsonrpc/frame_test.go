package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cutUp feeds input in pieces and writes each frame as "kind@end text".
func cutUp(input string, limit, piece int) []string {
	var out []string
	f := &Framer{Max: limit, Head: 8, Note: func(string) {}, Emit: func(f Frame) {
		kind := "junk"
		switch {
		case f.Cut:
			kind = "cut"
		case f.Message:
			kind = "message"
		}
		out = append(out, fmt.Sprintf("%s@%d %s", kind, f.End, f.Data))
	}}
	for rest := []byte(input); len(rest) > 0; {
		n := min(piece, len(rest))
		f.Feed(rest[:n])
		rest = rest[n:]
	}
	f.Finish()
	return out
}

func TestFramer(t *testing.T) {
	tests := map[string]struct {
		input string
		want  []string
	}{
		"line":                 {"{}\n", []string{"message@3 {}"}},
		"no end of line":       {"{}", []string{"message@2 {}"}},
		"two lines":            {"{}\n{}\n", []string{"message@3 {}", "message@6 {}"}},
		"two on a line":        {"{} {}\n", []string{"message@2 {}", "message@6 {}"}},
		"blank lines":          {"\n \r\n{}\r\n\n", []string{"message@8 {}"}},
		"byte order mark":      {"\ufeff{}\n", []string{"message@6 {}"}},
		"junk":                 {"hi\n{}\n", []string{"junk@3 hi\n", "message@6 {}"}},
		"junk after":           {"{} hi\n", []string{"message@2 {}", "junk@6 hi\n"}},
		"bare values":          {"5\n\"x\"\nnull\n", []string{"junk@2 5\n", "junk@6 \"x\"\n", "junk@11 null\n"}},
		"bracketed log":        {"[INFO] x\n", []string{"junk@9 [INFO] x\n"}},
		"several lines":        {"{\n\"a\":\n1}\n", []string{"message@10 {\n\"a\":\n1}"}},
		"several lines, more":  {"{\n}{}\n", []string{"message@3 {\n}", "message@6 {}"}},
		"half, then whole":     {"{\"a\":\n{\"method\":\"m\"}\n", []string{"junk@6 {\"a\":\n", "message@21 {\"method\":\"m\"}"}},
		"half, then inner":     {"{\"a\":\n{\"tools\":1}\n}\n", []string{"message@20 {\"a\":\n{\"tools\":1}\n}"}},
		"half, then junk":      {"{\nhi\n", []string{"junk@2 {\n", "junk@5 hi\n"}},
		"half at the end":      {"{\"a\"", []string{"junk@4 {\"a\""}},
		"half lines at end":    {"[\n1,\n", []string{"junk@5 [\n1,\n"}},
		"cut string":           {"{\"a\n{}\n", []string{"junk@4 {\"a\n", "message@7 {}"}},
		"batch over lines":     {"[{\"id\":1,\"result\":1},\n{\"id\":2,\"result\":2}\n]\n", []string{"message@44 [{\"id\":1,\"result\":1},\n{\"id\":2,\"result\":2}\n]"}},
		"lone bracket":         {"[\n{\"id\":1,\"result\":1}\n", []string{"junk@2 [\n", "message@22 {\"id\":1,\"result\":1}"}},
		"too deep":             {strings.Repeat("[", 257) + "\n{}\n", []string{"junk@258 " + strings.Repeat("[", 257) + "\n", "message@261 {}"}},
		"too long":             {strings.Repeat("x", 700) + "\n{}\n", []string{"cut@701 xxxxxxxx", "message@704 {}"}},
		"too long at the end":  {strings.Repeat("x", 700), []string{"cut@700 xxxxxxxx"}},
		"half, then too long":  {"{\n" + strings.Repeat("x", 700) + "\n", []string{"junk@2 {\n", "cut@703 xxxxxxxx"}},
		"too long in lines":    {"{\n" + strings.Repeat("\"a\":1,\n", 100), nil},
		"terminal escape":      {"\x1b[2J\n{}\n", []string{"junk@5 \x1b[2J\n", "message@8 {}"}},
		"invalid UTF-8 inside": {"{\"a\":\"\xff\"}\n", []string{"message@10 {\"a\":\"\xff\"}"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			whole := cutUp(test.input, 600, len(test.input))
			if test.want != nil {
				if diff := cmp.Diff(test.want, whole); diff != "" {
					t.Errorf("frames (-want +got):\n%s", diff)
				}
			}
			for _, piece := range []int{1, 2, 3, 7, 64} {
				if diff := cmp.Diff(whole, cutUp(test.input, 600, piece)); diff != "" {
					t.Errorf("in pieces of %d (-whole +pieces):\n%s", piece, diff)
				}
			}
		})
	}
}

// A frame beyond the limit must not be held in memory.
func TestFramerDoesNotHoldLongFrames(t *testing.T) {
	const total, limit = 200 << 20, 64 << 10
	f := &Framer{Max: limit, Head: 1 << 10, Note: func(string) {}, Emit: func(Frame) {}}
	piece := bytes.Repeat([]byte("x"), 64<<10)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range total / len(piece) {
		f.Feed(piece)
		if cap(f.buf) > 4*limit {
			t.Fatalf("the buffer has grown to %d bytes", cap(f.buf))
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("reading %d bytes allocated %d", total, grown)
	}
}

// Inputs that take minutes if a byte is read once per message or line.
func TestFramerIsLinear(t *testing.T) {
	const n = 1 << 20
	for name, input := range map[string]string{
		"messages, then blanks": strings.Repeat("{}", n) + strings.Repeat(" ", 2*n),
		"half messages":         strings.Repeat("{\"a\":\n", n),
		"brackets":              strings.Repeat("[\n", n),
		"lines of one message":  "{\n" + strings.Repeat("\"a\":1,\n", n),
		"lines of one batch":    "[\n" + strings.Repeat("{\"id\":1,\"result\":1},\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			f := &Framer{Max: 16 << 20, Head: 8, Note: func(string) {}, Emit: func(Frame) {}}
			f.Feed([]byte(input))
			f.Finish()
			if f.start != int64(len(input)) {
				t.Errorf("%d of %d bytes are accounted for", f.start, len(input))
			}
		})
	}
}

// FuzzFramer: offsets rise, every byte is accounted for, every message is JSON,
// and splitting the input into reads changes nothing.
func FuzzFramer(f *testing.F) {
	for _, seed := range []string{
		"{}\n", "[{}]\r\n", "\ufeff{\"a\":[1,2e5,-0.1,true,null,\"\\u00ff\"]}\nx\n{\n}\n", "{\"a\":\n{\"id\":1,\"result\":{}}\n",
		strings.Repeat("[", 300), "{\"a\":1}{\"b\":2} junk\n", "[\n1,\n", "{\"a\":01}\n", "{\"\xff\":\"\xc3\"}\n",
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, input []byte, piece int) {
		piece = max(1, piece%64)
		var end int64
		fr := &Framer{Max: 256, Head: 16, Note: func(string) {}}
		fr.Emit = func(f Frame) {
			if f.End <= end || f.Size < 1 || f.End-f.Size < end {
				t.Fatalf("frame of %d bytes ends at %d after %d", f.Size, f.End, end)
			}
			if f.Message && !json.Valid(f.Data) {
				t.Fatalf("not JSON: %q", f.Data)
			}
			end = f.End
		}
		fr.Feed(input)
		fr.Finish()
		if fr.start != int64(len(input)) || end > fr.start {
			t.Fatalf("%d bytes in, %d accounted for, last frame at %d", len(input), fr.start, end)
		}
		whole, parts := cutUp(string(input), 256, len(input)+1), cutUp(string(input), 256, piece)
		if !slices.Equal(whole, parts) {
			t.Fatalf("pieces of %d (-whole +pieces):\n%s", piece, cmp.Diff(whole, parts))
		}
	})
}

// FuzzScanner: the scanner agrees with encoding/json on objects and arrays.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{}`, `[1,{"a":"\n\u12aF"}]`, `[01]`, `{"a":1,}`, `[-]`, `[1.e3]`, `[tru]`, `[1e+5,-0]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) == 0 || input[0] != '{' && input[0] != '[' {
			return
		}
		var s scanner
		n, v := s.run(input)
		switch {
		case v == scanDone && !json.Valid(input[:n]):
			t.Fatalf("accepted %q", input[:n])
		case v != scanDone && v != scanDeep && json.Valid(input):
			t.Fatalf("did not accept %q", input)
		}
	})
}
