package twobuilds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/bench/binary"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxError bounds what is kept of an error.
const maxError = 400

// Lab assesses servers with both builds.
type Lab[R Result] struct {
	// Name is that of the benchmark.
	Name string
	Settings
	// Blank makes an empty result.
	Blank func() R
	// Stdout gets a line for each assessment.
	Stdout io.Writer
	// Env is the environment of the binaries.
	Env []string
}

// Compare assesses the chosen servers as far as they have no results yet, and
// returns those that both builds have assessed, in the order of the sources.
func (l *Lab[R]) Compare(ctx context.Context, sources []string) ([]Pair[R], error) {
	done, err := l.known()
	if err != nil {
		return nil, err
	}
	two, err := open(ctx, l.Name, &l.Settings, l.Env)
	if err != nil {
		return nil, err
	}
	defer two.close()
	sources = slices.DeleteFunc(slices.Clone(sources), func(source string) bool { return !l.chosen(source) })
	if !l.Render {
		if err := l.measure(ctx, two, sources, done); err != nil {
			return nil, err
		}
	}
	var list []Pair[R]
	for _, source := range sources {
		before, old := done[l.key(source, two[0])]
		after, now := done[l.key(source, two[1])]
		if old && now {
			list = append(list, Pair[R]{source, before, after})
		}
	}
	return list, nil
}

// known are the results of earlier runs, and those in the files that stand for a
// binary.
func (l *Lab[R]) known() (map[key]R, error) {
	done, err := readResults(filepath.Join(l.Work, ResultsFile), l.Blank)
	if err != nil {
		return nil, err
	}
	for _, file := range []string{l.Before, l.After} {
		if filepath.Ext(file) != recorded {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("reading the results: %w", err)
		}
		results, err := readResults(file, l.Blank)
		if err != nil {
			return nil, err
		}
		for by, r := range results {
			done[key{by.source, file, by.profile}] = r
		}
	}
	return done, nil
}

func (l *Lab[R]) key(source string, by *build) key { return key{source, by.digest, l.Profile} }

// measure assesses what has no result yet, and adds the results.
func (l *Lab[R]) measure(ctx context.Context, two *builds, sources []string, done map[key]R) error {
	for i, source := range sources {
		for _, by := range two {
			if _, known := done[l.key(source, by)]; known || by.Binary == nil {
				continue
			}
			r, err := l.assess(ctx, source, by)
			switch {
			case ctx.Err() != nil:
				return errors.New("interrupted; what was finished is kept")
			case err != nil:
				return err
			}
			if err := appendResult(filepath.Join(l.Work, ResultsFile), r); err != nil {
				return err
			}
			done[keyOf(r.run())] = r
			fmt.Fprintf(l.Stdout, "%3d/%d  %-6s  %-60s %s, %.0f s\n", i+1, len(sources), by.name, source, r.Outcome(), r.run().Seconds)
		}
	}
	return nil
}

// assess assesses a server as a user would. Whatever mcpsf answers is a result;
// an error is a failure of this program.
func (l *Lab[R]) assess(ctx context.Context, source string, by *build) (R, error) {
	var none R
	out := filepath.Join(l.Work, by.digest, plainName(source))
	if err := os.RemoveAll(out); err != nil {
		return none, err
	}
	began := time.Now()
	stderr, exit, err := by.Exit(ctx, nil, "assess", source, "--quiet", "--profile", l.Profile, "--seed", "1",
		"--timeout", l.Timeout.String(), "--output", out)
	if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return none, err
	}
	result := l.Blank()
	r := result.run()
	*r = Run{Source: source, Binary: by.digest, Profile: l.Profile, Exit: exit, Seconds: time.Since(began).Seconds()}
	rep, problem := binary.Report(filepath.Join(out, "report.json"))
	switch {
	case err != nil:
		r.Error = "mcpsf did not end by itself"
	case errors.Is(problem, os.ErrNotExist):
		r.Error = safetext.Line(strings.TrimSpace(stderr), maxError)
	case problem != nil:
		return none, problem
	default:
		r.Tool = rep.Tool.Version
		result.Fill(rep)
	}
	return result, nil
}

// odd matches what is not used in a file's name.
var odd = regexp.MustCompile(`[^A-Za-z0-9._=-]+`)

func plainName(source string) string { return odd.ReplaceAllString(source, "_") }
