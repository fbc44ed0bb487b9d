package main

import (
	"io"
	"testing"

	"github.com/mcpsf/mcpsf/bench/advisory/export"
)

// On a small data set our matcher finds everything that osv-scalibr's finds;
// further matches have the one known reason.
func TestAgreesWithOSVLocal(t *testing.T) {
	s := settings{dir: t.TempDir(), size: export.Size{Malicious: 400, Vulnerable: 300, Python: 300}}
	if err := prepare(s, io.Discard); err != nil {
		t.Fatal(err)
	}
	have, err := readSample(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	s.step = stepImport
	if err := doStep(t.Context(), s, io.Discard); err != nil {
		t.Fatal(err)
	}
	var ours result
	if err := lookUp(t.Context(), s, have.Packages, &ours); err != nil {
		t.Fatal(err)
	}
	theirs, err := byLibrary(t.Context(), s.dir, have.Packages)
	if err != nil {
		t.Fatal(err)
	}
	if len(theirs) < 100 {
		t.Errorf("osvlocal finds something about %d packages, want at least 100", len(theirs))
	}
	if err := compare(t.Output(), ours.Found, theirs); err != nil {
		t.Error(err)
	}
	for _, line := range difference(ours.Found, theirs) {
		t.Log("more:", line)
	}
}

func TestDifference(t *testing.T) {
	a := found{"x@1": {{"GHSA-1", "CVE-1"}, {"GHSA-2"}}, "y@1": {{"MAL-1"}}}
	b := found{"x@1": {{"CVE-1"}}}
	got := difference(a, b)
	if len(got) != 2 || got[0] != "x@1 GHSA-2" || got[1] != "y@1 MAL-1" {
		t.Errorf("difference %q", got)
	}
}
