package source

import (
	"bytes"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// fileWays starts a target that is one file.
func (p *project) fileWays() []way {
	e := p.tree.byPath[p.file]
	if e == nil {
		return nil
	}
	if isTypeScript(p.file) {
		return []way{typeScript(p.file)}
	}
	command := p.commandFor(e)
	if command == nil {
		return nil
	}
	return []way{{command: command, why: "the file named", tier: tierNamed, runtime: p.runtimeOf(command)}}
}

// nativeWays finds programs in the root of the tree.
func nativeWays(p *project) []way {
	const most = 256
	var ways []way
	looked := 0
	for _, e := range p.tree.entries {
		if strings.Contains(e.path, "/") || !e.executable() || scriptRuntime(e.path) != "" {
			continue
		}
		if looked++; looked > most {
			break
		}
		if command := p.commandFor(e); command != nil {
			ways = append(ways, way{command: command, why: "an executable program", tier: tierProgram, runtime: p.runtimeOf(command)})
		}
	}
	return ways
}

// commandFor says how a file is started, nil if it is not a program.
func (p *project) commandFor(e *entry) []string {
	runtime := scriptRuntime(e.path)
	if runtime == "" {
		head := p.head(e, 256)
		switch {
		case bytes.HasPrefix(head, []byte("\x7fELF")):
			runtime = mcpsf.RuntimeNative
		case bytes.HasPrefix(head, []byte("#!")):
			runtime = runtimeNamed(interpreter(head))
		}
	}
	switch {
	case runtime == mcpsf.RuntimeNode:
		return []string{"node", e.path}
	case runtime == mcpsf.RuntimePython:
		return []string{"python3", e.path}
	case runtime == mcpsf.RuntimeNative && e.executable():
		return []string{"./" + e.path}
	}
	return nil
}

// runtimeOf says what interprets a command.
func (p *project) runtimeOf(command []string) mcpsf.Runtime {
	program := command[0]
	if rel, ok := strings.CutPrefix(program, mcpsf.WorkDir+"/"); ok {
		program = "./" + rel
	}
	if strings.Contains(program, "/") && !path.IsAbs(program) {
		if e := p.tree.file(program); e != nil {
			return runtimeNamed(interpreter(p.head(e, 256)))
		}
	}
	return runtimeNamed(path.Base(program))
}

// scriptRuntime goes by the file's name.
func scriptRuntime(name string) mcpsf.Runtime {
	switch path.Ext(name) {
	case ".py":
		return mcpsf.RuntimePython
	case ".js", ".mjs", ".cjs":
		return mcpsf.RuntimeNode
	}
	return ""
}

// runtimeNamed goes by the interpreter's name, with or without a version.
func runtimeNamed(program string) mcpsf.Runtime {
	switch strings.TrimRight(program, "0123456789.") {
	case "node", "nodejs", "npm", "npx":
		return mcpsf.RuntimeNode
	case "python", "uv", "uvx":
		return mcpsf.RuntimePython
	}
	return mcpsf.RuntimeNative
}

// interpreter returns the name of the program in a #! line, "" if there is
// none. "env" and its options are looked through.
func interpreter(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	line, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return ""
	}
	for i, word := range strings.Fields(string(line)) {
		name := path.Base(word)
		if i > 0 && (strings.HasPrefix(word, "-") || strings.Contains(word, "=")) || name == "env" {
			continue
		}
		return name
	}
	return ""
}
