package main

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/report"
)

// style decides how to write to w: colour and width on a terminal, plain text
// into a pipe, and whatever the environment asks for on top.
func (a *app) style(w io.Writer) report.Style {
	s := report.Style{Width: 80, Unicode: a.unicode()}
	f, ok := w.(*os.File)
	tty := ok && term.IsTerminal(f.Fd())
	if tty {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			s.Width = width
		}
	}
	if n, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && n >= 40 {
		s.Width = n
	}
	s.Color = tty && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"
	return s
}

func (a *app) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := a.getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// progress is told how far a run is.
type progress interface {
	assess.Progress
	Stop()
}

// progress goes to stderr, so that stdout is the report and nothing else.
func (a *app) progress(quiet bool) progress {
	if a.watch != nil {
		return a.watch
	}
	w := a.stderr
	if quiet {
		w = io.Discard
	}
	f, ok := w.(*os.File)
	live := ok && term.IsTerminal(f.Fd()) && a.getenv("TERM") != "dumb"
	return report.NewProgress(w, a.style(w), live)
}
