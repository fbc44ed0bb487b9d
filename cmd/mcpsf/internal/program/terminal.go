package program

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/report"
)

// Style decides how to write to w: colour and width on a terminal, plain text
// into a pipe, unless the environment says otherwise.
func (p *Program) Style(w io.Writer) report.Style {
	s := report.Style{Width: 80, Unicode: p.unicode()}
	f, ok := w.(*os.File)
	tty := ok && term.IsTerminal(f.Fd())
	if tty {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			s.Width = width
		}
	}
	if n, err := strconv.Atoi(p.Getenv("COLUMNS")); err == nil && n >= 40 {
		s.Width = n
	}
	s.Color = tty && p.Getenv("NO_COLOR") == "" && p.Getenv("TERM") != "dumb"
	return s
}

func (p *Program) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := p.Getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// Progress receives the progress of a run.
type Progress interface {
	progress.Reporter
	Stop()
}

// NewProgress writes to stderr, so that stdout has only the report.
func (p *Program) NewProgress(quiet bool) Progress {
	w := p.Stderr
	if quiet {
		w = io.Discard
	}
	f, ok := w.(*os.File)
	live := ok && term.IsTerminal(f.Fd()) && p.Getenv("TERM") != "dumb"
	return report.NewProgress(w, p.Style(w), live)
}
