package source

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

const (
	// maxWords and maxWord bound a command and an environment that come from
	// a manifest.
	maxWords = 128
	maxWord  = 32 << 10
)

// bundle is what the manifest of an MCP bundle says about starting it, with
// every variable filled in as a client would.
type bundle struct {
	about
	runtime    mcpsf.Runtime
	entryPoint string
	command    []string
	env        map[string]string
}

// parseBundle returns nil for a manifest.json of something else. A field of
// the wrong shape is as good as absent.
func parseBundle(fields map[string]json.RawMessage) *bundle {
	server := object(fields["server"])
	config := object(server["mcp_config"])
	entryPoint := text(server["entry_point"])
	if config == nil && entryPoint == "" {
		return nil
	}
	b := &bundle{
		about:      newAbout(text(fields["name"]), text(fields["version"]), text(fields["description"])),
		entryPoint: entryPoint,
		env:        map[string]string{},
	}
	switch text(server["type"]) {
	case "node":
		b.runtime = mcpsf.RuntimeNode
	case "python", "uv":
		b.runtime = mcpsf.RuntimePython
	}
	v := newVariables(object(fields["user_config"]))
	b.configure(v, config)
	b.configure(v, object(object(config["platform_overrides"])["linux"]))
	return b
}

// configure applies one mcp_config; a second one overrides what it names.
func (b *bundle) configure(v variables, config map[string]json.RawMessage) {
	program, args := text(config["command"]), config["args"]
	if program != "" {
		b.command = append([]string{v.fill(program)}, b.command[min(1, len(b.command)):]...)
	}
	var words []json.RawMessage
	if len(b.command) > 0 && args != nil && json.Unmarshal(args, &words) == nil {
		b.command = b.command[:1]
		for _, w := range words[:min(len(words), maxWords)] {
			b.command = append(b.command, v.words(text(w))...)
		}
		b.command = b.command[:min(len(b.command), maxWords)]
	}
	env := object(config["env"])
	for _, name := range slices.Sorted(maps.Keys(env)) {
		value := v.fill(scalar(env[name]))
		if len(b.env) < maxWords && fitVariable(name, value) {
			b.env[name] = value
		}
	}
}

// fitVariable reports whether there can be such a variable.
func fitVariable(name, value string) bool {
	return name != "" && len(name) <= maxName && badName(name) == "" && !strings.Contains(name, "=") && !strings.ContainsRune(value, 0)
}

// bundleWays finds the command that a client would start.
func bundleWays(p *project) []way {
	b := p.bundle
	if b == nil {
		return nil
	}
	var ways []way
	if command := b.command; len(command) > 0 && p.runnable(command) {
		if command[0] == "python" {
			command = append([]string{"python3"}, command[1:]...)
		}
		w := way{command: command, why: "mcp_config of manifest.json", tier: tierBundle, runtime: p.runtimeOf(command)}
		if w.runtime == mcpsf.RuntimeNative && b.runtime != "" {
			w.runtime = b.runtime
		}
		ways = append(ways, w)
	}
	e := p.tree.file(b.entryPoint)
	if e == nil {
		if b.entryPoint != "" {
			p.missing = append(p.missing, "manifest.json names "+quote(b.entryPoint))
		}
		return ways
	}
	command := p.commandFor(e)
	switch {
	case b.runtime == mcpsf.RuntimeNode && !isTypeScript(e.path):
		command = []string{"node", e.path}
	case b.runtime == mcpsf.RuntimePython:
		command = []string{"python3", e.path}
	}
	if command != nil {
		ways = append(ways, way{command: command, why: "entry_point of manifest.json", tier: tierBundle, rank: 1, runtime: p.runtimeOf(command)})
	}
	return ways
}

// runnable reports whether the program, and the script that an interpreter is
// given first, are there. What is not in the bundle is not judged.
func (p *project) runnable(command []string) bool {
	// The command is shown, and a name of a file could not be like this.
	if command[0] == "" || slices.ContainsFunc(command, func(w string) bool { return badName(w) != "" }) {
		p.tree.notes.add("mcp_config of manifest.json was not used: its command is empty or has control characters")
		return false
	}
	for _, w := range command[:min(2, len(command))] {
		rel, inside := strings.CutPrefix(path.Clean(w), mcpsf.WorkDir+"/")
		if inside && p.tree.byPath[rel] == nil && p.tree.file(rel) == nil {
			p.missing = append(p.missing, "manifest.json names "+quote(rel))
			return false
		}
	}
	return true
}

// bundleEnv lists the manifest's variables that the user did not set.
func (p *project) bundleEnv(given []string) []string {
	if p.bundle == nil {
		return nil
	}
	var env []string
	for _, name := range slices.Sorted(maps.Keys(p.bundle.env)) {
		if !slices.ContainsFunc(given, func(kv string) bool { return strings.HasPrefix(kv, name+"=") }) {
			env = append(env, name+"="+p.bundle.env[name])
		}
	}
	return env
}

// object decodes a JSON object; anything else is nil.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}
