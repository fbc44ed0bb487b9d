package fakeprograms

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxWords is how many arguments that are no options a script tells apart.
// no gap: no command of the tables has more
const maxWords = 9

// script returns the shell script of a program.
func script(p *program) (string, error) {
	answers, err := p.expand()
	if err != nil {
		return "", err
	}
	w := &writer{program: p}
	w.line("#!/bin/sh")
	w.line("set -f")
	w.variables()
	if p.usesTemplates() {
		w.templates()
	}
	if slices.ContainsFunc(p.Answers, func(a answer) bool { return a.Write != "" && a.As == "" }) {
		if err := w.samples(); err != nil {
			return "", err
		}
	}
	w.arguments()
	if p.Shell != "" {
		w.line(strings.TrimSuffix(p.Shell, "\n"))
	}
	for i := range answers {
		if err := w.answer(&answers[i]); err != nil {
			return "", err
		}
	}
	w.close(0)
	if err := w.answer(&p.Unknown); err != nil {
		return "", err
	}
	return w.b.String(), nil
}

// writer writes one script.
type writer struct {
	program *program
	b       strings.Builder
	// open are the conditions that what is written next stands in. Answers that
	// begin alike share them.
	open []condition
}

func (w *writer) line(text string) { w.b.WriteString(text + "\n") }

func (w *writer) linef(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// variables starts all variables empty: the server sets the environment.
func (w *writer) variables() {
	names := []string{"count=0", "last=''"}
	for i := range maxWords {
		names = append(names, fmt.Sprintf("w%d=''", i+1))
	}
	o := &w.program.Options
	for _, name := range slices.Sorted(maps.Keys(o.Keep)) {
		names = append(names, "o_"+name+"=''")
	}
	for _, name := range slices.Sorted(maps.Keys(o.Flags)) {
		names = append(names, "o_"+name+"=''")
	}
	w.line(strings.Join(names, " "))
}

// arguments reads the arguments. They are only ever stored and compared.
func (w *writer) arguments() {
	o := &w.program.Options
	w.line("word() {\n  count=$((count + 1)) last=$1\n  case $count in")
	for i := range maxWords {
		w.linef("  %[1]d) w%[1]d=$1 ;;", i+1)
	}
	w.line("  esac\n}")
	if o.Open != "" {
		w.line("opened() {\n  { true; } 2>/dev/null <\"$1\" && return")
		w.linef("  printf '%%s\\n' %s >&2\n  exit %d\n}", w.fill(strings.ReplaceAll(o.Missing, "{value}", "{w1}"), map[string]string{"w1": "1"}), max(1, o.Code))
	}
	w.line("while [ $# -gt 0 ]; do")
	w.bare()
	w.line("  case $1 in\n  --)\n    shift\n    while [ $# -gt 0 ]; do\n      word \"$1\"\n      shift\n    done\n    break\n    ;;")
	for _, name := range slices.Sorted(maps.Keys(o.Flags)) {
		w.linef("  %s) o_%s=1 ;;", strings.Join(quoteAll(strings.Fields(o.Flags[name])), "|"), name)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Keep)) {
		w.valued(o.Keep[name], "o_"+name+"=%s")
	}
	w.valued(o.Open, "opened %s")
	w.valued(o.Value, "")
	if o.Eager {
		w.linef("  %s) ;;", strings.Join(append(quoteAll(strings.Fields(o.Plain)), "--*=*"), "|"))
		w.line("  --*)\n    case \"${2--}\" in -*) ;; *) shift ;; esac\n    ;;")
	}
	w.line("  -?*) ;;")
	if o.Slash {
		w.line("  [!/.]*/*)\n    word \"${1%%/*}\"\n    word \"${1#*/}\"\n    ;;")
	}
	w.line("  *) word \"$1\" ;;\n  esac\n  shift\ndone")
}

// bare skips options that have no value with the command that was read so far.
func (w *writer) bare() {
	var patterns []string
	for _, entry := range w.program.Options.Bare {
		words := strings.Fields(entry)
		option := words[len(words)-1]
		if len(words) == 2 {
			patterns = append(patterns, quote(words[0]+" ")+"*"+quote(":"+option))
		} else {
			patterns = append(patterns, quote(words[0]+" "+words[1]+":"+option))
		}
	}
	if len(patterns) > 0 {
		w.linef("  case \"$w1 $w2:$1\" in %s)\n    shift\n    continue\n    ;;\n  esac", strings.Join(patterns, "|"))
	}
}

// valued reads options with a value and does something with it.
func (w *writer) valued(options, do string) {
	if options == "" {
		return
	}
	at := func(value string) string {
		if do == "" {
			return ""
		}
		return "    " + fmt.Sprintf(do, value) + "\n"
	}
	var next, equal, attached []string
	for o := range strings.FieldsSeq(options) {
		next = append(next, quote(o))
		switch {
		case len(o) > 2:
			equal = append(equal, quote(o+"=")+"*")
		case !w.program.Options.Detached:
			attached = append(attached, quote(o)+"?*")
		}
	}
	w.linef("  %s)\n    [ $# -gt 1 ] && shift\n%s    ;;", strings.Join(next, "|"), at(`"$1"`))
	if len(equal) > 0 && do != "" {
		w.linef("  %s)\n%s    ;;", strings.Join(equal, "|"), at(`"${1#*=}"`))
	}
	if len(attached) > 0 && do != "" {
		w.linef("  %s)\n%s    ;;", strings.Join(attached, "|"), at(`"${1#-?}"`))
	}
}

// placeholder matches what stands for an argument in a text.
var placeholder = lazyregexp.New(`\{(w[1-9]|last|count|[a-z]+)\}`)

// fill returns a text as a shell word, with the variables that it names.
func (w *writer) fill(text string, variables map[string]string) string {
	var b strings.Builder
	for {
		at := placeholder.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		name := w.variable(text[at[2]:at[3]])
		if other := variables[text[at[2]:at[3]]]; other != "" {
			name = other
		}
		if name == "" {
			b.WriteString(quote(text[:at[1]]))
		} else {
			if at[0] > 0 {
				b.WriteString(quote(text[:at[0]]))
			}
			b.WriteString(`"$` + name + `"`)
		}
		text = text[at[1]:]
	}
	if text != "" || b.Len() == 0 {
		b.WriteString(quote(text))
	}
	return b.String()
}

// variable returns the shell's name of a variable of the tables, "" if there is
// none.
func (w *writer) variable(name string) string {
	o := &w.program.Options
	switch {
	case name == "last" || name == "count" || len(name) == 2 && name[0] == 'w' && name[1] <= '9':
		return name
	case o.Keep[name] != "" || o.Flags[name] != "":
		return "o_" + name
	}
	return ""
}

// quote returns a text in single quotes.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s)
	}
	return out
}
