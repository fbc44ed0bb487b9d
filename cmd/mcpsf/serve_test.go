package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// TestServeRefuses has invalid flags: each gives a message of one line before
// anything is opened.
func TestServeRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"matches every address": {"--trusted-proxies", "0.0.0.0/0"},
		"is not an address":     {"--trusted-proxies", "nginx"},

		"--traces must be the URL of a collector": {"--traces", "localhost:4317"},
	} {
		var stderr bytes.Buffer
		data := t.TempDir()
		args = append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data}, args...)
		code := run(context.Background(), args, strings.NewReader(""), io.Discard, &stderr, func(string) string { return "" })
		if code != program.ExitUsage || !strings.Contains(stderr.String(), want) {
			t.Errorf("%v: exit %d: %s, want %q", args, code, stderr.String(), want)
		}
	}
}
