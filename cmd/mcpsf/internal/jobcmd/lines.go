package jobcmd

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"sync"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/assesscmd"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

var _ assesscmd.Watcher = (*lineWriter)(nil)

// lineWriter sends the progress of an assessment to the worker, as lines.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
	at  job.Progress
}

// send writes a line. Errors are ignored: if the worker has ended, this process
// is stopped in another way.
func (w *lineWriter) send(l *job.Line) {
	text, err := safetext.JSONLine(l)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(text)
}

// begins is the percentage of an assessment before each step. The steps come in
// this order, and some are skipped.
func begins() map[string]int {
	return map[string]int{
		"resolve": 1, "connect": 3, "image": 3, "runtime": 5, "inspect": 6, "install": 8, "start": 28, "drive": 33, "stress": 42,
		"attack": 46, "check": 60, "fuzz": 75, "probe": 84, "shrink": 90, "judge": 96,
	}
}

// Step implements [progress.Reporter].
func (w *lineWriter) Step(name, text string) { w.move(name, text) }

// Update implements [progress.Reporter].
func (w *lineWriter) Update(text string) { w.move("", text) }

// Done implements [progress.Reporter].
func (w *lineWriter) Done(text string) {
	if text != "" {
		w.move("", text)
	}
}

// Warn implements [progress.Reporter].
func (w *lineWriter) Warn(text string) { w.send(&job.Line{Note: safetext.Clean(text)}) }

// Stop implements [program.Progress].
func (w *lineWriter) Stop() {}

// counted matches how much of a step is done.
var counted = lazyregexp.New(`\b([0-9]{1,6}) of ([0-9]{1,6})\b`)

func (w *lineWriter) move(step, text string) {
	w.mu.Lock()
	p := w.at
	if step != "" {
		p.Step = step
	}
	p.Text = safetext.Clean(text)
	p.Percent = max(p.Percent, percentOf(p.Step, text))
	changed := p != w.at
	w.at = p
	w.mu.Unlock()
	if changed {
		w.send(&job.Line{Progress: &p})
	}
}

// percentOf is the percentage of a run in a step that states how much of it is
// done.
func percentOf(step, text string) int {
	all := begins()
	from, to := all[step], 100
	for _, other := range all {
		if other > from && other < to {
			to = other
		}
	}
	m := counted.FindStringSubmatch(text)
	if m == nil {
		return from
	}
	done, _ := strconv.Atoi(m[1])
	total, _ := strconv.Atoi(m[2])
	if total == 0 || done > total {
		return from
	}
	return from + (to-from)*done/total
}

// Events implements [assesscmd.Watcher]: what is written to a trace is also
// sent.
func (w *lineWriter) Events(open func(string) (io.WriteCloser, error)) func(string) (io.WriteCloser, error) {
	return func(id string) (io.WriteCloser, error) {
		f, err := open(id)
		if err != nil {
			return nil, err
		}
		return &eventSender{WriteCloser: f, to: w}, nil
	}
}

// eventSender sends the lines that are written to a file.
type eventSender struct {
	io.WriteCloser
	to   *lineWriter
	rest []byte
}

func (t *eventSender) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for {
		line, rest, whole := bytes.Cut(t.rest, []byte{'\n'})
		if !whole {
			break
		}
		if len(line) > 0 {
			t.to.send(&job.Line{Event: json.RawMessage(line)})
		}
		t.rest = rest
	}
	return t.WriteCloser.Write(p)
}
