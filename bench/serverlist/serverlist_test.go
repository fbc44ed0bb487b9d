package serverlist

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []Server
		err        string
	}{
		{"fine", "# a comment\n\nnpm:@a/b@1.2.3 account=none\npypi:c==2 account=real wants  a login\n", []Server{
			{"npm:@a/b@1.2.3", "none", ""}, {"pypi:c==2", "real", "wants a login"},
		}, ""},
		{"scope is no version", "npm:@a/b account=none", nil, ":1: "},
		{"no version", "pypi:c account=none", nil, "not of the form"},
		{"other source", "\ndocker:c@1 account=none", nil, ":2: "},
		{"no account", "npm:b@1", nil, "want SOURCE"},
		{"other account", "npm:b@1 account=some", nil, "account=none, "},
		{"bare account", "npm:b@1 none", nil, "account=none, "},
		{"twice", "npm:b@1 account=none\nnpm:b@1 account=real", nil, "twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "list")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Read(path)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTheListIsLargeEnough checks the claim of docs/startup-rate.md.
func TestTheListIsLargeEnough(t *testing.T) {
	servers, err := Read("../startup/servers.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, s := range servers {
		manager, _, _ := strings.Cut(s.Source, ":")
		count[manager]++
	}
	if count["npm"] < 60 || count["pypi"] < 30 {
		t.Errorf("the list has %d npm and %d PyPI servers, want 60 and 30", count["npm"], count["pypi"])
	}
}
