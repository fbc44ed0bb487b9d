package session

import (
	"context"
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/uritemplate"
)

// Bounds of what is tried beside tools, resources and prompts.
const (
	maxTemplates   = 20
	maxCompletions = 20
)

// offers are what the server declared beyond its lists.
type offers struct {
	Logging     json.RawMessage `json:"logging"`
	Completions json.RawMessage `json:"completions"`
	Tools       *listOffer      `json:"tools"`
	Prompts     *listOffer      `json:"prompts"`
	Resources   *struct {
		listOffer
		Subscribe json.RawMessage `json:"subscribe"`
	} `json:"resources"`
	Tasks *taskOffer `json:"tasks"`
}

type listOffer struct {
	Changes json.RawMessage `json:"listChanged"`
}

func (s *session) offered() offers {
	var o offers
	if s.out.Capabilities != nil {
		_ = json.Unmarshal(s.out.Capabilities, &o) // what makes no sense is noted when it is listed
	}
	return o
}

// speakUp asks for everything the server has to log, so that it shows.
func (s *session) speakUp(ctx context.Context) error {
	if !isObject(s.offered().Logging) {
		return nil
	}
	if !s.hasSessions() {
		s.speakLouder()
		return nil
	}
	return s.use(ctx, "logging/setLevel", map[string]any{"level": "debug"})
}

// useFeatures uses what else a server can offer.
func (s *session) useFeatures(ctx context.Context) error {
	o := s.offered()
	if s.hasSessions() {
		if err := s.use(ctx, methodPing, map[string]any{}); err != nil {
			return err
		}
	}
	if o.Resources != nil {
		if err := s.useTemplates(ctx); err != nil {
			return err
		}
	}
	if o.Resources != nil && isTrue(o.Resources.Subscribe) && len(s.out.Resources) > 0 && s.hasSessions() {
		for _, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
			if err := s.use(ctx, method, map[string]any{"uri": s.out.Resources[0].URI}); err != nil {
				return err
			}
		}
	}
	if isObject(o.Completions) {
		if err := s.complete(ctx); err != nil {
			return err
		}
	}
	return s.useTasks(ctx, o.Tasks)
}

// useTemplates lists the families of resources and reads one of each.
func (s *session) useTemplates(ctx context.Context) error {
	if err := s.list(ctx, "resources/templates", s.addTemplate); err != nil {
		return err
	}
	for _, t := range s.out.Templates {
		parsed := uritemplate.Parse(t.URI)
		values := map[string]string{}
		for _, name := range parsed.Variables() {
			values[name] = s.opts.Values.Pick(name, "")
		}
		if err := s.use(ctx, methodRead, map[string]any{"uri": parsed.Expand(values, true)}); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) addTemplate(raw json.RawMessage) {
	var t struct {
		URI         json.RawMessage `json:"uriTemplate"`
		Description json.RawMessage `json:"description"`
	}
	if len(s.out.Templates) >= maxTemplates || !isObject(raw) || json.Unmarshal(raw, &t) != nil {
		return
	}
	if uri, ok := asString(t.URI); ok && len(uri) <= maxName {
		about, _ := asString(t.Description)
		about, _ = clip(about, maxProse)
		s.out.Templates = append(s.out.Templates, mcpsf.Template{URI: uri, Description: about, Raw: raw})
	}
}

// complete asks what the arguments of prompts and templates may be.
func (s *session) complete(ctx context.Context) error {
	left := maxCompletions
	ask := func(ref map[string]string, argument string) error {
		if left--; left < 0 {
			return nil
		}
		return s.use(ctx, methodComplete, map[string]any{"ref": ref, "argument": map[string]string{"name": argument, "value": "a"}})
	}
	for _, p := range s.out.Prompts {
		for _, argument := range promptArguments(p.Raw) {
			if err := ask(map[string]string{"type": "ref/prompt", "name": p.Name}, argument.name); err != nil {
				return err
			}
		}
	}
	for _, t := range s.out.Templates {
		for _, variable := range uritemplate.Parse(t.URI).Variables() {
			if err := ask(map[string]string{"type": "ref/resource", "uri": t.URI}, variable); err != nil {
				return err
			}
		}
	}
	return nil
}
