package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/bench/binary"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxError bounds what is kept of an error.
const maxError = 400

// side is one of the two builds.
type side struct {
	name   string
	digest string
	*binary.Binary
}

// lab assesses servers with both builds.
type lab struct {
	set   *settings
	sides [2]*side
}

func newLab(ctx context.Context, set *settings, env []string) (*lab, error) {
	l := &lab{set: set}
	for i, path := range []string{set.before, set.after} {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		digest, err := digestOf(path)
		if err != nil {
			l.close()
			return nil, err
		}
		b, err := binary.New(ctx, "public", path, env)
		if err != nil {
			l.close()
			return nil, err
		}
		l.sides[i] = &side{[]string{"before", "after"}[i], digest, b}
	}
	if l.sides[0].digest == l.sides[1].digest { // shows what differs by chance
		l.sides[1].digest += "-again"
	}
	return l, nil
}

func (l *lab) close() {
	for _, s := range l.sides {
		if s != nil {
			s.Close()
		}
	}
}

func digestOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("reading the binary: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// measure assesses what has no result yet, and adds the results.
func (l *lab) measure(ctx context.Context, servers []server, done map[key]*result, stdout io.Writer) error {
	for i, s := range servers {
		for _, by := range l.sides {
			if done[l.key(s, by)] != nil {
				continue
			}
			r, err := l.assess(ctx, s, by)
			switch {
			case ctx.Err() != nil:
				return errors.New("interrupted; what was finished is kept")
			case err != nil:
				return err
			}
			if err := appendResult(filepath.Join(l.set.work, resultsFile), r); err != nil {
				return err
			}
			done[r.key()] = r
			fmt.Fprintf(stdout, "%3d/%d  %-6s  %-60s %s, %.0f s\n", i+1, len(servers), by.name, s.Source, r.verdict(), r.Seconds)
		}
	}
	return nil
}

func (l *lab) key(s server, by *side) key { return key{s.Source, by.digest, l.set.profile} }

// assess assesses a server as a user would. Whatever mcpsf answers is a result;
// an error is a failure of this program.
func (l *lab) assess(ctx context.Context, s server, by *side) (*result, error) {
	out := filepath.Join(l.set.work, by.digest, plainName(s.Source))
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	began := time.Now()
	stderr, exit, err := by.Exit(ctx, nil, "assess", s.Source, "--quiet", "--profile", l.set.profile, "--seed", "1",
		"--timeout", l.set.timeout.String(), "--output", out)
	if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return nil, err
	}
	r := &result{Source: s.Source, Binary: by.digest, Profile: l.set.profile, Exit: exit, Seconds: time.Since(began).Seconds()}
	rep, problem := binary.Report(filepath.Join(out, "report.json"))
	switch {
	case err != nil:
		r.Error = "mcpsf did not end by itself"
	case errors.Is(problem, os.ErrNotExist):
		r.Error = safetext.Line(strings.TrimSpace(stderr), maxError)
	case problem != nil:
		return nil, problem
	default:
		r.fill(rep)
	}
	return r, nil
}

// odd matches what is not used in a file's name.
var odd = regexp.MustCompile(`[^A-Za-z0-9._=-]+`)

func plainName(source string) string { return odd.ReplaceAllString(source, "_") }
