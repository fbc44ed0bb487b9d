package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-packages", "100", "-rounds", "1"}, &out, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3304 files, of which 102 were read", "packages                 100 (100 installed, ", "peak memory"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"-packages", "0"}, {"-rounds", "0"}, {"-none"}, {"-dir", "/nowhere/at/all"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out, &out); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}
