package fakeprograms

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// condition is a variable with the pattern that its value has to match.
type condition struct{ variable, pattern string }

// answer writes the code that recognises a command and answers it.
func (w *writer) answer(a *answer) error {
	conditions, err := w.conditions(a)
	if err != nil {
		return err
	}
	shared := 0
	for shared < min(len(conditions), len(w.open)) && conditions[shared] == w.open[shared] {
		shared++
	}
	w.close(shared)
	for _, c := range conditions[shared:] {
		w.linef("case $%s in %s)", c.variable, c.pattern)
	}
	w.open = conditions
	if a.Named != "" {
		w.linef("case $%s in '' | *[!a-zA-Z0-9._:/@-]*) ;; *)", w.variable(a.Named))
	}
	if err := w.act(a); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(a.Words, " "), err)
	}
	w.linef("exit %d", a.Code)
	if a.Named != "" {
		w.line(";; esac")
	}
	return nil
}

// close ends the conditions that the next answer does not share.
func (w *writer) close(shared int) {
	for range w.open[shared:] {
		w.line(";; esac")
	}
	w.open = w.open[:shared]
}

// conditions lists what must hold for an answer.
func (w *writer) conditions(a *answer) ([]condition, error) {
	var list []condition
	more := false
	for i, word := range a.Words {
		if word == "..." {
			more = true
			break
		}
		if i >= maxWords {
			return nil, fmt.Errorf("more than %d words", maxWords)
		}
		if strings.Contains(word, "$") {
			return nil, fmt.Errorf("%s: of which kind?", word)
		}
		if word == "*" {
			word = "+"
		}
		list = append(list, condition{fmt.Sprintf("w%d", i+1), pattern(word)})
	}
	if n := len(a.Words); !more && n > 0 {
		list = append(list, condition{"count", quote(fmt.Sprint(n))})
	}
	for _, name := range slices.Sorted(maps.Keys(a.When)) {
		variable := w.variable(name)
		if variable == "" {
			return nil, fmt.Errorf("no option is kept as %q", name)
		}
		list = append(list, condition{variable, pattern(a.When[name])})
	}
	return list, nil
}

// pattern returns a pattern of the shell for alternatives in which only "*" has
// a meaning. "+" alone is anything but nothing.
func pattern(text string) string {
	if text == "+" {
		return "?*"
	}
	var all []string
	for alternative := range strings.SplitSeq(text, "|") {
		var parts []string
		for literal := range strings.SplitSeq(alternative, "*") {
			if literal != "" {
				literal = quote(literal)
			}
			parts = append(parts, literal)
		}
		p := strings.Join(parts, "*")
		if p == "" {
			p = "''"
		}
		all = append(all, p)
	}
	return strings.Join(all, "|")
}

// act writes what a command does: look for its input, write its output, print.
func (w *writer) act(a *answer) error {
	if a.Read != "" {
		name := w.variable(a.Read)
		if name == "" || a.Missing == "" {
			return fmt.Errorf("no option is kept as %q, or nothing to say if the file is missing", a.Read)
		}
		w.linef("{ true; } 2>/dev/null <\"$%s\" || {\n  printf '%%s\\n' %s >&2\n  exit %d\n}", name, w.fill(a.Missing, nil), max(1, w.program.Options.Code))
	}
	if a.Write != "" {
		if err := w.write(a); err != nil {
			return err
		}
	}
	if a.Err != "" {
		w.linef("printf '%%s\\n' %s >&2", w.fill(strings.TrimSuffix(a.Err, "\n"), nil))
	}
	switch {
	case a.shell != "":
		w.line(a.shell)
	case a.JSON != nil:
		text, err := jsonText(a.JSON)
		if err != nil {
			return err
		}
		w.linef("printf '%%s\\n' %s", w.fill(text, nil))
	case a.As != "" && a.Write == "":
		sample, err := sampleOf(a.As)
		if err != nil {
			return err
		}
		w.linef("printf %s", octal(sample))
	case a.Out != "":
		w.linef("printf '%%s\\n' %s", w.fill(strings.TrimSuffix(a.Out, "\n"), nil))
	}
	return nil
}

// write writes a small file of the right format to the path in a variable, as
// the real program would.
func (w *writer) write(a *answer) error {
	name := w.variable(a.Write)
	if name == "" {
		return fmt.Errorf("no option is kept as %q", a.Write)
	}
	w.line("{")
	if a.As != "" {
		sample, err := sampleOf(a.As)
		if err != nil {
			return err
		}
		w.linef("  printf %s", octal(sample))
	} else {
		w.linef("  sample \"$%s\"", name)
	}
	w.linef("} 2>/dev/null >\"$%[1]s\" || {\n  printf '%%s: No such file or directory\\n' \"$%[1]s\" >&2\n  exit %[2]d\n}", name, max(1, w.program.Options.Code))
	return nil
}

// samples writes the function that prints a small file of the format that the
// ending of a path says.
func (w *writer) samples() error {
	w.line("sample() {\n  case $1 in")
	for _, alike := range endings() {
		sample, err := sampleOf(alike[0])
		if err != nil {
			return err
		}
		w.linef("  *.%s) printf %s ;;", strings.Join(alike, " | *."), octal(sample))
	}
	w.line("  *) printf 'webshop\\n' ;;\n  esac\n}")
	return nil
}
