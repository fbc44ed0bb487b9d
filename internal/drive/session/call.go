package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Bounds of what is used beside the tools, and of a prompt's arguments.
const (
	maxReads      = 50
	maxPromptArgs = 50
)

// useAll calls each tool, reads each resource and gets each prompt once, in
// the order they were listed, but makes things before it uses and destroys
// them.
func (s *session) useAll(ctx context.Context) error {
	order := chain.Order(s.out.Tools)
	uses := []struct {
		step  string
		total int
		use   func(context.Context, int) error
	}{
		{"call", len(s.out.Tools), func(ctx context.Context, i int) error { return s.callTool(ctx, order[i], 0) }},
		{"read", min(len(s.out.Resources), maxReads), s.readResource},
		{"prompt", min(len(s.out.Prompts), maxReads), s.getPrompt},
	}
	for _, u := range uses {
		for i := range u.total {
			s.opts.Progress(u.step, i, u.total)
			if err := u.use(ctx, i); err != nil {
				return err
			}
		}
		if u.total > 0 {
			s.opts.Progress(u.step, u.total, u.total)
		}
	}
	return nil
}

// maxDemands bounds how often a tool is asked again that wants more arguments.
const maxDemands = 3

// callTool calls a tool with inputs that differ from round to round. What is
// said to be the same when it is done twice is done twice. One that wants more
// than its schema says is asked again with that.
func (s *session) callTool(ctx context.Context, i, round int) error {
	tool := s.out.Tools[i]
	if !s.callable(&tool) {
		return nil
	}
	if round == 1 && saysSame(tool.Annotations) {
		round = 0
	}
	began := time.Now()
	defer func() {
		if time.Since(began) > tooSlow {
			s.slow[tool.Name] = true
		}
	}()
	for range 1 + maxDemands {
		refusal, err := s.callOnce(ctx, i, round)
		if err != nil || refusal == "" {
			return err
		}
		more, ok := schema.Demanded(s.schemaOf(&tool), refusal)
		if !ok {
			break
		}
		s.wanted[tool.Name] = more
	}
	return nil
}

// callOnce makes one call and returns what the server said if it refused.
func (s *session) callOnce(ctx context.Context, i, round int) (refusal string, err error) {
	r, err := s.toolRequest(i, round)
	if err != nil {
		return "", err
	}
	if s.onlyAsTask(&s.out.Tools[i]) {
		return "", s.callAsTask(ctx, r)
	}
	result, err := s.ask(ctx, r)
	switch {
	case result == nil:
		return s.refused(), err
	case saysError(result):
		return firstText(result, maxProse), err
	}
	s.memory.Learn(r.tool, result)
	return "", err
}

// refused is what the last call was refused with.
func (s *session) refused() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.out.Calls); n > 0 && s.out.Calls[n-1].Status == mcpsf.CallRefused {
		return s.out.Calls[n-1].Note
	}
	return ""
}

// schemaOf is what a tool wants, by what it said when it was listed or, if that
// was not all, when it was called.
func (s *session) schemaOf(tool *mcpsf.Tool) json.RawMessage {
	if known := s.wanted[tool.Name]; known != nil {
		return known
	}
	return tool.InputSchema
}

// callable tells whether a tool is called at all. One whose headers make no
// sense no client would show to anybody.
func (s *session) callable(tool *mcpsf.Tool) bool {
	if !s.opts.May(tool) {
		return false
	}
	if s.hasSessions() || s.stream != mcpsf.Served {
		return true
	}
	_, sane := boundHeaders(tool.InputSchema)
	if !sane {
		s.note("listed a tool whose headers make no sense")
	}
	return sane
}

// toolRequest is a call of a tool with inputs made for it.
func (s *session) toolRequest(i, round int) (request, error) {
	tool := s.out.Tools[i]
	tool.InputSchema = s.schemaOf(&tool)
	args, err := schema.Vary(tool.InputSchema, s.opts.Values.For(tool.Name), s.opts.Seed+uint64(i), round)
	note := ""
	if err != nil {
		note = "the arguments may not fit the schema"
		if !errors.Is(err, schema.ErrUnsatisfied) {
			return request{}, fmt.Errorf("making an input: %w", err)
		}
	}
	if !isObject(args) {
		args, note = json.RawMessage(`{}`), "the schema does not describe an object"
	}
	args, _ = s.memory.Fill(tool, args)
	return request{
		method: methodCall, tool: tool.Name, arguments: args, note: note, timeout: s.opts.CallTimeout, progress: true,
		params: map[string]any{"name": tool.Name, "arguments": args},
	}, nil
}

// saysSame tells whether the annotations of a tool say that calling it twice
// changes nothing more.
func saysSame(annotations json.RawMessage) bool {
	var hints struct {
		Same json.RawMessage `json:"idempotentHint"`
	}
	return isObject(annotations) && json.Unmarshal(annotations, &hints) == nil && isTrue(hints.Same)
}

