package session

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
)

// Guest talks to the server instead of us, once it has said what it offers.
type Guest func(ctx context.Context, t *Table) error

// Table is where a guest sits: what is asked there is asked as anything else is,
// and recorded. It is for one goroutine.
type Table struct{ s *session }

// Sampler answers for the model when the server asks it something. It is called
// in a goroutine of its own.
type Sampler func(ctx context.Context, params json.RawMessage) string

// maxSamples bounds how often a server may ask a guest's model.
const maxSamples = 32

// seat is what a guest has at the table.
type seat struct {
	ctx     context.Context //nolint:containedctx // that of the guest, for as long as he sits
	sampler Sampler
	samples int
	busy    sync.WaitGroup
}

// Sample has the model of the guest answer from now on.
func (t *Table) Sample(f Sampler) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.guest.sampler = f
}

// sampleLater lets the guest's model answer. The caller holds mu.
func (s *session) sampleLater(m mcpsf.Message, params json.RawMessage) {
	sampler, ctx, params := s.guest.sampler, s.guest.ctx, bytes.Clone(params)
	s.guest.samples++
	s.guest.busy.Go(func() {
		text := sampler(ctx, params)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.phase != mcpsf.PhaseStop {
			s.reply(m, spoken(text))
		}
	})
}

// List lists anew what the server offers.
func (t *Table) List(ctx context.Context) (*mcpsf.Session, error) {
	now := mcpsf.Session{Instructions: t.s.out.Instructions}
	err := t.s.listInto(ctx, &now)
	return &now, err
}

// Offer is what the server has listed.
func (t *Table) Offer() *mcpsf.Session { return &t.s.out }

// Heard is what the server said to a guest.
type Heard struct {
	Call   string // its name in the trace
	Text   string // as a model would get it
	Failed bool
}

// Call calls a tool.
func (t *Table) Call(ctx context.Context, tool string, arguments json.RawMessage) (Heard, error) {
	return t.ask(ctx, methodCall, tool, map[string]any{"name": tool, "arguments": arguments}, arguments)
}

// Prompt gets a prompt.
func (t *Table) Prompt(ctx context.Context, name string) (Heard, error) {
	return t.named(ctx, "prompts/get", "name", name)
}

// Read reads a resource.
func (t *Table) Read(ctx context.Context, uri string) (Heard, error) {
	return t.named(ctx, "resources/read", "uri", uri)
}

func (t *Table) named(ctx context.Context, method, parameter, value string) (Heard, error) {
	params := map[string]any{parameter: value}
	shown, err := marshal(params)
	if err != nil {
		return Heard{}, err
	}
	return t.ask(ctx, method, "", params, shown)
}

func (t *Table) ask(ctx context.Context, method, tool string, params map[string]any, shown json.RawMessage) (Heard, error) {
	result, err := t.s.ask(ctx, request{method: method, tool: tool, params: params, arguments: shown, timeout: t.s.opts.CallTimeout})
	if err != nil {
		return Heard{}, err
	}
	last := &t.s.out.Calls[len(t.s.out.Calls)-1]
	h := Heard{Call: last.ID, Failed: last.Status != mcpsf.CallOK}
	if h.Text = readable(result); h.Text == "" && h.Failed {
		h.Text = last.Note
	}
	return h, nil
}

// host lets a guest talk.
func (s *session) host(ctx context.Context) error {
	s.enter(mcpsf.PhaseDrive)
	if err := s.listAll(ctx); err != nil {
		return err
	}
	visit, leave := context.WithCancel(ctx)
	s.guest.ctx = visit //nolint:fatcontext // of one visit, which it ends with
	t := &Table{s}
	err := s.opts.Guest(visit, t)
	t.Sample(nil)
	leave()
	s.guest.busy.Wait()
	return err
}

// readable is a result as a model gets to read it: its texts, what is said of
// pictures and links, and what is structured if it says something else.
func readable(result json.RawMessage) string {
	var r struct {
		Content  []json.RawMessage `json:"content"`
		Contents []json.RawMessage `json:"contents"` // of a resource
		Messages []struct {        // of a prompt
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	if json.Unmarshal(result, &r) != nil {
		return ""
	}
	blocks := slices.Concat(r.Content, r.Contents)
	for i := range r.Messages {
		blocks = append(blocks, r.Messages[i].Content)
	}
	var parts []string
	for _, b := range blocks {
		if text := readableBlock(b); text != "" {
			parts = append(parts, text)
		}
	}
	out := strings.Join(parts, "\n")
	if len(r.Structured) > 0 && string(r.Structured) != "null" && !sameJSON(out, r.Structured) {
		out = strings.TrimPrefix(out+"\n"+string(r.Structured), "\n")
	}
	return out
}

// readableBlock is one part of a result. Those that are no text have words beside
// them.
func readableBlock(raw json.RawMessage) string {
	var b struct {
		Type, Text, Name, Title, Description, URI, MimeType string
		Alt, AltText                                        string
		Resource                                            json.RawMessage
		Annotations                                         json.RawMessage
	}
	if json.Unmarshal(raw, &b) != nil {
		return ""
	}
	if b.Type == "text" || b.Type == "" && b.Text != "" {
		return b.Text
	}
	var parts []string
	for _, part := range []string{b.Name, b.Title, b.Alt, b.AltText, b.Description, b.Text, b.URI} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(b.Resource) > 0 {
		parts = append(parts, readableBlock(b.Resource))
	}
	if len(b.Annotations) > 0 {
		var said struct{ Title, Alt, Description string }
		_ = json.Unmarshal(b.Annotations, &said)
		parts = append(parts, said.Title, said.Alt, said.Description)
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// sameJSON tells whether a text is nothing but that value.
func sameJSON(text string, value json.RawMessage) bool {
	a, errA := canonicalJSON([]byte(text))
	b, errB := canonicalJSON(value)
	return errA == nil && errB == nil && a == b
}

func canonicalJSON(raw []byte) (string, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", err
	}
	out, err := json.Marshal(v)
	return string(out), err
}
