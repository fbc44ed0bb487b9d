package attack

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// First program index of each use.
const (
	commandPrograms  = 0
	oddProgram       = 47
	argumentPrograms = 48
	codePrograms     = 80
	templatePrograms = 112
	serialPrograms   = 136
)

// anyQuoting runs the program unquoted, in double quotes and in single quotes,
// and leaves every quote closed. It has no space, separator or double quote, so
// that splitting and JSON strings do not break it.
const anyQuoting = "¤$(§)'$(§)'"

func commandInjection() Class {
	return Class{
		ID:    "command-injection",
		Title: "A value becomes part of a command that a shell runs",
		Yield: kinds{
			"host": 95, "argument": 95, "path": 90, "dir": 90, "glob": 90, "url": 85, "command": 80, "query": 80,
			"regexp": 75, "name": 75, "unknown": 65, "id": 60, "text": 55, "date": 50, "template": 40, "code": 40,
			"email": 40, "data": 25, "json": 25, "markup": 20, "sql": 20, "xml": 15, "number": 60,
		}.of,
		Payloads: commandPayloads,
		Balanced: 6,
	}
}

// shellForms break out of a shell command. The first ones work in any quoting,
// each with other characters, because authors filter only some. A trailing
// comment hides any quote left open.
func shellForms() [][2]string {
	return [][2]string{
		{anyQuoting, "substitution in any quoting"},
		{"¤;§ #\";§ #';§ #", "second command in any quoting"},
		{"¤\n§\n\"\n§\n'\n§\n", "second line in any quoting"},
		{"¤`§`'`§`'", "backquotes in any quoting"},
		{"¤|§ #\"|§ #'|§ #", "pipe in any quoting"},
		{"¤&§ #\"&§ #'&§ #", "background in any quoting, and what Windows separates commands with"},
		{"¤;§", "second command"},
		{"¤\";§;\"", "second command after a double quote"},
		{"¤';§;'", "second command after a single quote"},
		{"¤|§", "pipe"},
		{"$(§)", "substitution alone"},
		{"¤||§", "if the command fails"},
		{"¤&&§", "if the command succeeds"},
		{"¤\n§\n", "second line"},
		{"¤&§", "background"},
		{"¤\\';§ #", "single quote escaped for the wrong language"},
		{"¤\\\";§ #", "double quote escaped for the wrong language"},
		{"¤\"&§&\"", "double quote as Windows closes it"},
		{"¤\r\n§\r\n", "second line as Windows ends it"},
		{"¤$(§)", "substitution behind the value"},
		{"--x=$(§)", "substitution in the value of an option"},
		{"¤);§;(:", "second command after a subshell"},
		{"¤;${IFS}§", "second command with a separator in place of the space"},
		{"¤;{§,}", "second command by brace expansion"},
		{"¤ $(§) ", "substitution as a word of its own"},
		{"¤<(§)", "process substitution"},
		{"¤${x:-`§`}", "default of a variable"},
		{";§;", "second command alone"},
		{"|§", "pipe alone"},
		{"¤%0a§", "second line, encoded"},
		{"¤%3B§", "second command, encoded"},
		{"¤\uff1b§", "separator that normalises to a semicolon"},
	}
}

func commandPayloads(w *World, p Place) []Payload {
	ordinary := p.text()
	var all []Payload
	add := func(value any, program, why string) {
		all = append(all, Payload{Value: value, Sign: mcpsf.SignExec, Marker: program, Why: why})
	}
	for i, f := range shellForms() {
		program := w.Program(commandPrograms + i)
		add(fill(f[0], ordinary, program), program, f[1])
		if i == 0 && (p.Kind == "path" || p.Kind == "dir") {
			add(w.oddPath(p), w.Program(oddProgram), "substitution in the name of a file that exists")
		}
	}
	// On a list, "includes" finds no part of a word, and the list becomes text
	// when it is put into a command.
	program := w.Program(commandPrograms + len(shellForms()))
	add([]any{fill(anyQuoting, ordinary, program)}, program, "substitution in a list")
	return all
}

// oddPath is the path of an existing file or directory whose name is a payload.
func (w *World) oddPath(p Place) string {
	root := w.root(p)
	at := w.odd(root)
	if p.Kind == "path" {
		at = path.Join(at, "notes"+p.ending())
	}
	if !strings.HasPrefix(p.text(), "/") {
		at = strings.TrimPrefix(at, root+"/")
	}
	return at
}
