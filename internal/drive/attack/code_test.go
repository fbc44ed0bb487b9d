package attack

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// pythonServer and scriptServer are vulnerable tools: each case is a kind of
// bug and the value. They print which programs were run.
const pythonServer = `
import ast, base64, json, os, pickle, string, sys
class Report:
    def __init__(self): self.title = "x"
def lazily(module, do):
    try: m = __import__(module)
    except ImportError: return "no " + module
    return do(m)
modes = {
    "eval": lambda x: eval(x),
    "eval without built-ins": lambda x: eval(x, {"__builtins__": {}}, {}),
    "eval in brackets": lambda x: eval("repr(" + x + ")"),
    "exec": lambda x: exec(x),
    "exec of an assignment": lambda x: exec("result = " + x),
    "eval in single quotes": lambda x: eval("'" + x + "'.upper()"),
    "eval in double quotes": lambda x: eval('"' + x + '".upper()'),
    "formatted string": lambda x: eval('f"""' + x + '"""'),
    "format": lambda x: x.format(Report()),
    "format by name": lambda x: x.format(name="x", report=Report()),
    "jinja": lambda x: lazily("jinja2", lambda m: m.Template(x).render()),
    "pickle": lambda x: pickle.loads(base64.b64decode(x)),
    "pickle in hexadecimal": lambda x: pickle.loads(bytes.fromhex(x)),
    "yaml": lambda x: lazily("yaml", lambda m: m.load(x, Loader=m.UnsafeLoader)),
    "safe: literal": lambda x: ast.literal_eval(x),
    "safe: template": lambda x: string.Template(x).safe_substitute(name="x"),
    "safe: json": lambda x: json.loads(x),
    "safe: echo": lambda x: x,
    "safe: yaml": lambda x: lazily("yaml", lambda m: m.safe_load(x)),
    "safe: jinja": lambda x: lazily("jinja2", lambda m: m.Template("{{x}}").render(x=x)),
    "safe: format": lambda x: "{}".format(x),
}
def ran():
    names = os.listdir(sys.argv[1])
    for n in names: os.remove(os.path.join(sys.argv[1], n))
    return " ran " + " ".join(names)
def answer(mode, value):
    try: return str(modes[mode](value)) + " for " + value + ran()
    except BaseException as e: return "Error: " + str(e) + " for " + repr(value) + ran()
print("\n" + json.dumps([answer(*c) for c in json.load(sys.stdin)]))
`

const scriptServer = `
import vm from 'node:vm';
import fs from 'node:fs';
const modes = {
  'eval': x => eval(x),
  'eval of JSON': x => eval('(' + x + ')'),
  'function': x => new Function('return ' + x)(),
  'function with data': x => new Function('d', 'with (d) { return (' + x + ') }')({a: 1}),
  'vm': x => vm.runInNewContext(x, {a: 1}),
  'vm without context': x => vm.runInNewContext(x),
  'eval in single quotes': x => eval("'" + x + "'"),
  'eval in double quotes': x => eval('"' + x + '"'),
  'eval in backquotes': x => eval('` + "`' + x + '`" + `'),
  'template': x => x.replace(/<%=(.+?)%>/g, (_, e) => new Function('return ' + e)()),
  'braces': x => x.replace(/\{\{(.+?)\}\}/g, (_, e) => new Function('return (' + e + ')')()),
  'safe: JSON': x => JSON.stringify(JSON.parse(x)),
  'safe: echo': x => x,
  'safe: number': x => String(Number(x)),
  'safe: braces': x => x.replace(/\{\{(\w+)\}\}/g, (_, n) => ({name: 'x'})[n]),
};
const dir = process.argv.at(-1);
const ran = () => {
  const names = fs.readdirSync(dir);
  for (const n of names) fs.rmSync(dir + '/' + n);
  return ' ran ' + names.join(' ');
};
const answers = JSON.parse(fs.readFileSync(0, 'utf8')).map(([mode, value]) => {
  try { return String(modes[mode](value)) + ' for ' + value + ran() } catch (e) { return 'Error: ' + e.message + ' for ' + value + ran() }
});
console.log('\n' + JSON.stringify(answers));
`

// trial is a set of payloads for one kind of bug.
type trial struct {
	language, mode string
	payloads       []Payload
}

// try returns for each trial the index of the first payload that works: -1 for
// none, -2 if the library is not installed. One process runs all trials of its
// language.
func (m *machine) try(trials []trial) []int {
	m.t.Helper()
	found := make([]int, len(trials))
	for language, command := range map[string][]string{
		"python":     {"python3", "-c", pythonServer, m.ran},
		"javascript": {"node", "--input-type=module", "-e", scriptServer, m.ran},
	} {
		var cases [][]any
		for _, c := range trials {
			for _, y := range c.payloads {
				if c.language == language {
					cases = append(cases, []any{c.mode, y.Value})
				}
			}
		}
		answers := m.answers(cases, command[0], command[1:]...)
		for i, c := range trials {
			if c.language == language {
				found[i] = first(c.payloads, answers[:len(c.payloads)])
				answers = answers[len(c.payloads):]
			}
		}
	}
	return found
}

