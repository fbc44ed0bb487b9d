// Package listener reads what a server sends to its client: it scans every text
// that a model may see for prompt injection, and keeps the end of the output
// that is no message, which says why a server failed.
package listener

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"maps"
	"slices"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
)

// keptOutput is how much of a stream is kept, from its end.
const keptOutput = 16 << 10

// maxHeard bounds how many texts are remembered, so that each is scanned once only.
const maxHeard = 100_000

// Listener passes everything on to the monitor.
type Listener struct {
	*monitor.Monitor
	mu sync.Mutex
	// junk and errors are the ends of the invalid output and of standard error.
	// They are separate because the order of two streams is random.
	junk, errors []byte
	// names, seed and heard belong to the one goroutine that reads answers.
	names promptscan.Names
	seed  maphash.Seed
	heard map[uint64]bool
}

// New returns a listener in front of a monitor.
func New(m *monitor.Monitor) *Listener {
	return &Listener{Monitor: m, seed: maphash.MakeSeed(), heard: map[uint64]bool{}, names: promptscan.NamesOf()}
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
	if m.Kind == mcpsf.MessageResponse && m.Stream != mcpsf.Stdin && m.Attack == nil {
		l.read(&m)
	}
	if m.Kind == mcpsf.MessageRequest && m.Stream != mcpsf.Stdin && m.Phase != mcpsf.PhaseAttack {
		l.readRequest(&m)
	}
}

// Texts returns how many different texts were scanned. It is called after the
// session.
func (l *Listener) Texts() int { return len(l.heard) }

// Text returns the end of the output that was no message, standard error last.
func (l *Listener) Text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.ToValidUTF8(slices.Concat(l.junk, l.errors), []byte("?")))
}

// read scans an answer as a model would see it. Answers to attacks are skipped,
// because they repeat our text.
func (l *Listener) read(m *mcpsf.Message) {
	switch m.Method {
	case "initialize":
		l.look(m, "server", "", m.Whole)
	case "tools/call":
		l.look(m, "result", m.Tool, m.Whole)
	case "prompts/get":
		l.look(m, "prompt", "", m.Whole)
	case "resources/read":
		l.look(m, "result", m.Method, m.Whole)
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		l.readList(m)
	}
}

// readRequest scans what the server asks of the model or the user. It is a
// prompt, and may contain what prompts contain.
func (l *Listener) readRequest(m *mcpsf.Message) {
	if m.Method != "sampling/createMessage" && m.Method != "elicitation/create" {
		return
	}
	if !l.first("request", m.Method, m.Whole) {
		return
	}
	for _, d := range promptscan.Scan("prompt", m.Method, m.Whole, l.names) {
		d.Of = "request"
		l.Said(m.Call, d)
	}
}

// readList scans a list. The names of all tools are collected first, because
// descriptions may mention other tools.
func (l *Listener) readList(m *mcpsf.Message) {
	var lists struct {
		Tools     []json.RawMessage `json:"tools"`
		Prompts   []json.RawMessage `json:"prompts"`
		Resources []json.RawMessage `json:"resources"`
		Templates []json.RawMessage `json:"resourceTemplates"` //nolint:tagliatelle // the protocol has it so
	}
	if json.Unmarshal(m.Whole, &lists) != nil {
		return
	}
	if lists.Tools != nil {
		names := make([]string, 0, len(lists.Tools))
		for _, raw := range lists.Tools {
			names = append(names, nameOf(raw))
		}
		maps.Copy(l.names, promptscan.NamesOf(names...))
	}
	for kind, list := range map[string][]json.RawMessage{
		"tool": lists.Tools, "prompt": lists.Prompts, "resource": lists.Resources, "template": lists.Templates,
	} {
		for _, raw := range list {
			l.look(m, kind, nameOf(raw), raw)
		}
	}
}

func nameOf(raw json.RawMessage) string {
	var named struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(raw, &named) // "" if it has no name
	return named.Name
}

func (l *Listener) look(m *mcpsf.Message, of, name string, raw json.RawMessage) {
	if !l.first(of, name, raw) {
		return
	}
	for _, d := range promptscan.Scan(of, name, raw, l.names) {
		l.Said(m.Call, d)
	}
}

// first tells whether a text was not seen before.
func (l *Listener) first(of, name string, raw json.RawMessage) bool {
	var h maphash.Hash
	h.SetSeed(l.seed)
	_, _ = h.WriteString(of + "\x00" + name + "\x00")
	_, _ = h.Write(raw)
	if l.heard[h.Sum64()] || len(l.heard) >= maxHeard {
		return false
	}
	l.heard[h.Sum64()] = true
	return true
}
