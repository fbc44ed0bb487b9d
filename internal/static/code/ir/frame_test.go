package ir

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	want := &Request{Path: "a/b.js", Language: JavaScript, Markup: true, Source: []byte("x\n\x00y")}
	body, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteFrame(&b, body); err != nil {
		t.Fatal(err)
	}
	frame, err := ReadFrame(&b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeRequest(frame)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := ReadFrame(&b); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v, want EOF", err)
	}
}

func TestBadFrames(t *testing.T) {
	for name, raw := range map[string][]byte{
		"too large": {0xff, 0xff, 0xff, 0xff},
		"cut off":   {0, 0, 0, 9, 1},
	} {
		if _, err := ReadFrame(bytes.NewReader(raw)); !errors.Is(err, ErrFrame) {
			t.Errorf("%s: %v, want ErrFrame", name, err)
		}
	}
}

// TestDecode checks that invalid indices are refused.
func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		body string
		ok   bool
	}{
		{`{"funcs":[{"in":-1,"handler":-1}],"calls":[{"to":-1}]}`, true},
		{`{}`, true},
		{`{`, false},
		{`[]`, false},
		{`{"calls":[{"to":-1}]}`, false},
		{`{"funcs":[{"in":-1,"handler":-1}],"calls":[{"to":7}]}`, false},
		{`{"funcs":[{"in":-1,"handler":-1}],"calls":[{"to":-1,"conds":[0]}]}`, false},
		{`{"funcs":[{"in":-1,"handler":-1}],"calls":[{"to":-1,"args":[{"func":1}]}]}`, false},
		{`{"funcs":[{"in":-1,"handler":0}]}`, false},
		{`{"funcs":[{"in":-1,"handler":-1},{"in":1,"handler":-1}]}`, false},
		{`{"texts":[{}]}`, false},
		{`{"reads":[{}]}`, false},
		{`{"conds":[{"calls":[0]}]}`, false},
		{`{"tools":[{"func":0}]}`, false},
		{`{"exports":{"a":0}}`, false},
	} {
		_, err := Decode([]byte(tt.body))
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v, want ok %v", tt.body, err, tt.ok)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"path":"a","funcs":[{"in":-1,"handler":-1}],"calls":[{"name":"eval","to":-1,"args":[{"func":-1}]}],"exports":{"a":0}}`))
	f.Add([]byte(`{"tools":[{"name":"a","func":-1}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		file, err := Decode(body)
		if err == nil && file.Check() != nil {
			t.Fatal("decoded, but does not pass its own check")
		}
		if q, err := DecodeRequest(body); err == nil && len(q.Source) > len(body) {
			t.Fatal("a request with more source than there is")
		}
	})
}
