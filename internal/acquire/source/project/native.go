package project

import (
	"bytes"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

// fileWays starts a target that is a single file.
func (p *Project) fileWays() []way {
	e := p.Tree.ByPath[p.File]
	if e == nil {
		return nil
	}
	if isTypeScript(p.File) {
		return []way{typeScript(p.File)}
	}
	command := p.commandFor(e)
	if command == nil {
		return nil
	}
	return []way{{command: command, why: "the file named", tier: tierNamed, runtime: p.runtimeOf(command)}}
}

// nativeWays finds programs in the root of the tree.
func nativeWays(p *Project) []way {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 256
	var ways []way
	looked := 0
	for _, e := range p.Tree.Entries {
		if strings.Contains(e.Path, "/") || !e.Executable() || ScriptRuntime(e.Path) != "" {
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

// commandFor is the command for a file, nil if it is not a program.
func (p *Project) commandFor(e *staging.Entry) []string {
	runtime := ScriptRuntime(e.Path)
	if runtime == "" {
		head := p.Head(e, 256)
		switch {
		case bytes.HasPrefix(head, []byte("\x7fELF")):
			runtime = mcpsf.RuntimeNative
		case bytes.HasPrefix(head, []byte("#!")):
			runtime = RuntimeNamed(Interpreter(head))
		}
	}
	switch {
	case runtime == mcpsf.RuntimeNode:
		return []string{"node", e.Path}
	case runtime == mcpsf.RuntimePython:
		return []string{"python3", e.Path}
	case runtime == mcpsf.RuntimeNative && e.Executable():
		return []string{"./" + e.Path}
	}
	return nil
}

// runtimeOf is the interpreter of a command.
func (p *Project) runtimeOf(command []string) mcpsf.Runtime {
	program := command[0]
	if rel, ok := strings.CutPrefix(program, mcpsf.WorkDir+"/"); ok {
		program = "./" + rel
	}
	if strings.Contains(program, "/") && !path.IsAbs(program) {
		if e := p.Tree.File(program); e != nil {
			return RuntimeNamed(Interpreter(p.Head(e, 256)))
		}
	}
	return RuntimeNamed(path.Base(program))
}

// ScriptRuntime decides by the file's name.
func ScriptRuntime(name string) mcpsf.Runtime {
	switch path.Ext(name) {
	case ".py":
		return mcpsf.RuntimePython
	case ".js", ".mjs", ".cjs":
		return mcpsf.RuntimeNode
	}
	return ""
}

// RuntimeNamed decides by the interpreter's name, with or without a version.
func RuntimeNamed(program string) mcpsf.Runtime {
	switch strings.TrimRight(program, "0123456789.") {
	case "node", "nodejs", "npm", "npx":
		return mcpsf.RuntimeNode
	case "python", "uv", "uvx":
		return mcpsf.RuntimePython
	}
	return mcpsf.RuntimeNative
}

// Interpreter returns the name of the program in a #! line, "" if there is
// none. "env" and its options are skipped.
func Interpreter(head []byte) string {
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
