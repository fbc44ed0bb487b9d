package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/bench/binary"
)

// lab runs the binary.
type lab struct {
	set    *settings
	binary *binary.Binary
}

// assess runs one source. Whatever mcpsf answers is a result; an error is a
// failure of this program.
func (l *lab) assess(ctx context.Context, source string) (*result, error) {
	out := filepath.Join(l.binary.Dir, "report")
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	began := time.Now()
	stderr, err := l.execute(ctx, source, out)
	if err != nil {
		return nil, err
	}
	r := &result{Seconds: time.Since(began).Round(time.Second).Seconds()}
	rep, err := binary.Report(filepath.Join(out, "report.json"))
	if errors.Is(err, os.ErrNotExist) {
		r.Error = lastLine(stderr)
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	shown, tried, err := successes(filepath.Join(out, "events.jsonl"))
	if err != nil {
		return nil, err
	}
	r.fill(rep, shown, tried)
	return r, nil
}

// execute runs the binary as a user would, and returns its stderr.
func (l *lab) execute(ctx context.Context, source, out string) (string, error) {
	source, args, _ := strings.Cut(source, dashes)
	line := append([]string{"assess"}, strings.Fields(source)...)
	line = append(line, "--profile", "balanced", "--seed", strconv.FormatUint(l.set.seed, 10), "-o", out, "-q", "--fail-on", "never")
	if args != "" {
		line = append(append(line, "--"), strings.Fields(args)...)
	}
	return l.binary.Run(ctx, nil, line...)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
