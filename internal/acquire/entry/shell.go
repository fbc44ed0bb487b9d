package entry

import (
	"path"
	"strings"
)

// script reads shell lines. Exported variables apply to all later commands.
func (r *reader) script(b block) {
	lines := strings.Split(b.text, "\n")
	var exported []Var
	for i := 0; i < len(lines); i++ {
		at := b.line + i
		var line strings.Builder
		part := strings.TrimRight(lines[i], " \t")
		for more := 0; continues(part) && i+1 < len(lines) && more < maxArgs; more++ {
			line.WriteString(part[:len(part)-1] + " ")
			i++
			part = strings.TrimRight(lines[i], " \t")
		}
		line.WriteString(part)
		exported = r.line(line.String(), at, exported)
	}
}

// continues reports whether a line continues in the next, in any shell.
func continues(line string) bool {
	return strings.HasSuffix(line, `\`) || strings.HasSuffix(line, " ^") || strings.HasSuffix(line, " `")
}

// line reads one shell line. It returns the variables exported so far.
func (r *reader) line(text string, at int, exported []Var) []Var {
	const longest = 8 << 10
	if len(text) > longest {
		return exported
	}
	for _, words := range shellCommands(text) {
		words = withoutPrompt(words)
		if len(words) > 1 && (words[0] == "export" || words[0] == "set") {
			for _, w := range words[1:] {
				if v, ok := assignment(w); ok && len(exported) < maxVars {
					exported = append(exported, v)
				}
			}
			continue
		}
		env, words := leadingVars(words)
		if len(words) == 0 || len(words) > maxArgs || !startsServers(words[0]) {
			continue
		}
		s := Snippet{Command: words[0], Args: words[1:], Env: append(env, exported...), Line: at}
		if added, ok := fromAdd(s); ok {
			s = added
		}
		r.add(s)
	}
	return exported
}

func withoutPrompt(words []string) []string {
	for len(words) > 0 && (words[0] == "$" || words[0] == "%" || words[0] == ">" || words[0] == "sudo" || words[0] == "PS>") {
		words = words[1:]
	}
	return words
}

func leadingVars(words []string) ([]Var, []string) {
	var vars []Var
	for len(words) > 0 {
		v, ok := assignment(words[0])
		if !ok {
			break
		}
		if len(vars) < maxVars {
			vars = append(vars, v)
		}
		words = words[1:]
	}
	return vars, words
}

func assignment(word string) (Var, bool) {
	name, value, ok := strings.Cut(strings.TrimPrefix(word, "$env:"), "=")
	return Var{Name: name, Value: value}, ok && isVarName(name)
}

// startsServers excludes lines that start something else.
func startsServers(program string) bool {
	name := programName(program)
	switch name {
	case "npx", "bunx", "pnpx", "pnpm", "yarn", "npm", "bun", "deno", "node", "uvx", "uv", "pipx", "python", "python3", "py",
		"docker", "podman", "claude", "codex", "gemini", "env":
		return true
	}
	return strings.Contains(name, "mcp")
}

// programName is the plain name of a program: no path, no Windows extension.
func programName(command string) string {
	if command == "" {
		return ""
	}
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	for _, ext := range []string{".cmd", ".exe", ".ps1", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// fromAdd reads "claude mcp add NAME -e K=V -- COMMAND" and similar commands.
func fromAdd(s Snippet) (Snippet, bool) {
	if len(s.Args) < 3 || s.Args[0] != "mcp" || s.Args[1] != "add" {
		return s, false
	}
	out := Snippet{Line: s.Line, config: true, Env: s.Env}
	words, named := s.Args[2:], false
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		v, isVar := assignment(word)
		_, option, hasValue := cutOption(word)
		switch {
		case word == "--":
			return out.command(words)
		case isVar:
			out.Env = append(out.Env, v)
		case option && !hasValue && takesValue(word) && len(words) > 0:
			if v, ok := assignment(words[0]); ok {
				out.Env = append(out.Env, v)
			}
			words = words[1:]
		case option:
		case !named:
			named = true
		default:
			return out.command(append([]string{word}, words...))
		}
	}
	return out.command(nil)
}

func (s Snippet) command(words []string) (Snippet, bool) {
	if len(words) > 0 {
		s.Command, s.Args = words[0], words[1:]
	}
	return s, true
}

// takesValue knows the options of the clients' own commands.
func takesValue(option string) bool {
	switch option {
	case "-e", "--env", "-s", "--scope", "-t", "--transport", "-H", "--header", "--timeout", "--description":
		return true
	}
	return false
}

// cutOption splits "--name=value".
func cutOption(word string) (name string, isOption, hasValue bool) {
	if len(word) < 2 || word[0] != '-' || word[1] >= '0' && word[1] <= '9' {
		return "", false, false
	}
	name, _, hasValue = strings.Cut(word, "=")
	return name, true, hasValue
}

// shellWords splits a single command.
func shellWords(text string) []string {
	if commands := shellCommands(text); len(commands) > 0 {
		return commands[0]
	}
	return nil
}

// shellCommands splits a line into commands and these into words. It knows
// quotes, comments, and command separators; <a placeholder> is a word.
func shellCommands(text string) [][]string {
	var all [][]string
	var words []string
	end := func() {
		if len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	for text != "" {
		switch c := text[0]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			text = text[1:]
		case c == '#':
			end()
			return all
		case c == '|' || c == '&' || c == ';' || c == '>' || c == '<' && placeholderEnd(text) == 0:
			end()
			text = text[1:]
		default:
			var word string
			word, text = shellWord(text)
			words = append(words, word)
		}
	}
	end()
	return all
}

// shellWord splits one word off text.
func shellWord(text string) (word, rest string) {
	var b strings.Builder
	i := 0
	for i < len(text) {
		switch c := text[i]; {
		case strings.IndexByte(" \t\r\n|&;", c) >= 0:
			return b.String(), text[i:]
		case c == '<':
			n := placeholderEnd(text[i:])
			if n == 0 {
				return b.String(), text[i:]
			}
			b.WriteString(text[i : i+n])
			i += n
		case c == '\'' || c == '"':
			part, n := shellQuoted(text[i:])
			b.WriteString(part)
			i += n
		case c == '\\' && i+1 < len(text) && strings.IndexByte(` "'$`, text[i+1]) >= 0:
			b.WriteByte(text[i+1])
			i += 2
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), ""
}

// shellQuoted reads a quoted part; an unterminated one goes to the end.
func shellQuoted(text string) (part string, n int) {
	quote := text[0]
	i := 1
	escaped := false
	for i < len(text) && text[i] != quote {
		if quote == '"' && text[i] == '\\' && i+1 < len(text) {
			escaped = true
			i++
		}
		i++
	}
	i = min(i, len(text))
	part = text[1:i]
	if escaped {
		part = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\$`, `$`).Replace(part)
	}
	return part, min(i+1, len(text))
}

// placeholderEnd returns the length of the <placeholder> at the beginning of
// text, 0 if there is none.
func placeholderEnd(text string) int {
	const longest = 80
	i := strings.IndexAny(text[1:min(len(text), longest)], "<>\n")
	if i < 1 || text[1] == ' ' || text[1+i] != '>' {
		return 0
	}
	return i + 2
}
