package promptscan

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// joined reads all the texts of a description one after the other: an order
// can be spread over several of them.
func (o *object) joined() {
	if o.of == ofResult || len(o.texts) < 2 {
		return
	}
	var b strings.Builder
	var starts []int
	var parts []*text
	for i := range o.texts {
		t := &o.texts[i]
		if t.role == roleName || len(t.value) > 4000 || b.Len() > 64<<10 {
			continue
		}
		starts, parts = append(starts, b.Len()), append(parts, t)
		b.WriteString(strings.TrimSpace(t.value))
		b.WriteByte(' ')
	}
	if len(parts) < 2 {
		return
	}
	whole := b.String()
	sub := object{of: o.of, name: o.name, others: o.others, lexicon: o.lexicon, words: o.words, forModels: o.forModels, seen: map[mcpsf.TextDetail]bool{}}
	p := passage{object: &sub, source: whole, sentences: o.lexicon.split(tokens(whole))}
	p.hushed = o.tells(mcpsf.TextSilence)
	for i := range p.sentences {
		s := &p.sentences[i]
		if !p.hushed && !s.has("address", "before") {
			continue
		}
		from := sort.SearchInts(starts, s.ts[0].start+1) - 1
		p.field = parts[max(0, from)].field
		p.silence(s)
		p.secret(i, s)
		p.context(s)
		p.override(s)
		p.redirect(s)
	}
	for _, d := range sub.found {
		if !o.tells(d.What) {
			o.tell(d.What, d.Field, d.Excerpt, d.Target)
		}
	}
}

func (o *object) tells(what mcpsf.TextKind) bool {
	return slices.ContainsFunc(o.found, func(d mcpsf.TextDetail) bool { return d.What == what })
}

// known are the tools that every agent has, or that the best-known servers
// give it.
func known() Names {
	return NamesOf("read_file", "write_file", "edit_file", "list_directory", "search_files", "bash", "shell", "run_command", "execute_command",
		"run_terminal_cmd", "web_search", "search", "fetch", "grep", "glob", "send_email", "send_message", "create_issue", "query", "browser_navigate",
		"create_entities", "search_nodes", "get_weather", "brave_web_search", "codebase_search", "str_replace_editor", "computer", "task", "todo_write")
}

// shadow: the name of a tool that others are known by, with a text that wants
// it to be taken instead.
func (o *object) shadow() {
	if o.of != "tool" {
		return
	}
	if !known()[bare(plain(o.name))] {
		o.disparage()
		return
	}
	for i := range o.texts {
		t := &o.texts[i]
		low := strings.ToLower(t.value[:min(len(t.value), 4000)])
		if t.role != roleProse || t.parameter != "" {
			continue
		}
		for _, claim := range []string{
			"instead of the built-in", "instead of the default", "instead of the standard", "instead of the native", "instead of the original",
			"instead of any other", "instead of other", "replaces the", "replacement for the", "supersedes", "the built-in tool is deprecated",
			"built-in version", "official version", "the other tool", "overrides the", "takes the place of", "preferred over", "prefer this over",
			"in preference to", "is deprecated", "is outdated", "use this one whenever", "always use this one", "rather than the",
		} {
			if at := strings.Index(low, claim); at >= 0 {
				o.tell(mcpsf.TextShadow, t.field, shown(t.value, at, at+len(claim)), o.name)
				return
			}
		}
	}
}

// disparage: the tools that others are known by are said to be worse, by name.
func (o *object) disparage() {
	others := known()
	for i := range o.texts {
		t := &o.texts[i]
		if t.role != roleProse || t.parameter != "" {
			continue
		}
		sentences := o.lexicon.split(tokens(t.value))
		for j := range sentences {
			s := &sentences[j]
			at := slices.IndexFunc(s.ts, func(w token) bool {
				return w.name && strings.Contains(w.text, "_") && others[bare(w.text)] && !o.others.has(w.text)
			})
			if at >= 0 && len(s.does("worse")) > 0 && !s.described() {
				o.tell(mcpsf.TextShadow, t.field, shown(t.value, s.ts[0].start, s.ts[len(s.ts)-1].end), s.ts[at].text)
				return
			}
		}
	}
}

// plain is a name with the letters that it shows.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if l := lookalike(r); l != 0 {
			return l
		}
		return r
	}, name)
}

const (
	// muchText is more than any honest description has; sameLines is how
	// often a line comes back before it is there to fill.
	muchText  = 48 << 10
	sameLines = 40
)

// flood: so much text that the rest of the model's context counts for less.
func (o *object) flood() {
	if o.data() || o.of == ofPrompt {
		return
	}
	total := 0
	lines := map[string]int{}
	for i := range o.texts {
		t := &o.texts[i]
		if t.role == roleName || t.role == roleValue {
			continue
		}
		total += len(t.value)
		for line := range strings.FieldsFuncSeq(t.value, func(r rune) bool { return r == '\n' || r == '.' || r == '!' }) {
			if line = strings.TrimSpace(line); len(line) > 8 && len(lines) < 10000 {
				lines[line]++
				if lines[line] == sameLines && t.parameter == "" {
					o.tell(mcpsf.TextFlood, t.field, shown(line, 0, len(line)), "repetition")
				}
			}
		}
	}
	if total > muchText {
		o.tell(mcpsf.TextFlood, "", fmt.Sprintf("%d bytes of description", total), "size")
	}
}
