package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/binary"
	"github.com/mcpsf/mcpsf/bench/serverlist"
)

// maxStderr is how many bytes of the stderr of a failed server are kept.
const maxStderr = 2000

// lab runs the binary.
type lab struct {
	set    settings
	binary *binary.Binary
}

// assess runs one server. Whatever mcpsf answers is a result; an error is a
// failure of this program.
func (l *lab) assess(ctx context.Context, s serverlist.Server) (*result, error) {
	out := filepath.Join(l.binary.Dir, "report")
	if l.set.reports != "" {
		out = filepath.Join(l.set.reports, safeName(s.Source))
	}
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	env := l.binary.Env
	if l.set.fresh {
		cache, err := os.MkdirTemp(l.binary.Dir, "cache-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(cache)
		env = append(slices.Clip(env), "MCPSF_CACHE="+filepath.Join(cache, "mcpsf"))
		if err := os.Chmod(cache, 0o755); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	stderr, err := l.execute(ctx, s.Source, out, env)
	if err != nil {
		return nil, err
	}
	r := &result{Source: s.Source, Account: s.Account, Date: l.set.date, Seconds: steps(stderr)}
	r.Seconds["total"] = time.Since(began).Seconds()
	rep, err := binary.Report(filepath.Join(out, "report.json"))
	switch {
	case errors.Is(err, os.ErrNotExist):
		r.Error = lastLine(stderr)
	case err != nil:
		return nil, err
	default:
		r.fill(rep)
	}
	if !r.Listed {
		r.Stderr = complaints(filepath.Join(out, "events.jsonl"))
	}
	return r, nil
}

// execute returns the binary's stderr: its progress, and the error if there was
// one. A timeout of the binary is a result, too.
func (l *lab) execute(ctx context.Context, source, out string, env []string) (string, error) {
	stderr, err := l.binary.Run(ctx, env, "assess", source, "--format", "json", "-o", out,
		"--fail-on", "never", "--timeout", l.set.timeout.String())
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return stderr, err
}

// step matches a finished line of mcpsf's progress.
var step = regexp.MustCompile(`^\S+\s+(resolve|install|start|drive)\s.*?(?:(\d+) min ?)?(?:(\d+(?:\.\d+)?) (ms|s))?$`)

// steps reads the seconds of each step from the progress.
func steps(stderr string) map[string]float64 {
	seconds := map[string]float64{}
	for line := range strings.Lines(stderr) {
		m := step.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		minutes, _ := strconv.ParseFloat(m[2], 64)
		rest, _ := strconv.ParseFloat(m[3], 64)
		if m[4] == "ms" {
			rest /= 1000
		}
		seconds[m[1]] += 60*minutes + rest
	}
	return seconds
}

// complaints is the end of the server's stderr.
func complaints(events string) string {
	f, err := os.Open(events)
	if err != nil {
		return ""
	}
	defer f.Close()
	var stderr string
	for lines := json.NewDecoder(f); ; {
		var e mcpsf.Event
		if err := lines.Decode(&e); err != nil {
			return stderr
		}
		var text string
		if e.Kind == mcpsf.KindMCPStderr && e.MCP != nil && json.Unmarshal(e.MCP.Body, &text) == nil {
			stderr = tail(stderr+text+"\n", maxStderr)
		}
	}
}
