package mcpsf_test

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestAttackOpens(t *testing.T) {
	a := &mcpsf.AttackDetail{Marker: "/o/a"}
	for opened, want := range map[string]bool{
		"/o/a": true, "/o/a.md": true, "/o/a/notes.txt": true, "/o/b/../a": true, "/o/ab": false, "/o": false, "": false, "/x/o/a": false,
	} {
		if got := a.Opens(opened); got != want {
			t.Errorf("Opens(%q) = %v", opened, got)
		}
	}
	if (&mcpsf.AttackDetail{}).Opens("/etc/passwd") {
		t.Error("no marker is opened by everything")
	}
}

func TestAttackIsOption(t *testing.T) {
	a := &mcpsf.AttackDetail{Marker: "--mcx"}
	for args, want := range map[string]bool{
		"git log --mcx":                  true,
		"git -C . log -n 5 --mcx":        true,
		"git log --max-count=5 --mcx":    true,
		"git log --oneline --mcx":        true,
		"git log --mcx -- --mcx":         true,
		"git commit -m --mcx":            false,
		"find . -name --mcx":             false,
		"git log -- --mcx":               false,
		"git log --end-of-options --mcx": false,
		"git log --grep=--mcx":           false,
		"git log --mcx2":                 false,
		"--mcx":                          false,
		"":                               false,
	} {
		if got := a.IsOption(strings.Fields(args)); got != want {
			t.Errorf("IsOption(%q) = %v", args, got)
		}
	}
}
