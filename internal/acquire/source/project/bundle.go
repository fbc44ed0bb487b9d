package project

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
)

// bundle is the start command in the manifest of an MCP bundle, with every
// variable filled in as a client would.
type bundle struct {
	about
	runtime    mcpsf.Runtime
	entryPoint string
	command    []string
	env        map[string]string
}

// parseBundle returns nil for another kind of manifest.json. A field of the
// wrong type counts as absent.
func parseBundle(fields map[string]json.RawMessage) *bundle {
	server := document.Object(fields["server"])
	config := document.Object(server["mcp_config"])
	entryPoint := document.Text(server["entry_point"])
	if config == nil && entryPoint == "" {
		return nil
	}
	b := &bundle{
		about:      newAbout(document.Text(fields["name"]), document.Text(fields["version"]), document.Text(fields["description"])),
		entryPoint: entryPoint,
		env:        map[string]string{},
	}
	switch document.Text(server["type"]) {
	case "node":
		b.runtime = mcpsf.RuntimeNode
	case "python", "uv":
		b.runtime = mcpsf.RuntimePython
	}
	v := newVariables(document.Object(fields["user_config"]))
	b.configure(v, config)
	b.configure(v, document.Object(document.Object(config["platform_overrides"])["linux"]))
	return b
}

// configure applies one mcp_config; a second one overrides the fields it has.
func (b *bundle) configure(v variables, config map[string]json.RawMessage) {
	program, args := document.Text(config["command"]), config["args"]
	if program != "" {
		b.command = append([]string{v.fill(program)}, b.command[min(1, len(b.command)):]...)
	}
	var words []json.RawMessage
	if len(b.command) > 0 && args != nil && json.Unmarshal(args, &words) == nil {
		b.command = b.command[:1]
		for _, w := range words[:min(len(words), document.MaxWords)] {
			b.command = append(b.command, v.words(document.Text(w))...)
		}
		b.command = b.command[:min(len(b.command), document.MaxWords)]
	}
	env := document.Object(config["env"])
	for _, name := range slices.Sorted(maps.Keys(env)) {
		value := v.fill(document.Scalar(env[name]))
		if len(b.env) < document.MaxWords && fitVariable(name, value) {
			b.env[name] = value
		}
	}
}

// fitVariable reports whether an environment variable can be like this.
func fitVariable(name, value string) bool {
	return name != "" && len(name) <= usererr.MaxName && usererr.BadName(name) == "" && !strings.Contains(name, "=") && !strings.ContainsRune(value, 0)
}

// bundleWays finds the command that a client would start.
func bundleWays(p *Project) []way {
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
	e := p.Tree.File(b.entryPoint)
	if e == nil {
		if b.entryPoint != "" {
			p.missing = append(p.missing, "manifest.json names "+usererr.Quote(b.entryPoint))
		}
		return ways
	}
	command := p.commandFor(e)
	switch {
	case b.runtime == mcpsf.RuntimeNode && !isTypeScript(e.Path):
		command = []string{"node", e.Path}
	case b.runtime == mcpsf.RuntimePython:
		command = []string{"python3", e.Path}
	}
	if command != nil {
		ways = append(ways, way{command: command, why: "entry_point of manifest.json", tier: tierBundle, rank: 1, runtime: p.runtimeOf(command)})
	}
	return ways
}

// runnable reports whether the program, and the script that an interpreter gets
// first, exist. Programs outside of the bundle are not checked.
func (p *Project) runnable(command []string) bool {
	// The command is printed, and no file name can be like this.
	if command[0] == "" || slices.ContainsFunc(command, func(w string) bool { return usererr.BadName(w) != "" }) {
		p.Tree.Notes.Add("mcp_config of manifest.json was not used: its command is empty or has control characters")
		return false
	}
	for _, w := range command[:min(2, len(command))] {
		rel, inside := strings.CutPrefix(path.Clean(w), mcpsf.WorkDir+"/")
		if inside && p.Tree.ByPath[rel] == nil && p.Tree.File(rel) == nil {
			p.missing = append(p.missing, "manifest.json names "+usererr.Quote(rel))
			return false
		}
	}
	return true
}

// bundleEnv lists the manifest's variables that the user did not set.
func (p *Project) bundleEnv(given []string) []string {
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
