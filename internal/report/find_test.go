package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	put := func(name, id string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "no report"
		if id != "" {
			text = `{"schema_version":"3","run":{"id":"` + id + `"},"verdict":{"band":"PASS"}}`
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("all/one/report.json", "one")
	put("all/group/two/report.json", "two")
	put("all/broken/report.json", "")
	put("all/other/events.jsonl", "")
	put("all/a/b/c/d/e/f/report.json", "too deep")
	put("none/readme.txt", "")
	put("outside/report.json", "outside")
	if err := os.Symlink(filepath.Join(dir, "outside"), filepath.Join(dir, "all", "link")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		arg          string
		want, unread []string
		err          string
	}{
		{"all/one/report.json", []string{"one"}, nil, ""},
		{"all/one", []string{"one"}, nil, ""},
		{"all", []string{"two", "one"}, []string{"all/broken/report.json is not a report of mcpsf"}, ""},
		{"all/broken", nil, nil, "is not a report of mcpsf"},
		{"none", nil, nil, "there is no report in"},
		{"missing", nil, nil, "there is no report at"},
	} {
		found, unread, err := Find(filepath.Join(dir, tt.arg))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) || mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
				t.Errorf("%s: error is %v, want %q", tt.arg, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range found {
			ids = append(ids, r.Run.ID)
		}
		for i := range unread {
			unread[i] = strings.TrimPrefix(unread[i], dir+"/")
		}
		if diff := cmp.Diff(tt.want, ids) + cmp.Diff(tt.unread, unread); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.arg, diff)
		}
	}
}
