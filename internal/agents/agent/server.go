package agent

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Server is a server in a running session.
type Server interface {
	// List lists what the server offers now.
	List(ctx context.Context) (Offer, error)
	// Sample sets who answers the server's sampling requests from now on, which
	// may come during a call.
	Sample(answer func(ctx context.Context, params json.RawMessage) string)
	Call(ctx context.Context, tool string, input schema.Input) (Answer, error)
	Prompt(ctx context.Context, name string) (Answer, error)
	Read(ctx context.Context, uri string) (Answer, error)
}

// Answer is a server's result or error.
type Answer struct {
	// Call is the id of the call in the trace.
	Call   string
	Text   string
	Failed bool
}

// Offer is what a server lists: instructions, tools, prompts, resources.
type Offer struct {
	Instructions string
	Tools        []mcpsf.Tool
	Prompts      []mcpsf.Prompt
	Resources    []mcpsf.Resource
}

// remembered repeats earlier results for the same calls, in the same order, so
// that conversations differ only in what is blanked. New calls go to the
// server.
type remembered struct {
	server Server
	said   map[string][]Answer
	offers []Offer
	next   map[string]int
	listed int
}

func remember(s Server) *remembered {
	return &remembered{server: s, said: map[string][]Answer{}}
}

// begin starts over with the first remembered results.
func (r *remembered) begin() { r.next, r.listed = map[string]int{}, 0 }

// List is what the server offers at the next turn.
func (r *remembered) List(ctx context.Context) (Offer, error) {
	if r.listed++; r.listed <= len(r.offers) {
		return r.offers[r.listed-1], nil
	}
	o, err := r.server.List(ctx)
	if err == nil {
		r.offers = append(r.offers, o)
	}
	return o, err
}

func (r *remembered) replay(key string, ask func() (Answer, error)) (Answer, error) {
	n := r.next[key]
	r.next[key]++
	if n < len(r.said[key]) {
		return r.said[key][n], nil
	}
	a, err := ask()
	if err != nil {
		return a, err
	}
	r.said[key] = append(r.said[key], a)
	return a, nil
}

func (r *remembered) Call(ctx context.Context, tool string, input schema.Input) (Answer, error) {
	return r.replay("call\x00"+tool+"\x00"+canonical(input.JSON), func() (Answer, error) { return r.server.Call(ctx, tool, input) })
}

func (r *remembered) Prompt(ctx context.Context, name string) (Answer, error) {
	return r.replay("prompt\x00"+name, func() (Answer, error) { return r.server.Prompt(ctx, name) })
}

func (r *remembered) Read(ctx context.Context, uri string) (Answer, error) {
	return r.replay("read\x00"+uri, func() (Answer, error) { return r.server.Read(ctx, uri) })
}

// canonical is JSON in one form, independent of the order of keys.
func canonical(raw json.RawMessage) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(raw)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(out)
}
