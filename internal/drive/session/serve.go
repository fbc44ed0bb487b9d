package session

import (
	"encoding/json"
	"net/url"
	"path"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// What a server may ask of us.
const (
	methodPing    = "ping"
	methodRoots   = "roots/list"
	methodSample  = "sampling/createMessage"
	methodElicit  = "elicitation/create"
	assistantName = "claude-sonnet-4-5"
)

// capabilities are what we offer: all that a server may ask of a client, so
// that it does.
func (s *session) capabilities() map[string]any {
	none := map[string]any{}
	return map[string]any{
		"roots":       map[string]any{"listChanged": true},
		"sampling":    none,
		"elicitation": map[string]any{"form": none, "url": none},
	}
}

// serve answers a request of the server. The caller holds mu.
func (s *session) serve(m mcpsf.Message, params json.RawMessage) {
	if m.ID == nil || s.phase == mcpsf.PhaseStop {
		return
	}
	if m.Method == methodSample && s.guest.sampler != nil && s.guest.samples < maxSamples {
		s.sampleLater(m, params)
		return
	}
	s.reply(m, s.favour(m.Method, params))
}

// reply sends an answer, or that there is none. The caller holds mu.
func (s *session) reply(m mcpsf.Message, result any) {
	reply := struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   json.RawMessage `json:"error,omitempty"`
	}{Version: "2.0", ID: m.ID}
	if result != nil {
		reply.Result, _ = marshal(result) // of strings and checked JSON
	}
	content := reply.Result
	if content == nil {
		content, _ = marshal(&jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"})
		reply.Error = content
	}
	// Not the SDK's encoder: the id goes back exactly as it came.
	wire, err := marshal(reply)
	if err != nil {
		s.opts.Logger.Warn("request of the server was not answered", "error", err)
		return
	}
	out := &outbound{wire: wire, written: make(chan struct{}), message: mcpsf.Message{
		Kind: mcpsf.MessageResponse, Phase: s.phase, Method: m.Method, ID: m.ID, Failed: reply.Error != nil,
	}}
	out.message.Body, out.message.Truncated = body(content, s.opts.MaxBody)
	s.post(out)
}

// favour is what a willing client and its user answer, nil for what we do
// not know.
func (s *session) favour(method string, params json.RawMessage) any {
	switch method {
	case methodPing:
		return map[string]any{}
	case methodRoots:
		roots := []map[string]string{}
		for _, dir := range s.opts.Roots {
			roots = append(roots, map[string]string{"uri": (&url.URL{Scheme: "file", Path: dir}).String(), "name": path.Base(dir)})
		}
		return map[string]any{"roots": roots}
	case methodSample:
		return spoken(s.opts.Spoken)
	case methodElicit:
		return s.filledIn(params)
	}
	return nil
}

// spoken is what a model said.
func spoken(text string) any {
	return map[string]any{
		"role": "assistant", "content": map[string]string{"type": "text", "text": text}, "model": assistantName, "stopReason": "endTurn",
	}
}

// filledIn is a form as a user would fill it in. An address to visit is
// declined: nobody is there to do that.
func (s *session) filledIn(params json.RawMessage) any {
	var p struct {
		Mode    json.RawMessage `json:"mode"`
		Message json.RawMessage `json:"message"`
		Schema  json.RawMessage `json:"requestedSchema"`
	}
	if json.Unmarshal(params, &p) != nil {
		return map[string]any{"action": "cancel"}
	}
	if mode, _ := asString(p.Mode); mode == "url" {
		return map[string]any{"action": "decline"}
	}
	content, _ := schema.Generate(everyField(p.Schema), s.opts.Values, s.opts.Seed) // the best that was found
	if !isObject(content) {
		content = json.RawMessage(`{}`)
	}
	message, _ := asString(p.Message)
	return map[string]any{"action": "accept", "content": s.opts.Typed.into(content, p.Schema, message)}
}
