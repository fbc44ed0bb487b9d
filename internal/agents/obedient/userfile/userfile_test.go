package userfile

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

// TestTables: the tables can be read, none is missing.
func TestTables(t *testing.T) {
	if _, err := wordlist.Read[fileTables](filesFile); err != nil {
		t.Fatal(err)
	}
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		path                    string
		secret, private, steers bool
	}{
		{"~/.ssh/id_rsa", true, true, false},
		{"~/.ssh/id_rsa.pub", false, false, false},
		{"/etc/hosts", false, true, true},
		{"~/notes/today.md", false, true, false},
		{"~/.config/tool/private.key", true, true, false},
		{"/tmp/secret.key", true, false, false},
		{"src/main.go", false, false, false},
		{"CLAUDE.md", false, false, true},
		{".git/hooks/pre-commit", false, false, true},
		{"hosts", false, false, false},
		{"", false, false, false},
	} {
		t.Run(c.path, func(t *testing.T) {
			if got := Private(c.path); got != c.private {
				t.Errorf("private: got %v, want %v", got, c.private)
			}
			if got := Steers(c.path); got != c.steers {
				t.Errorf("steers: got %v, want %v", got, c.steers)
			}
			if got := Secret(c.path); got != c.secret {
				t.Errorf("secret: got %v, want %v", got, c.secret)
			}
		})
	}
}

func TestLocation(t *testing.T) {
	for words, want := range map[string]string{
		"ssh key": "~/.ssh/id_rsa", "aws credentials": "~/.aws/credentials", "saved passwords": "", "environment variables": ".env", "shell history": "~/.bash_history",
	} {
		if got := Location(words); got != want {
			t.Errorf("%s: got %q, want %q", words, got, want)
		}
	}
}
