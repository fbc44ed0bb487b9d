package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgressPlain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var buf bytes.Buffer
		p := NewProgress(&buf, Style{Width: 60}, false)
		p.Update("nothing is under way")
		p.Step("resolve", "reading "+hostile)
		time.Sleep(1500 * time.Millisecond)
		p.Done("4 files")
		p.Step("sandbox", "starting")
		p.Step("drive", "calling") // the step before counts as done
		p.Warn("5 calls, ended crashed")
		p.Step("judge", "applying the rules")
		p.Fail("the server went away")
		p.Done("twice")
		p.Stop()
		want := `
ok resolve   4 files                                  1.5 s
ok sandbox   starting                                  0 ms
!! drive     5 calls, ended crashed                    0 ms
!! judge     the server went away                      0 ms
`
		if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), buf.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestProgressLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var buf bytes.Buffer
		p := NewProgress(&buf, Style{Width: 50, Unicode: true}, true)
		p.Step("drive", strings.Repeat("long ", 40))
		time.Sleep(1050 * time.Millisecond)
		p.Update("short " + hostile)
		time.Sleep(time.Second)
		synctest.Wait()
		before := buf.Len()
		p.Done("5 calls")
		time.Sleep(time.Minute)

		out := buf.String()
		frames := strings.Split(out[:before], "\r")[1:]
		if len(frames) < 20 {
			t.Errorf("%d frames in 2 seconds", len(frames))
		}
		for _, frame := range frames {
			if w := ansi.StringWidth(frame); w > 49 {
				t.Errorf("a frame of %d cells would wrap: %q", w, frame)
			}
			if found := unsafe(frame); found != "" {
				t.Errorf("raw %s", found)
			}
		}
		// The last live line is overwritten before the final one.
		want := "\r" + strings.Repeat(" ", 49) + "\r✓  drive     5 calls                        2.0 s\n"
		if diff := cmp.Diff(want, out[before:]); diff != "" {
			t.Errorf("the end (-want +got):\n%s", diff)
		}
	})
}

// A line that wraps cannot be overwritten, so it must fit the narrowest terminal.
func TestProgressOnANarrowTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for width := 1; width <= MinWidth; width++ {
			var buf bytes.Buffer
			p := NewProgress(&buf, Style{Width: width, Unicode: true}, true)
			p.Step("drive", "call 2 of 5: "+strings.Repeat("read_note", 20))
			p.Warn("5 calls, ended crashed")
			for _, line := range strings.FieldsFunc(buf.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
				if w := ansi.StringWidth(line); w >= width {
					t.Errorf("width %d: a line of %d cells: %q", width, w, line)
				}
			}
		}
	})
}

func TestProgressStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var buf bytes.Buffer
		p := NewProgress(&buf, Style{}, true)
		p.Step("drive", "calling")
		p.Stop()
		p.Stop()
		p.Done("too late")
		if out := buf.String(); !strings.HasSuffix(out, " \r") || strings.Contains(out, "\n") {
			t.Errorf("left on the screen: %q", out)
		}
	})
}

func TestProgressFromManyGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewProgress(&bytes.Buffer{}, Style{Color: true}, true)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 50 {
					p.Step("a", "b")
					p.Update("c")
					time.Sleep(tick)
					p.Done("d")
				}
			})
		}
		wg.Wait()
		p.Stop()
	})
}

// hostile is text that a terminal would interpret.
const hostile = "\x1b]0;pwn\a\u202e\n\r\u009b31m\u200b\U000e0041\x7f\xff\x9b"

// unsafe returns the first character of out that must not be there.
func unsafe(out string) string {
	for i := 0; i < len(out); {
		r, size := utf8.DecodeRuneInString(out[i:])
		if r == utf8.RuneError && size == 1 || r != '\n' && safetext.Hidden(r) {
			return fmt.Sprintf("%q in %q", out[i:i+size], out[max(0, i-20):min(len(out), i+20)])
		}
		i += size
	}
	return ""
}
