// Package listener reads what a server sends to its client: it scans every text
// that a model may see for prompt injection, and keeps the end of the output
// that is no message, which says why a server failed.
package listener

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
)

// keptOutput is how much of a stream is kept, from its end.
// no gap: it only explains a failed start; everything is scanned before
const keptOutput = 16 << 10

// maxNotified is how many bytes of different notifications and requests of the server
// are scanned.
// gap: notifications-not-read
const maxNotified = 4 << 20

// Listener passes everything on to the monitor.
type Listener struct {
	*monitor.Monitor
	mu sync.Mutex
	// junk and errors are the ends of the invalid output and of standard error.
	// They are separate because the order of two streams is random.
	junk, errors []byte
	// names, texts and lines belong to the one goroutine that reads answers. lines are
	// those of answers to attacks.
	names        promptscan.Names
	texts, lines heard
	// unread is how many bytes of texts were too many to scan.
	unread atomic.Int64
	// notified is how many bytes of notifications and requests of the server were
	// scanned, and unnotified how many were too many.
	notified   int
	unnotified atomic.Int64
	attacked   attacked
}

// New returns a listener in front of a monitor.
func New(m *monitor.Monitor) *Listener {
	return &Listener{Monitor: m, texts: newHeard(), lines: newHeard(), names: promptscan.NamesOf()}
}

// Observe implements [transport.Tap].
func (l *Listener) Observe(m mcpsf.Message) {
	if m.Kind == mcpsf.MessageStderr || m.Kind == mcpsf.MessageJunk {
		l.mu.Lock()
		var text string
		_ = json.Unmarshal(m.Body, &text) // truncated: not usable
		said := &l.junk
		if m.Kind == mcpsf.MessageStderr {
			said = &l.errors
		}
		*said = append(append(*said, text...), '\n')
		*said = (*said)[max(0, len(*said)-keptOutput):]
		l.mu.Unlock()
	}
	l.Monitor.Observe(m)
	if m.Phase == mcpsf.PhaseAttack {
		m.Whole = withoutRuns(m.Whole)
	}
	if m.Kind == mcpsf.MessageResponse && m.Stream != mcpsf.Stdin {
		if m.Attack == nil {
			l.read(&m)
		} else {
			l.readAttacked(&m)
		}
	}
	if m.Kind == mcpsf.MessageRequest && m.Stream != mcpsf.Stdin {
		l.readRequest(&m)
	}
	if m.Kind == mcpsf.MessageNotification && m.Stream != mcpsf.Stdin {
		l.readNotification(&m)
	}
}

// Texts returns how many different texts were scanned. It is called after the
// session.
func (l *Listener) Texts() int { return len(l.texts.seen) }

// Text returns the end of the output that was no message, standard error last.
func (l *Listener) Text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.ToValidUTF8(slices.Concat(l.junk, l.errors), []byte("?")))
}

// read scans an answer as a model would see it.
func (l *Listener) read(m *mcpsf.Message) {
	switch m.Method {
	case "initialize":
		l.look(m, "server", "", m.Whole)
	case "tools/call":
		l.look(m, "result", m.Tool, m.Whole)
	case "prompts/get":
		l.look(m, "prompt", "", m.Whole)
	case "resources/read", "tasks/result", "tasks/get", "tasks/list", "completion/complete":
		l.look(m, "result", m.Method, m.Whole)
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		l.readList(m)
	}
}

// readRequest scans what the server asks of the model or the user. It is a
// prompt, and may contain what prompts contain. During attacks it may repeat our
// text, which orders nothing.
func (l *Listener) readRequest(m *mcpsf.Message) {
	if m.Method != "sampling/createMessage" && m.Method != "elicitation/create" {
		return
	}
	if l.texts.first("request", m.Method, m.Whole) && l.mayReadUnasked(m) {
		l.scan(m, "prompt", m.Method, m.Whole, unasked(m, "request"))
	}
}

