package terminal

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf/internal/wording"
)

// tick is how often the live line is redrawn.
const tick = 100 * time.Millisecond

// nameWidth is the column of the step's name.
const nameWidth = 10

// Progress shows the progress of a run: on a terminal one line that is redrawn
// during a step and keeps a tick mark when it is done; elsewhere one plain line
// for each finished step.
//
// Its methods may be called from several goroutines. A step must end with Done,
// Warn or Fail, or everything with Stop; only then no goroutine is left.
type Progress struct {
	w     io.Writer
	style Style
	live  bool

	// life is held while a step begins or ends; mu while the fields below it are
	// used. life is locked first.
	life sync.Mutex
	quit chan struct{} // closed to end the goroutine of the live line
	done chan struct{} // closed by that goroutine

	mu      sync.Mutex
	active  bool
	name    string
	text    string
	started time.Time
	frame   int
	drawn   int // width of the live line on the screen
}

// NewProgress returns a Progress that writes to w. With live set, w is a
// terminal whose last line may be redrawn.
func NewProgress(w io.Writer, style Style, live bool) *Progress {
	return &Progress{w: w, style: style, live: live}
}

// Step begins a step; an unfinished one counts as done.
func (p *Progress) Step(name, text string) {
	p.life.Lock()
	defer p.life.Unlock()
	p.end(ended, "")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active, p.name, p.text, p.started, p.frame = true, name, text, time.Now(), 0
	if !p.live {
		return
	}
	p.draw()
	p.quit, p.done = make(chan struct{}), make(chan struct{})
	go p.spin(p.quit, p.done)
}

// Update changes the text of the step.
func (p *Progress) Update(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.active {
		return
	}
	p.text = text
	if p.live {
		p.draw()
	}
}

// Done ends the step successfully; text, if any, replaces its text.
func (p *Progress) Done(text string) {
	p.life.Lock()
	defer p.life.Unlock()
	p.end(ended, text)
}

// Warn ends the step with a result that is not the wanted one: the server
// crashed, for example.
func (p *Progress) Warn(text string) {
	p.life.Lock()
	defer p.life.Unlock()
	p.end(warned, text)
}

// Fail ends the step with an error.
func (p *Progress) Fail(text string) {
	p.life.Lock()
	defer p.life.Unlock()
	p.end(failure, text)
}

// Stop ends everything without output. It may be called at any time, and
// repeatedly.
func (p *Progress) Stop() {
	p.life.Lock()
	defer p.life.Unlock()
	p.halt()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.active = false
}

// ending is the result of a step.
type ending int

const (
	ended ending = iota
	warned
	failure
)

func (e ending) mark(t theme) span {
	switch e {
	case ended:
		return colored(roleGood, t.ok)
	case warned:
		return colored(roleMedium, t.bad)
	default:
		return colored(roleHigh, t.bad)
	}
}

// end closes the current step, if any. The caller holds life.
func (p *Progress) end(how ending, text string) {
	p.halt()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.active {
		return
	}
	p.active = false
	if text != "" {
		p.text = text
	}
	line := p.render(how.mark(newTheme(p.style)))
	p.erase()
	// A terminal that is gone must not stop the run.
	_, _ = io.WriteString(p.w, line+"\n")
}

// halt ends the goroutine of the live line and waits for it. The caller holds
// life, and must not hold mu, which the goroutine may be waiting for.
func (p *Progress) halt() {
	if p.quit != nil {
		close(p.quit)
		<-p.done
		p.quit = nil
	}
}

func (p *Progress) spin(quit, done chan struct{}) {
	defer close(done)
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-quit:
			return
		case <-t.C:
			p.mu.Lock()
			p.frame++
			p.draw()
			p.mu.Unlock()
		}
	}
}

// draw writes the live line. It uses only a carriage return and spaces, so it
// works on any terminal.
func (p *Progress) draw() {
	frames := newTheme(p.style).spinner
	line := p.render(dim(frames[p.frame%len(frames)]))
	width := ansi.StringWidth(line)
	fill := strings.Repeat(" ", max(p.drawn-width, 0))
	_, _ = io.WriteString(p.w, "\r"+line+fill)
	p.drawn = max(width, p.drawn)
}

func (p *Progress) erase() {
	if p.drawn > 0 {
		_, _ = io.WriteString(p.w, "\r"+strings.Repeat(" ", p.drawn)+"\r")
		p.drawn = 0
	}
}

// render returns the current line; one cell is left free so that it never wraps.
func (p *Progress) render(mark span) string {
	var buf bytes.Buffer
	page := newPage(&buf, p.style)
	if w := p.style.Width; w > 0 {
		page.width = min(page.width, w) // however narrow
	}
	page.width--
	mark.width = 3
	page.between(
		[]span{mark, column(roleStrong, nameWidth, p.name), text(p.text)},
		[]span{dim(wording.Seconds(time.Since(p.started).Seconds()))},
	)
	return strings.TrimRight(buf.String(), "\n")
}
