package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

func FuzzClean(f *testing.F) {
	f.Add("plain")
	f.Add(pwn)
	f.Add("é\u0301\u0301\u0301")
	f.Fuzz(func(t *testing.T, s string) {
		got := safetext.Clean(s)
		if found := raw(got); found != "" || strings.Contains(got, "\n") {
			t.Errorf("safetext.Clean(%q) = %q: raw %s", s, got, found)
		}
		if again := safetext.Clean(got); len(got) < safetext.MaxText && again != got {
			t.Errorf("cleaning twice: %q, then %q", got, again)
		}
		for _, r := range safetext.ASCII(s) {
			if r > 0x7e {
				t.Errorf("%q in ASCII", r)
			}
		}
	})
}

// FuzzLayout: indenting any JSON keeps its meaning.
func FuzzLayout(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":[]},"x\"]"],"c":{}}`))
	f.Add([]byte("{\"\u202e\":\"\U000e0041\x7f\"}"))
	f.Add([]byte(`["\ud800","\ud83d\ude00\udc00","\\ud800"]`))
	f.Add([]byte(`[[[[[[[[[[1,2],{"a":{"b":[{}]}}]]]]]]]]]`))
	f.Fuzz(func(t *testing.T, src []byte) {
		var want any
		if json.Unmarshal(src, &want) != nil {
			return
		}
		var compact, out bytes.Buffer
		if err := json.Compact(&compact, src); err != nil {
			t.Fatal(err)
		}
		encode.Indent(&out, compact.Bytes())
		if found := raw(out.String()); found != "" {
			t.Errorf("raw %s", found)
		}
		var got any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v in %q", err, out.String())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q means something else than %q", out.String(), src)
		}
	})
}
