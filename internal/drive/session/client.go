package session

import (
	"encoding/json"
	"net/url"
	"path"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// modelName is the model named in answers to sampling requests.
const modelName = "claude-sonnet-4-5"

// client is our identity towards the server, and the answers of a cooperative
// client and user to the server's requests. It is immutable and needs no lock.
type client struct {
	who     Client
	answers *Answers
	values  *meaning.Values
	seed    uint64
}

// info returns the clientInfo of initialize.
func (c *client) info() map[string]any {
	return map[string]any{"name": c.who.Name, "version": c.who.Version}
}

// capabilities returns those of a client that supports everything, so that the
// server uses everything.
func (*client) capabilities() map[string]any {
	none := map[string]any{}
	return map[string]any{
		"roots":       map[string]any{"listChanged": true},
		"sampling":    none,
		"elicitation": map[string]any{"form": none, "url": none},
	}
}

// answer returns the result for a request of the server, nil for an unknown
// method, and the values in it that the server made.
func (c *client) answer(method string, params json.RawMessage) (any, mcpsf.ServerValues) {
	switch method {
	case protocol.MethodPing:
		return map[string]any{}, madeByUs()
	case protocol.MethodRoots:
		roots := []map[string]string{}
		for _, dir := range c.answers.Roots {
			roots = append(roots, map[string]string{"uri": (&url.URL{Scheme: "file", Path: dir}).String(), "name": path.Base(dir)})
		}
		return map[string]any{"roots": roots}, madeByUs()
	case protocol.MethodSample:
		return sampled(c.answers.Sampling), madeByUs()
	case protocol.MethodElicit:
		return c.filledIn(params)
	}
	return nil, nil
}

// sampled returns a model's answer.
func sampled(text string) any {
	return map[string]any{
		"role": "assistant", "content": map[string]string{"type": "text", "text": text}, "model": modelName, "stopReason": "endTurn",
	}
}

// filledIn fills in an elicitation form as a user would. It declines a URL to
// visit, because there is no user.
func (c *client) filledIn(params json.RawMessage) (any, mcpsf.ServerValues) {
	var p struct {
		Mode    json.RawMessage `json:"mode"`
		Message json.RawMessage `json:"message"`
		Schema  json.RawMessage `json:"requestedSchema"`
	}
	if json.Unmarshal(params, &p) != nil {
		return map[string]any{"action": "cancel"}, madeByUs()
	}
	if mode, _ := jsonrpc.String(p.Mode); mode == "url" {
		return map[string]any{"action": "decline"}, madeByUs()
	}
	made, _ := schema.Generate(everyField(p.Schema), *c.values, c.seed) // on an error this is the best input found
	if !jsonrpc.IsObject(made.JSON) {
		made = schema.Input{JSON: json.RawMessage(`{}`)}
	}
	message, _ := jsonrpc.String(p.Message)
	made = c.answers.Typed.into(made, p.Schema, message)
	return map[string]any{"action": "accept", "content": made.JSON}, made.Server.Under("/content")
}

// inputs returns the answers to the questions inside a result, by the names
// that the server gave, and the values in them that the server made.
func (c *client) inputs(asked map[string]json.RawMessage) (map[string]any, mcpsf.ServerValues) {
	answers, server := map[string]any{}, madeByUs()
	for name, raw := range asked {
		var q struct {
			Method json.RawMessage `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if len(answers) >= maxInputs || json.Unmarshal(raw, &q) != nil {
			continue
		}
		method, _ := jsonrpc.String(q.Method)
		if answer, made := c.answer(method, q.Params); answer != nil {
			answers[name] = answer
			server = append(server, made.Under("/"+mcpsf.PointerPart(name))...)
		}
	}
	return answers, server
}
