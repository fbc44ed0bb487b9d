package attackplan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/uritemplate"
)

// IsAttackMethod reports whether attacks use this method.
func IsAttackMethod(method string) bool {
	return slices.Contains([]string{protocol.MethodCall, protocol.MethodRead, protocol.MethodPrompt, protocol.MethodComplete}, method)
}

// target is a feature of the server that takes arguments: a tool, prompt,
// resource or completion.
type target struct {
	// Tool describes it as if it were a tool. Its name is the one that reports
	// show.
	mcpsf.Tool

	method string
	// name is its name in the request; for resources it is the template.
	name     string
	template uritemplate.Template
	// of is the prompt or template that a completion is for.
	of *target
	// worked are arguments that the server has accepted, without JSON if none are known.
	worked schema.Input
	// sequence are the calls after which it worked.
	sequence []mcpsf.Step
	// then are the sequences of tools that took what it returned.
	then [][]mcpsf.Step
	// share is how promising the target is compared with a tool, in percent.
	share int
}

// Inputs returns the prompts, resources and completions of the server,
// described as tools.
func Inputs(s *mcpsf.Session) []mcpsf.Tool {
	var list []mcpsf.Tool
	for _, t := range targets(s) {
		if t.method != protocol.MethodCall {
			list = append(list, t.Tool)
		}
	}
	return list
}

// Servers refuse most resource addresses before they use them, and few do more
// with completions than compare them.
// no gap: bounds which attacks are planned; attacks show weaknesses, and the profile bounds them
const (
	shareTool   = 100
	shareOther  = 75
	sharePlain  = 40
	shareGuess  = 30
	maxPlain    = 8
	maxFamilies = 50
)

// targets lists everything of the server that takes arguments: tools, resource
// templates, resources without a template, prompts, and completions of their
// arguments.
func targets(s *mcpsf.Session) []*target {
	worked := Worked(s)
	then := takers(s, worked)
	var list []*target
	for _, tool := range s.Tools {
		t := &target{Tool: tool, method: protocol.MethodCall, name: tool.CallName(), share: shareTool, then: then[tool.Name]}
		if c := worked[tool.Name]; c != nil {
			t.worked, t.sequence = schema.Input{JSON: c.Arguments, Server: c.ServerValues.Inside("/arguments")}, c.Sequence
		}
		list = append(list, t)
	}
	others := append(families(s), prompts(s)...)
	list = append(append(list, others...), plainAddresses(s)...)
	var offered protocol.Capabilities
	if json.Unmarshal(s.Capabilities, &offered) == nil && jsonrpc.IsObject(offered.Completions) {
		for _, t := range others {
			list = append(list, &target{
				Tool:   mcpsf.Tool{Name: mcpsf.OfCompletion + t.Tool.Name, Description: t.Description, InputSchema: t.InputSchema},
				method: protocol.MethodComplete, of: t, worked: t.worked, share: shareGuess,
			})
		}
	}
	return list
}

func families(s *mcpsf.Session) []*target {
	var list []*target
	for _, t := range s.Templates[:min(len(s.Templates), maxFamilies)] {
		parsed := uritemplate.Parse(t.URI)
		family := &target{
			Tool:   mcpsf.Tool{Name: mcpsf.OfResource + t.URI, Description: t.Description, InputSchema: textsOf(parsed.Variables(), nil)},
			method: protocol.MethodRead, name: t.URI, template: parsed, share: shareOther,
		}
		for _, r := range s.Resources {
			if values, ok := parsed.Match(r.URI); ok {
				family.worked = listedValues(values)
				break
			}
		}
		list = append(list, family)
	}
	return list
}

// listedValues are the values in an address that the server listed.
func listedValues(values map[string]string) schema.Input {
	raw, err := jsonrpc.Marshal(values)
	if err != nil {
		return schema.Input{}
	}
	return schema.Input{JSON: raw, Server: mcpsf.ServerValues{{Pointer: "", From: mcpsf.OriginListed}}}
}

// plainAddresses returns the resources that match no template, one for each
// form of address.
func plainAddresses(s *mcpsf.Session) []*target {
	seen := map[string]bool{}
	var list []*target
	for _, r := range s.Resources {
		if len(list) >= maxPlain || slices.ContainsFunc(s.Templates, func(t mcpsf.Template) bool {
			_, ok := uritemplate.Parse(t.URI).Match(r.URI)
			return ok
		}) {
			continue
		}
		parsed, values := uritemplate.Plain(r.URI)
		scheme, _, _ := strings.Cut(r.URI, ":")
		form := fmt.Sprint(scheme, parsed.Variables())
		if len(values) == 0 || seen[form] {
			continue
		}
		seen[form] = true
		list = append(list, &target{
			Tool:   mcpsf.Tool{Name: mcpsf.OfResource + r.URI, Description: r.Name, InputSchema: textsOf(parsed.Variables(), nil)},
			method: protocol.MethodRead, name: r.URI, template: parsed, worked: listedValues(values), share: sharePlain,
		})
	}
	return list
}

func prompts(s *mcpsf.Session) []*target {
	var list []*target
	for _, p := range s.Prompts[:min(len(s.Prompts), maxFamilies)] {
		var names []string
		about := map[string]string{}
		for _, a := range PromptArguments(p.Raw) {
			names = append(names, a.Name)
			about[a.Name] = a.Description
		}
		list = append(list, &target{
			Tool:   mcpsf.Tool{Name: mcpsf.OfPrompt + p.Name, Description: p.Description, InputSchema: textsOf(names, about)},
			method: protocol.MethodPrompt, name: p.CallName(), share: shareOther,
		})
	}
	return list
}

// textsOf returns the schema of an object of strings.
func textsOf(names []string, about map[string]string) json.RawMessage {
	properties := map[string]any{}
	for _, name := range names {
		p := map[string]string{"type": "string"}
		if about[name] != "" {
			p["description"] = about[name]
		}
		properties[name] = p
	}
	out, err := jsonrpc.Marshal(map[string]any{"type": "object", "properties": properties, "required": append([]string{}, names...)})
	if err != nil {
		return nil
	}
	return out
}
