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
	a := &mcpsf.AttackDetail{Marker: "--mcx", Place: "/options/kubeContext"}
	for args, want := range map[string]bool{
		"helm list --kube-context --mcx": false,
		"helm list --debug --mcx":        true,
		"git log --since --mcx":          false,
		"git log --since=1 --mcx":        true,
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
		"/usr/bin/echo --mcx":            false,
		"--mcx":                          false,
		"":                               false,
	} {
		if got := a.IsOption(strings.Fields(args)); got != want {
			t.Errorf("IsOption(%q) = %v", args, got)
		}
	}
}

func TestCondition(t *testing.T) {
	for marker, want := range map[string]struct {
		name      string
		holds, ok bool
	}{
		"mcq1/yes1": {"mcq1", true, true}, "mcq1/no2": {"mcq1", false, true}, "mcq1": {"mcq1", false, false},
		"mcq1/maybe": {"mcq1", false, false}, "/yes1": {"", true, false}, "": {"", false, false},
	} {
		a := mcpsf.AttackDetail{Sign: mcpsf.SignDiffer, Marker: marker}
		name, holds, ok := a.Condition()
		if name != want.name || holds != want.holds || ok != want.ok {
			t.Errorf("%q: %q, %v, %v", marker, name, holds, ok)
		}
	}
	if _, _, ok := (&mcpsf.AttackDetail{Sign: mcpsf.SignExec, Marker: "mcq1/yes1"}).Condition(); ok {
		t.Error("a program is no condition")
	}
}