func first(payloads []Payload, answers []string) int {
	for i, y := range payloads {
		before, ran, _ := cutLast(answers[i], " ran ")
		switch {
		case strings.HasPrefix(before, "no "):
			return -2
		case y.Sign == mcpsf.SignExec && strings.Contains(ran, y.Marker), y.Sign == mcpsf.SignAnswer && strings.Contains(before, y.Marker):
			return i
		}
	}
	return -1
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// signed drops payloads whose sign is neither a program nor an answer.
func signed(all []Payload) []Payload {
	return slices.DeleteFunc(all, func(y Payload) bool {
		_, text := y.Value.(string)
		return !text || y.Sign != mcpsf.SignExec && y.Sign != mcpsf.SignAnswer
	})
}

func TestCodePayloadsAreRun(t *testing.T) {
	m := newMachine(t)
	cases := []struct {
		class          Class
		kind, language string
		mode           string
		description    string
		// extra is how many payloads beyond the balanced profile are needed.
		extra int
	}{
		{class: codeEvaluation(), kind: "code", language: "python", mode: "eval"},
		{class: codeEvaluation(), kind: "code", language: "python", mode: "eval without built-ins"},
		{class: codeEvaluation(), kind: "code", language: "python", mode: "eval in brackets"},
		{class: codeEvaluation(), kind: "code", language: "python", mode: "exec"},
		{class: codeEvaluation(), kind: "code", language: "python", mode: "exec of an assignment"},
		{class: codeEvaluation(), kind: "text", language: "python", mode: "eval in single quotes"},
		{class: codeEvaluation(), kind: "text", language: "python", mode: "eval in double quotes"},
		{class: codeEvaluation(), kind: "text", language: "python", mode: "formatted string"},
		{class: codeEvaluation(), kind: "code", language: "javascript", mode: "eval"},
		{class: codeEvaluation(), kind: "code", language: "javascript", mode: "eval of JSON"},
		{class: codeEvaluation(), kind: "code", language: "javascript", mode: "function"},
		{class: codeEvaluation(), kind: "code", language: "javascript", mode: "function with data"},
		{class: codeEvaluation(), kind: "code", language: "javascript", mode: "vm"},
		{class: codeEvaluation(), kind: "code", language: "javascript", mode: "vm without context"},
		{class: codeEvaluation(), kind: "text", language: "javascript", mode: "eval in single quotes"},
		{class: codeEvaluation(), kind: "text", language: "javascript", mode: "eval in double quotes"},
		{class: codeEvaluation(), kind: "text", language: "javascript", mode: "eval in backquotes"},
		{class: templateInjection(), kind: "template", language: "python", mode: "jinja"},
		{class: templateInjection(), kind: "template", language: "python", mode: "formatted string"},
		{class: templateInjection(), kind: "text", language: "python", mode: "format"},
		{class: templateInjection(), kind: "template", language: "python", mode: "format by name"},
		{class: templateInjection(), kind: "text", language: "python", mode: "format by name", description: "A line with {report} in it"},
		{class: templateInjection(), kind: "template", language: "javascript", mode: "eval in backquotes"},
		{class: templateInjection(), kind: "template", language: "javascript", mode: "template"},
		{class: templateInjection(), kind: "template", language: "javascript", mode: "braces"},
		{class: deserialisation(), kind: "data", language: "python", mode: "pickle"},
		{class: deserialisation(), kind: "data", language: "python", mode: "yaml"},
		{class: deserialisation(), kind: "json", language: "javascript", mode: "eval of JSON"},
		{class: deserialisation(), kind: "json", language: "python", mode: "eval", extra: 1},
		{class: deserialisation(), kind: "data", language: "python", mode: "pickle in hexadecimal", extra: 3},
	}
	var trials []trial
	for _, c := range cases {
		p := Place{Kind: c.kind, Type: "string", Description: c.description, Value: json.RawMessage(ordinary()[c.kind])}
		trials = append(trials, trial{c.language, c.mode, signed(c.class.Payloads(m.w, p))})
	}
	for i, found := range m.try(trials) {
		c := cases[i]
		if found == -2 {
			t.Logf("%s of %s is not here", c.mode, c.language)
		} else if found < 0 || found >= c.class.Balanced+c.extra {
			t.Errorf("%s: %s of %s: payload %d of a class that sends %d is the first to be run", c.class.ID, c.mode, c.language, found, c.class.Balanced)
		}
	}
}

// A server that only reads, stores or repeats a value runs no program.
func TestCodePayloadsSpareTheSafe(t *testing.T) {
	m := newMachine(t)
	var trials []trial
	for _, class := range []Class{codeEvaluation(), templateInjection(), deserialisation()} {
		payloads := signed(class.Payloads(m.w, Place{Kind: "template", Type: "string", Value: json.RawMessage(`"Hello {name}"`)}))
		for _, mode := range []string{"safe: literal", "safe: template", "safe: json", "safe: echo", "safe: yaml", "safe: jinja", "safe: format"} {
			trials = append(trials, trial{"python", mode, payloads})
		}
		for _, mode := range []string{"safe: JSON", "safe: echo", "safe: number", "safe: braces"} {
			trials = append(trials, trial{"javascript", mode, payloads})
		}
	}
	for i, found := range m.try(trials) {
		if found >= 0 {
			c := trials[i]
			t.Errorf("%s of %s: %s: %q is run", c.mode, c.language, c.payloads[found].Why, c.payloads[found].Value)
		}
	}
}