// mayReadUnasked tells whether a message that the server sends unasked is still
// scanned.
func (l *Listener) mayReadUnasked(m *mcpsf.Message) bool {
	if l.notified+len(m.Whole) > maxNotified {
		l.unnotified.Add(int64(len(m.Whole)))
		return false
	}
	l.notified += len(m.Whole)
	return true
}

// unasked says of what it is a text, and keeps of those that come during attacks the
// orders only.
func unasked(m *mcpsf.Message, of string) func(*mcpsf.TextDetail) bool {
	return func(d *mcpsf.TextDetail) bool {
		d.Of = of
		return m.Phase != mcpsf.PhaseAttack || d.What.Orders()
	}
}

// readNotification scans what the server tells unasked: log messages, progress,
// and whatever else has a text. Clients show it, and some hosts put it into the
// conversation. It may quote others as a result does. During attacks it may
// repeat our text, which orders nothing.
func (l *Listener) readNotification(m *mcpsf.Message) {
	if len(m.Whole) > 0 && l.texts.first(mcpsf.OfNotification, m.Method, m.Whole) && l.mayReadUnasked(m) {
		l.scan(m, "result", m.Method, m.Whole, unasked(m, mcpsf.OfNotification))
	}
}

// readList scans a list. The names of all tools are collected first, because
// descriptions may mention other tools.
func (l *Listener) readList(m *mcpsf.Message) {
	found := jsonrpc.Fields(m.Whole, "tools", "prompts", "resources", "resourceTemplates")
	lists := make(map[string][]json.RawMessage, len(found))
	for key, raw := range found {
		jsonrpc.Elements(raw, math.MaxInt, func(e json.RawMessage, _ int64) { lists[key] = append(lists[key], e) })
	}
	names := make([]string, 0, len(lists["tools"]))
	for _, raw := range lists["tools"] {
		names = append(names, nameOf(raw))
	}
	maps.Copy(l.names, promptscan.NamesOf(names...))
	for _, kind := range []struct{ key, of string }{
		{"tools", "tool"}, {"prompts", "prompt"}, {"resources", "resource"}, {"resourceTemplates", "template"},
	} {
		for _, raw := range lists[kind.key] {
			l.look(m, kind.of, nameOf(raw), raw)
		}
	}
}

// Gaps says which texts were not scanned.
func (l *Listener) Gaps() []mcpsf.Gap {
	var gaps []mcpsf.Gap
	if n := l.unread.Load(); n > 0 {
		gaps = append(gaps, gap.New(gap.TextsNotRead, promptscan.MaxText, n))
	}
	if n := l.unnotified.Load(); n > 0 {
		gaps = append(gaps, gap.New(gap.NotificationsNotRead, maxNotified, n))
	}
	if n := l.attacked.unread.Load(); n > 0 {
		gaps = append(gaps, gap.New(gap.AttackAnswersNotRead, maxAttacked, n))
	}
	return gaps
}

func nameOf(raw json.RawMessage) string {
	name, _ := jsonrpc.String(jsonrpc.Fields(raw, "name")["name"]) // "" if it has no name
	return name
}

func (l *Listener) look(m *mcpsf.Message, of, name string, raw json.RawMessage) {
	if !l.texts.first(of, name, raw) {
		return
	}
	l.scan(m, of, name, raw, func(*mcpsf.TextDetail) bool { return true })
}

// scan reports what is suspicious in a text, and counts what was not read. adopt may
// change a detail, and drops it by returning false.
func (l *Listener) scan(m *mcpsf.Message, of, name string, raw json.RawMessage, adopt func(*mcpsf.TextDetail) bool) {
	details, unread := promptscan.Scan(of, name, raw, l.names)
	switch {
	case m.Attack != nil:
		l.attacked.unread.Add(int64(unread))
	case m.Method != "resources/read" || !isApp(raw):
		l.unread.Add(int64(unread))
	}
	for _, d := range details {
		if adopt(&d) {
			l.Said(m.Call, d)
		}
	}
}
