package document

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainJSON(t *testing.T) {
	in := "// one\n{\"a\": \"// no /* no */ ,]\", /* two\nlines */ \"b\": [1, 2, // c\n],\n \"c\\\"\": {\"d\": 1,},}"
	out := PlainJSON([]byte(in))
	if len(out) != len(in) || bytes.Count(out, []byte("\n")) != strings.Count(in, "\n") {
		t.Errorf("lines moved: %q", out)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": "// no /* no */ ,]", "b": []any{1.0, 2.0}, "c\"": map[string]any{"d": 1.0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, bad := range []string{`{"a":,}`, `{,}`, `[,]`, `{"a" /`, `{"a": "x`, `{"a": 1 2}`, "/*", "//"} {
		if json.Valid(PlainJSON([]byte(bad))) && bad != `{,}` && bad != `[,]` {
			t.Errorf("%q was made valid", bad)
		}
	}
}
