package fakeprograms

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Docker prints lists by a template that the caller gives: "{{.ID}} {{.Names}}".
// The script replaces the fields and nothing else. The template is data: it is
// compared with names of fields and printed.

// longestTemplate bounds how much a script works on what it is given.
const longestTemplate = 2000

var fieldName = lazyregexp.New(`^[A-Z][A-Za-z]*$`)

func (p *program) usesTemplates() bool {
	return slices.ContainsFunc(p.Formats, func(f format) bool { return f.List == "template" || f.Item == "template" })
}

// templates writes the functions that fill a template.
func (w *writer) templates() {
	fields := map[string]bool{}
	for i := range w.program.Kinds {
		for j := range w.program.Kinds[i].Items {
			for name := range w.program.Kinds[i].Items[j].flat() {
				if fieldName.MatchString(name) {
					fields[name] = true
				}
			}
		}
	}
	names := slices.Sorted(maps.Keys(fields))
	var start []string
	for _, name := range names {
		start = append(start, "f_"+name+"=''")
	}
	w.line(strings.Join(start, " "))
	w.line("field() {\n  case $1 in")
	for _, name := range names {
		w.linef("  *.%[1]s | *.%[1]s' ') value=$f_%[1]s ;;", name)
	}
	w.line("  *) value='<no value>' ;;\n  esac\n}")
	w.linef(`by_template() {
  [ "${#1}" -gt %d ] && return
  rest=${1#table } line=''
  while :; do
    case $rest in
    *'{{'*'}}'*)
      line=$line${rest%%%%'{{'*}
      rest=${rest#*'{{'}
      field "${rest%%%%'}}'*}"
      rest=${rest#*'}}'}
      line=$line$value
      ;;
    *) break ;;
    esac
  done
  printf '%%b\n' "$line$rest"
}`, longestTemplate)
}

// templateCalls fills the caller's template for each item.
func templateCalls(items []item) string {
	var b strings.Builder
	for i := range items {
		flat := items[i].flat()
		for _, name := range slices.Sorted(maps.Keys(flat)) {
			if fieldName.MatchString(name) {
				fmt.Fprintf(&b, "f_%s=%s ", name, quote(fmt.Sprint(flat[name])))
			}
		}
		b.WriteString("\nby_template \"$o_format\"\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
