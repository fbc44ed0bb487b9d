package main

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strconv"
	"sync"

	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// listener tells a worker, line by line, what an assessment does.
type listener struct {
	mu  sync.Mutex
	out io.Writer
	at  job.Progress
}

// say writes a line. A worker that does not listen any more has ended, and so
// do we, by other means.
func (w *listener) say(l *job.Line) {
	text, err := json.Marshal(l)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(append(text, '\n'))
}

// begins is what part of an assessment lies before a step, in percent. They
// come in this order, and some do not come.
func begins() map[string]int {
	return map[string]int{
		"resolve": 1, "reach": 3, "image": 3, "runtime": 5, "inspect": 6, "install": 8, "start": 28, "drive": 33, "stress": 42,
		"attack": 46, "check": 60, "fuzz": 75, "visit": 84, "shorten": 90, "judge": 96,
	}
}

// Step implements [pipeline.Progress].
func (w *listener) Step(name, text string) { w.move(name, text) }

// Update implements [pipeline.Progress].
func (w *listener) Update(text string) { w.move("", text) }

// Done implements [pipeline.Progress].
func (w *listener) Done(text string) {
	if text != "" {
		w.move("", text)
	}
}

// Warn implements [pipeline.Progress].
func (w *listener) Warn(text string) { w.say(&job.Line{Note: safetext.Clean(text)}) }

// Stop implements progress.
func (w *listener) Stop() {}

// counted is how much of a step is done.
var counted = regexp.MustCompile(`\b([0-9]{1,6}) of ([0-9]{1,6})\b`)

func (w *listener) move(step, text string) {
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
		w.say(&job.Line{Progress: &p})
	}
}

// percentOf is how far a run is in a step that says how much of it is done.
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

// events has what is written to a trace told, too.
func (w *listener) events(open func(string) (io.WriteCloser, error)) func(string) (io.WriteCloser, error) {
	if w == nil {
		return open
	}
	return func(id string) (io.WriteCloser, error) {
		f, err := open(id)
		if err != nil {
			return nil, err
		}
		return &teller{WriteCloser: f, watch: w}, nil
	}
}

// teller tells the lines that are written to a file.
type teller struct {
	io.WriteCloser
	watch *listener
	rest  []byte
}

func (t *teller) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for {
		line, rest, whole := bytes.Cut(t.rest, []byte{'\n'})
		if !whole {
			break
		}
		if len(line) > 0 {
			t.watch.say(&job.Line{Event: json.RawMessage(line)})
		}
		t.rest = rest
	}
	return t.WriteCloser.Write(p)
}