func (s *session) readResource(ctx context.Context, i int) error {
	params := map[string]any{"uri": s.out.Resources[i].URI}
	return s.use(ctx, methodRead, params)
}

func (s *session) getPrompt(ctx context.Context, i int) error {
	prompt := s.out.Prompts[i]
	args := map[string]string{}
	for _, a := range promptArguments(prompt.Raw) {
		args[a.name] = s.opts.Values.Pick(a.name, a.description)
	}
	return s.use(ctx, methodPrompt, map[string]any{"name": prompt.Name, "arguments": args})
}

type promptArgument struct{ name, description string }

// promptArguments are the arguments of a prompt as it was listed.
func promptArguments(raw json.RawMessage) []promptArgument {
	var listed struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(raw, &listed) != nil {
		return nil
	}
	var list []promptArgument
	elements(listed.Arguments, maxPromptArgs, func(raw json.RawMessage, _ int64) {
		var a struct{ Name, Description json.RawMessage }
		if !isObject(raw) || json.Unmarshal(raw, &a) != nil {
			return
		}
		if name, ok := asString(a.Name); ok && len(name) <= maxName {
			description, _ := asString(a.Description)
			list = append(list, promptArgument{name, description})
		}
	})
	return list
}

func (s *session) use(ctx context.Context, method string, params map[string]any) error {
	shown, err := marshal(params)
	if err != nil {
		return fmt.Errorf("encoding the parameters of %s: %w", method, err)
	}
	_, err = s.ask(ctx, request{method: method, params: params, arguments: shown, timeout: s.opts.CallTimeout})
	return err
}

// judge decides what an answer means and records it. The result is returned
// if there is one to work with.
func (s *session) judge(x *exchange, r request, a answer) (json.RawMessage, error) {
	status, note := mcpsf.CallOK, ""
	switch {
	case a.garbled != "":
		status, note = mcpsf.CallGarbled, a.garbled
	case a.refused != "":
		status, note = mcpsf.CallRefused, a.refused
		s.refusal = json.RawMessage(`{}`)
	case a.failure != nil:
		status, note = mcpsf.CallRefused, describe(a.failure)
		s.refusal = a.failure
	case !isObject(a.result):
		status, note = mcpsf.CallGarbled, "the result is not an object"
		s.note("answered with a result that is not an object")
	case saysError(a.result):
		status, note = mcpsf.CallRefused, firstText(a.result, maxNote)
	case r.method == methodCall && !postponed(&r, a.result):
		s.checkContent(a.result)
	}
	return a.result, s.record(x, r, status, note, nil)
}

// postponed tells whether the content of a tool's result comes later: with
// the task, or when the server knows more.
func postponed(r *request, result json.RawMessage) bool {
	params, _ := r.params.(map[string]any)
	return params["task"] != nil || asksBack(result)
}

// describe says what a JSON-RPC error says, whatever its types are.
func describe(failure json.RawMessage) string {
	var e struct {
		Code    json.RawMessage `json:"code"`
		Message json.RawMessage `json:"message"`
	}
	if !isObject(failure) || json.Unmarshal(failure, &e) != nil {
		short, _ := clip(string(failure), maxNote)
		return "error " + short
	}
	code, _ := clip(string(e.Code), 16)
	message, ok := asString(e.Message)
	if !ok {
		message = string(e.Message)
	}
	message, _ = clip(message, maxNote)
	return fmt.Sprintf("error %s: %s", code, message)
}

// content is one piece of a tool's result.
type content struct {
	Type json.RawMessage `json:"type"`
	Text json.RawMessage `json:"text"`
}

// maxContent bounds how many pieces of a result are looked at.
const maxContent = 100

// contents returns the pieces of a result and whether they came as a list.
func contents(result json.RawMessage) (pieces []content, list bool) {
	var r struct {
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(result, &r) != nil {
		return nil, false
	}
	list, _ = elements(r.Content, maxContent, func(raw json.RawMessage, _ int64) {
		var c content
		if isObject(raw) && json.Unmarshal(raw, &c) == nil {
			pieces = append(pieces, c)
		}
	})
	return pieces, list
}

// firstText is what a result that is marked as an error says.
func firstText(result json.RawMessage, limit int) string {
	pieces, _ := contents(result)
	for _, p := range pieces {
		if text, ok := asString(p.Text); ok {
			short, _ := clip(text, limit)
			return short
		}
	}
	return ""
}

// checkContent notes what is wrong with a tool's result.
func (s *session) checkContent(result json.RawMessage) {
	pieces, list := contents(result)
	if !list {
		s.note("returned a tool result without a content list")
	}
	for _, p := range pieces {
		switch kind, _ := asString(p.Type); kind {
		case "text":
			if _, ok := asString(p.Text); !ok {
				s.note("returned text content that is not a string")
			}
		case "image", "audio", "resource", "resource_link":
		default:
			s.note("returned content of an unknown type")
		}
	}
}
