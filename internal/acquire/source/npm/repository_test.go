package npm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestRepository(t *testing.T) {
	head := strings.Repeat("1a", 20)
	for text, want := range map[string]*mcpsf.Repository{
		`{}`:                               nil,
		`{"repository":7}`:                 nil,
		`{"repository":"anna/demo"}`:       {URL: "github:anna/demo", Commit: head},
		`{"repository":"git\u001b[2Jhub"}`: nil,
		`{"repository":{"url":"git+https://token:x@github.com/anna/demo.git","directory":"packages/a/"}}`: {URL: "git+https://github.com/anna/demo.git", Dir: "packages/a", Commit: head},
		`{"repository":{"url":"https://github.com/anna/demo","directory":"../../etc"}}`:                   {URL: "https://github.com/anna/demo", Commit: head},
		`{"repository":{"url":"https://github.com/anna/demo","directory":"./"}}`:                          {URL: "https://github.com/anna/demo", Commit: head},
	} {
		var manifest map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &manifest); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, repository(manifest, head)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	if got := repository(map[string]json.RawMessage{"repository": json.RawMessage(`"a/b"`)}, "main; rm"); got.Commit != "" {
		t.Errorf("commit %q", got.Commit)
	}
}
