package project

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// pythonProgram is Python by its name, or in a virtual environment, of which there is
// none but the installed one.
var pythonProgram = lazyregexp.New(`^(?:(?:.*/)?\.?venv/bin/)?python(?:3(?:\.\d+)?)?$`)

// given makes a command of the user's use what was installed, instead of what the
// system has or a launcher would fetch.
func (at installation) given(command []string, node *packageJSON) []string {
	pip := at.manager == mcpsf.ManagerPip
	pkg, inner, launched := entry.Inner(command)
	launched = launched && (inner[0] != "" || !pip) // npx starts nothing that pip installed
	if launched {
		command = inner
	}
	command = slices.Clone(command)
	program := command[0]
	switch {
	case pip && pythonProgram.MatchString(program):
		command[0] = path.Join(mcpsf.WorkDir, environment, "bin", "python")
	case !launched || pkg == "":
	case pip:
		command[0] = path.Join(mcpsf.WorkDir, environment, "bin", program)
	default:
		return append(at.ownProgram(node, pkg, program), command[1:]...)
	}
	return command
}

// ownProgram is a program of an npm package: of this one, or of one that it needs.
func (at installation) ownProgram(node *packageJSON, pkg, program string) []string {
	own := pkg == node.name || pkg == at.name
	if program == "" {
		program = Unscoped(pkg)
		if bins := slices.Collect(maps.Keys(node.bin)); own && node.bin[program] == "" && len(bins) == 1 {
			program = bins[0]
		}
	}
	if file := node.bin[program]; file != "" && (own || at.prefix == "") && !strings.HasPrefix(file, "/") {
		return []string{"node", path.Join(mcpsf.WorkDir, at.prefix, file)}
	}
	return []string{path.Join(mcpsf.WorkDir, "node_modules/.bin", program)}
}
