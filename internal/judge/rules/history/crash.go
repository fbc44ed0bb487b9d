package history

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxTrace bounds the stack frames that are kept of what the server printed
// since the last message to it. A longer trace is attributed to nobody.
// no gap: the crash itself is reported in any case
const maxTrace = 1000

// Crashes tells in whose code the server ended, by the stack traces that it
// printed. A server that prints a false trace lowers the finding about its own
// crash and nothing else.
type Crashes struct {
	// traces are those printed since the last message, each from the outermost
	// frame to the innermost; frames is how many frames they have. open is set
	// while the last one goes on.
	traces [][]string
	frames int
	open   bool
	// ended are the SDKs that the server ended in, by the event of its exit.
	ended map[int64]string
}

var (
	// pythonFrame and nodeFrame match a line of a stack trace, with the file.
	// Python marks the lines of a group of exceptions with a bar.
	pythonFrame = lazyregexp.New(`^[ |]*File "([^"]+)", line \d+`)
	nodeFrame   = lazyregexp.New(`^\s+at (?:.*\()?((?:file://|node:|/)[^()]*?)(?::\d+){1,2}\)?$`)
	pythonTrace = lazyregexp.New(`Traceback \(most recent call last\):$`)
)

// see adds an event: a line of standard error, or a message to the server, after
// which earlier traces no longer count.
func (c *Crashes) see(e *mcpsf.Event, server int) {
	switch {
	case e.MCP == nil && e.Kind == mcpsf.KindProcessExit && e.PID == server:
		if sdk := c.sdk(); sdk != "" {
			if c.ended == nil {
				c.ended = map[int64]string{}
			}
			c.ended[e.Seq] = sdk
		}
	case e.MCP == nil:
	case e.Kind == mcpsf.KindMCPRequest && !e.MCP.FromServer:
		c.traces, c.frames, c.open = nil, 0, false
	case e.Kind == mcpsf.KindMCPStderr:
		c.line(event.LineOf(e.MCP))
	}
}

func (c *Crashes) line(text string) {
	if len(text) > maxFrame {
		text = text[:maxFrame]
	}
	if pythonTrace.MatchString(text) {
		c.open = false
		return
	}
	if m := pythonFrame.FindStringSubmatch(text); m != nil {
		c.frame(m[1], false)
	} else if m := nodeFrame.FindStringSubmatch(text); m != nil {
		c.frame(strings.TrimPrefix(m[1], "file://"), true)
	} else if !strings.HasPrefix(strings.TrimLeft(text, "| "), "File ") && !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") {
		c.open = false // the line of the error itself; source lines are indented
	}
}

// maxFrame is how much of a line of standard error is looked at.
// no gap: a crash whose frames are not read is charged to the server
const maxFrame = 4096

// frame adds a frame to the trace that is being printed. Node prints the
// innermost frame first.
func (c *Crashes) frame(file string, innermostFirst bool) {
	if c.frames++; c.frames > maxTrace {
		return
	}
	if !c.open {
		c.traces, c.open = append(c.traces, nil), true
	}
	last := &c.traces[len(c.traces)-1]
	if innermostFirst {
		*last = slices.Insert(*last, 0, file)
	} else {
		*last = append(*last, file)
	}
}

// sdk returns the MCP SDK that failed, "" if it was not one: no trace ends in the
// server's code, nor in a library that the server called.
func (c *Crashes) sdk() string {
	found := ""
	for _, trace := range c.traces {
		name := failedIn(trace)
		if name == "" || c.frames > maxTrace {
			return ""
		}
		found = name
	}
	return found
}

// failedIn returns the SDK whose code a stack trace ends in: the innermost frame
// that is neither the runtime's nor a library's of the SDK.
func failedIn(trace []string) string {
	for _, file := range slices.Backward(trace) {
		if sdk := programs.SDKOf(file); sdk != "" {
			return sdk
		}
		if !programs.ServesSDK(file) {
			return ""
		}
	}
	return ""
}

// CrashedIn returns the SDK in which the server ended, by the event of its exit.
func (c *Crashes) CrashedIn(exit int64) string { return c.ended[exit] }
