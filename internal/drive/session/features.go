package session

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/uritemplate"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// Bounds for the features beside tools, resources and prompts.
const (
	// gap: templates-not-read
	maxTemplates = 500
	// gap: completions-not-made
	maxCompletions = 500
	// otherTime bounds each of the two, beyond the first fewReads.
	// gap: templates-not-read, completions-not-made
	otherTime = 20 * time.Second
)

// features uses the server's features beside tools, resources and prompts.
type features struct {
	requests *requester
	lists    *lister
	tools    *toolCaller
	out      *mcpsf.Session
}

// logEverything sets the log level to debug, so that the server logs
// everything.
func (f *features) logEverything(ctx context.Context) error {
	if !jsonrpc.IsObject(offered(f.out).Logging) {
		return nil
	}
	if !f.requests.hasSessions() {
		f.requests.encoder.loud = true
		return nil
	}
	return f.requests.use(ctx, "logging/setLevel", map[string]any{"level": "debug"}, madeByUs())
}

// subscribe asks a server without sessions for change notifications. It does
// not wait for the answer, which comes only when the subscription ends.
func (f *features) subscribe(context.Context) error {
	if f.requests.hasSessions() {
		return nil
	}
	o := offered(f.out)
	wanted := map[string]any{}
	if o.Tools != nil && jsonrpc.IsTrue(o.Tools.Changes) {
		wanted["toolsListChanged"] = true
	}
	if o.Prompts != nil && jsonrpc.IsTrue(o.Prompts.Changes) {
		wanted["promptsListChanged"] = true
	}
	if o.Resources != nil && jsonrpc.IsTrue(o.Resources.Changes) {
		wanted["resourcesListChanged"] = true
	}
	if len(wanted) == 0 {
		return nil
	}
	x, out, err := f.requests.open(request{method: protocol.MethodListen, server: madeByUs(), params: map[string]any{"notifications": wanted}})
	if err != nil {
		f.requests.opts.Logger.Warn("subscription was not made", "error", err)
		return nil
	}
	f.requests.post(out)
	f.requests.ledger.recordOpen(x, "stays open")
	return nil
}

// use uses the other features of the server.
func (f *features) use(ctx context.Context) error {
	if f.requests.opts.Inputs.Rounds <= 1 {
		return nil
	}
	o := offered(f.out)
	if f.requests.hasSessions() {
		if err := f.requests.use(ctx, protocol.MethodPing, map[string]any{}, madeByUs()); err != nil {
			return err
		}
	}
	if o.Resources != nil {
		if err := f.useTemplates(ctx); err != nil {
			return err
		}
	}
	if o.Resources != nil && jsonrpc.IsTrue(o.Resources.Subscribe) && len(f.out.Resources) > 0 && f.requests.hasSessions() {
		for _, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
			if err := f.requests.use(ctx, method, map[string]any{"uri": f.out.Resources[0].ReadURI()}, listedAddress()); err != nil {
				return err
			}
		}
	}
	if jsonrpc.IsObject(o.Completions) {
		if err := f.complete(ctx); err != nil {
			return err
		}
	}
	return (&tasks{f.tools}).use(ctx, o.Tasks)
}

// useTemplates lists the resource templates and reads one resource of each.
func (f *features) useTemplates(ctx context.Context) error {
	if err := f.lists.list(ctx, "resources/templates", f.addTemplate); err != nil {
		return err
	}
	end := time.Now().Add(otherTime)
	for i, t := range f.out.Templates {
		if i >= maxTemplates || i >= fewReads && time.Now().After(end) {
			f.requests.ledger.gap(gap.TemplatesNotRead, i, len(f.out.Templates)-i)
			break
		}
		if !f.requests.opts.Earlier.Resume.begin("template " + t.URI) {
			continue
		}
		parsed := uritemplate.Parse(t.URI)
		values := map[string]string{}
		for _, name := range parsed.Variables() {
			values[name] = f.requests.opts.Inputs.Values.Pick(name, "")
		}
		if err := f.requests.use(ctx, protocol.MethodRead, map[string]any{"uri": parsed.Expand(values, true)}, listedAddress()); err != nil {
			return err
		}
	}
	return nil
}

func (f *features) addTemplate(raw json.RawMessage) bool {
	t := jsonrpc.Fields(raw, "uriTemplate", "description")
	uri, ok := jsonrpc.String(t["uriTemplate"])
	if !ok {
		return false
	}
	if len(uri) > maxSchema {
		f.requests.ledger.gap(gap.TemplatesNotRead, maxSchema, 1)
		return false
	}
	about, _ := jsonrpc.String(t["description"])
	about, _ = jsonrpc.Clip(about, maxProse)
	f.out.Templates = append(f.out.Templates, mcpsf.Template{URI: uri, Description: about, Raw: raw})
	return true
}

// complete requests completions for the arguments of prompts and templates.
func (f *features) complete(ctx context.Context) error {
	made, end := 0, time.Now().Add(otherTime)
	ask := func(ref map[string]string, argument string) error {
		if made++; made > maxCompletions || made > fewReads && time.Now().After(end) {
			f.requests.ledger.gap(gap.CompletionsNotMade, maxCompletions, 0)
			return nil
		}
		if !f.requests.opts.Earlier.Resume.begin(fmt.Sprint("complete ", made, ref, argument)) {
			return nil
		}
		return f.requests.use(ctx, protocol.MethodComplete, map[string]any{"ref": ref, "argument": map[string]string{"name": argument, "value": "a"}}, madeByServer("/ref", mcpsf.OriginListed))
	}
	for _, p := range f.out.Prompts {
		for _, argument := range attackplan.PromptArguments(p.Raw) {
			if err := ask(map[string]string{"type": "ref/prompt", "name": p.CallName()}, argument.Name); err != nil {
				return err
			}
		}
	}
	for _, t := range f.out.Templates {
		for _, variable := range uritemplate.Parse(t.URI).Variables() {
			if err := ask(map[string]string{"type": "ref/resource", "uri": t.URI}, variable); err != nil {
				return err
			}
		}
	}
	return nil
}

// offered returns the capabilities that the server declared.
func offered(s *mcpsf.Session) protocol.Capabilities {
	var c protocol.Capabilities
	if s.Capabilities != nil {
		_ = json.Unmarshal(s.Capabilities, &c) // invalid ones are noted when they are listed
	}
	return c
}
