package entry

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	needsRuntime = lazyregexp.New(`(?i)(?:requires?|needs?|use|upgrade to|minimum(?: supported)?|at least|install)\s(?:.{0,20}?\s)?(?:node(?:\.?js)?|python)\b(?:\s+version)?:?\s*(?:at least\s*)?([<>=^~]{0,2})\s*v?(\d+(?:\.\d+){0,2})`)
	runtimeNeeds = lazyregexp.New(`(?i)(?:node(?:\.?js)?|python)(?:\s+version)?\s*([<>=^~]{0,2})\s*v?(\d+(?:\.\d+){0,2})(?:\.x)?\s*(?:\+|(?:or|and) (?:higher|later|newer|above|greater|up)|(?:is )?required|is the minimum)`)
)

// sign is an error of modern JavaScript on an older Node.js, and the version
// that has the missing feature.
type sign struct{ text, needs string }

func signs() []sign {
	return []sign{
		{"No such built-in module: node:sqlite", ">=22.5"},
		{"Promise.withResolvers is not a function", ">=22"},
		{"ERR_REQUIRE_ESM", ">=22.12"},
		{"does not provide an export named 'styleText'", ">=20.12"},
		{"does not provide an export named 'parseEnv'", ">=20.12"},
		{"does not provide an export named 'parseArgs'", ">=18.3"},
		{"does not provide an export named 'constants'", ">=20"},
		{"ReferenceError: File is not defined", ">=20"},
		{"ReferenceError: crypto is not defined", ">=20"},
		{"ReferenceError: CustomEvent is not defined", ">=19"},
		{"ReferenceError: WebSocket is not defined", ">=22"},
		{"ReferenceError: navigator is not defined", ">=21"},
		{"SyntaxError: Unexpected token 'with'", ">=20.10"},
		{"import.meta.dirname", ">=20.11"},
		{"SyntaxError: Invalid regular expression flags", ">=20"},
		{"Iterator is not defined", ">=22"},
		{"markAsUncloneable is not a function", ">=22.10"},
	}
}

// wrongVersion finds which version of Node.js or Python the server wants.
func wrongVersion(d *diagnosis) {
	for _, re := range []*lazyregexp.Regexp{needsRuntime, runtimeNeeds} {
		if d.match(re, func(m []string) (Fix, bool) {
			operator := m[1]
			if operator == "" || operator == "=" || operator == "==" {
				operator = ">="
			}
			return Fix{Needs: operator + m[2]}, true
		}) {
			return
		}
	}
	for _, line := range d.lines {
		for _, sign := range signs() {
			if strings.Contains(line, sign.text) {
				d.add(Fix{Needs: sign.needs}, line)
				return
			}
		}
	}
}

var (
	nodeModule   = lazyregexp.New(`Cannot find (?:module|package) ["'](@?[A-Za-z0-9][\w.-]*(?:/[\w.-]+)?)[\w./-]*["']`)
	pythonModule = lazyregexp.New(`No module named ["']?([A-Za-z_][\w.]{0,100})`)
	library      = lazyregexp.New(`(?:error while loading shared libraries: |Error loading shared library |cannot open shared object file.*?)(lib[\w.+-]{1,80}\.so[\w.]{0,20})|(lib[\w.+-]{1,80}\.so[\w.]{0,20}): cannot open shared object file`)
)

// olderSDK matches errors of servers that were written for the first releases
// of the Python SDK and did not declare it.
var olderSDK = lazyregexp.New(`'(?:Server|FastMCP)' object has no attribute|cannot import name '\w+' from 'mcp\b|No module named '?mcp\.server|(?:Server|FastMCP)\S* got an unexpected keyword argument`)

func missingModule(d *diagnosis) {
	if d.match(olderSDK, func([]string) (Fix, bool) { return Fix{Missing: "mcp<2"}, true }) {
		return
	}
	module := func(m []string) (Fix, bool) {
		name := strings.Join(m[1:], "")
		return Fix{Missing: strings.TrimRight(name, ".")}, true
	}
	d.match(nodeModule, func(m []string) (Fix, bool) {
		name := m[1]
		if !strings.HasPrefix(name, "@") {
			name, _, _ = strings.Cut(name, "/")
		}
		return Fix{Missing: name}, true
	})
	d.match(pythonModule, module)
	d.match(library, module)
}

var (
	noProgram = []*lazyregexp.Regexp{ //nolint:gochecknoglobals // compiled once
		lazyregexp.New(`\bspawn(?:Sync)? ([\w.+-]{1,64}) ENOENT`),
		lazyregexp.New(`(?i)command not found: ([\w.+-]{1,64})`),
		lazyregexp.New(`(?:^|[\s:])([\w.+-]{1,64}): (?:command )?not found\s*$`),
		lazyregexp.New(`FileNotFoundError: \[Errno 2\] No such file or directory: '([\w.+-]{1,64})'`),
		lazyregexp.New(`exec: "([\w.+-]{1,64})": executable file not found`),
		lazyregexp.New(`(?i)(?:^|[\s'"\x60])([A-Za-z][\w.+-]{1,40})["'\x60]? (?:(?:CLI|command|binary|executable) )?(?:is not installed|(?:was |is )?not (?:found|available) (?:in|on) (?:your |the |system )*PATH)`),
		lazyregexp.New(`Bad (git) executable`),
	}
	noBrowser = lazyregexp.New(`(?i)executable doesn't exist at|could not find (?:chrom|browser|firefox)|browser (?:was |is )?not (?:found|installed)|chrom(?:e|ium)\b.{0,40}\bnot (?:found|installed)|no usable browser|playwright install`)
)

func missingProgram(d *diagnosis) {
	if d.match(noBrowser, func([]string) (Fix, bool) { return Fix{Program: "chromium"}, true }) {
		return
	}
	for _, re := range noProgram {
		if d.match(re, func(m []string) (Fix, bool) {
			name := strings.ToLower(m[1])
			switch name {
			case "it", "package", "module", "which", "this", "command", "file", "error", "that", "and", "or":
				return Fix{}, false
			}
			return Fix{Program: name}, !strings.Contains(name, "..")
		}) {
			return
		}
	}
}
