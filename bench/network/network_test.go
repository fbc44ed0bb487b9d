package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestEverythingOnce measures for a moment: everything has to work.
func TestEverythingOnce(t *testing.T) {
	var out bytes.Buffer
	err := run(t.Context(), []string{"--rounds", "1", "--each", "1ms"}, &out, io.Discard)
	if err != nil && strings.Contains(err.Error(), "unavailable") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"DNS over UDP", "HTTP, kept", "HTTPS, new", "upload over HTTPS", "search in base64"} {
		if !strings.Contains(out.String(), row) {
			t.Errorf("no %q in\n%s", row, out.String())
		}
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"--rounds", "0"}, {"--only", "mail"}, {"more"}, {"--each", "0s"}, {"--what"}} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

func TestFailureEndsARow(t *testing.T) {
	bad := errors.New("nobody there")
	fine := func(context.Context) (float64, error) { return 1, nil }
	r := &row{ours: fine, beside: func(context.Context) (float64, error) { return 0, bad }}
	if err := r.measure(t.Context(), 1, time.Millisecond); !errors.Is(err, bad) {
		t.Error(err)
	}
	r.beside = fine
	if err := r.measure(t.Context(), 3, time.Millisecond); err != nil || len(r.Ours) != 3 || len(r.Beside) != 3 {
		t.Error(err, r.Ours, r.Beside)
	}
	r.Least = 1e12
	if got := r.promise(); !strings.HasSuffix(got, "MISSED") {
		t.Error(got)
	}
}
