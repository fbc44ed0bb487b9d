package entry

import (
	"html"
	"strings"
)

// Snippets finds the ways to start a server in a README, in order: client
// configurations and shell commands. It reads at most the first MiB.
func Snippets(readme []byte) []Snippet {
	text := capped(readme)
	if strings.Contains(text, "&quot;") || strings.Contains(text, "&#34;") || strings.Contains(text, "&lt;") {
		text = html.UnescapeString(text)
	}
	r := reader{budget: maxNodes}
	for _, b := range blocks(text) {
		r.read(b)
	}
	return r.found
}

// block is a part of a README: code between fences, or the text around it.
type block struct {
	text   string
	line   int // of its first line
	fenced bool
	lang   string
}

// blocks splits a README at its fences. An unclosed fence ends with the text.
func blocks(text string) []block {
	var all []block
	cur := block{line: 1}
	var b strings.Builder
	n, fence := 0, ""
	for line := range strings.SplitSeq(text, "\n") {
		n++
		line = strings.TrimSuffix(unquoted(line), "\r")
		mark, lang := fenceMark(line)
		if mark == "" || fence != "" && (mark[0] != fence[0] || len(mark) < len(fence) || lang != "") {
			b.WriteString(line)
			b.WriteByte('\n')
			continue
		}
		cur.text = b.String()
		b.Reset()
		all = append(all, cur)
		if fence == "" {
			fence, cur = mark, block{line: n + 1, fenced: true, lang: strings.ToLower(lang)}
		} else {
			fence, cur = "", block{line: n + 1}
		}
	}
	cur.text = b.String()
	return append(all, cur)
}

// fenceMark returns the run of backticks or tildes at the beginning of a line,
// and the word behind it.
func fenceMark(line string) (mark, lang string) {
	line = strings.TrimLeft(line, " \t")
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && !strings.Contains(rest, "`") {
			lang, _, _ = strings.Cut(strings.TrimSpace(rest), " ")
			return line[:n], lang
		}
	}
	return "", ""
}

// unquoted removes the marks of a block quote.
func unquoted(line string) string {
	for {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), ">")
		if !ok {
			return line
		}
		line = strings.TrimPrefix(rest, " ")
	}
}

// reader collects snippets.
type reader struct {
	budget int
	found  []Snippet
}

func (r *reader) read(b block) {
	if !b.fenced {
		r.objects(readLoose(b.text, b.line, &r.budget), false, true)
		r.prose(b)
		return
	}
	r.objects(readLoose(b.text, b.line, &r.budget), true, true)
	switch b.lang {
	case "json", "jsonc", "json5", "toml", "yaml", "yml", "js", "javascript", "ts", "typescript", "python", "py", "env", "dotenv":
	default:
		r.script(b)
	}
}

// prose reads the code spans in a text.
func (r *reader) prose(b block) {
	n := b.line
	for line := range strings.SplitSeq(b.text, "\n") {
		for i, span := range strings.Split(line, "`") {
			if i%2 == 1 {
				r.line(span, n, nil)
			}
		}
		n++
	}
}

func (r *reader) add(s Snippet) {
	if len(r.found) == maxSnippets || len(s.Args) > maxArgs || len(s.Env) > maxVars {
		return
	}
	r.found = append(r.found, s)
}

// objects looks for servers in a tree. Fields outside of braces count if bare
// is set. A string that is itself such an object is parsed once, because that
// is how configurations are written for a shell.
func (r *reader) objects(nodes []*node, bare, inside bool) {
	for _, n := range nodes {
		if n.kind == kindObject && bare {
			if s, ok := fromObject(n); ok {
				r.add(s)
			}
		}
		if n.kind == kindText && inside && strings.HasPrefix(n.text, "{") && strings.Contains(n.text, "command") {
			r.objects(readLoose(n.text, n.line, &r.budget), true, false)
		}
		r.objects(n.kids, true, inside)
	}
}

// fromObject reads one server's entry in a client configuration, in any
// client's format.
func fromObject(n *node) (Snippet, bool) {
	s := Snippet{Line: n.line, config: true}
	command := n.field("command", "cmd")
	switch {
	case command == nil:
	case command.kind == kindObject: // {"path": "uvx", "args": [...]}
		inner, ok := fromObject(&node{keys: command.keys, kids: command.kids, line: n.line})
		if path := command.field("path"); path != nil {
			inner.Command, ok = path.text, path.text != ""
		}
		return inner, ok
	case command.kind == kindList: // ["npx", "-y", "name"]
		if words := scalars(command); len(words) > 0 {
			s.Command, s.Args = words[0], words[1:]
		}
	default:
		s.Command = command.text
	}
	s.Args = append(s.Args, arguments(n.field("args", "arguments"))...)
	s.Env = variables(n.field("env", "environment", "envs"))
	if len(s.Args) == 0 && strings.Contains(s.Command, " ") && !strings.ContainsAny(s.Command, `\`) {
		if words := shellWords(s.Command); len(words) > 0 {
			s.Command, s.Args = words[0], words[1:]
		}
	}
	return s, s.Command != "" || len(s.Args) > 0
}

func arguments(n *node) []string {
	switch {
	case n == nil:
		return nil
	case n.kind == kindText:
		return shellWords(n.text)
	}
	return scalars(n)
}

// scalars returns the items of a list, without what a comment or "..." stood
// for.
func scalars(n *node) []string {
	var words []string
	for _, kid := range n.kids {
		if kid.kind <= kindWord && !isEllipsis(kid.text) {
			words = append(words, kid.text)
		}
	}
	return words
}

// variables reads {"K": "v"}, ["K=v"] and [{"name": "K", "value": "v"}].
func variables(n *node) []Var {
	if n == nil {
		return nil
	}
	var vars []Var
	add := func(name, value string) {
		if isVarName(name) && len(vars) < maxVars {
			vars = append(vars, Var{Name: name, Value: value})
		}
	}
	for i, kid := range n.kids {
		switch {
		case n.kind == kindObject && kid.kind <= kindWord:
			add(n.keys[i], kid.value())
		case n.kind == kindList && kid.kind == kindText:
			name, value, _ := strings.Cut(kid.text, "=")
			add(name, value)
		case n.kind == kindList && kid.kind == kindObject:
			if name, value := kid.field("name"), kid.field("value"); name != nil && value != nil {
				add(name.text, value.value())
			}
		}
	}
	return vars
}

// value is the text of a scalar; null has none.
func (n *node) value() string {
	if n.kind == kindWord && (n.text == "null" || n.text == "undefined") {
		return ""
	}
	return n.text
}

func isVarName(name string) bool {
	if name == "" || len(name) > 128 || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}
