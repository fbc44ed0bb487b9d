package entry

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Fill turns an author's arguments and variables into working ones: paths
// become places, placeholders become values, and secrets become what credential
// makes for the name of the variable or option and the given example. No
// placeholder is left.
func Fill(args []string, env []Var, places Places, credential func(name, example string) string) (filledArgs, filledEnv []string) {
	f := filler{places: places, credential: credential}
	return f.args(args[:min(len(args), maxArgs)]), f.env(env)
}

type filler struct {
	places     Places
	credential func(name, example string) string
}

func (f filler) args(args []string) []string {
	var out []string
	option := ""
	for _, arg := range args {
		arg = bare(tidy(arg))
		name, isOption, hasValue := cutOption(arg)
		switch {
		case omitted(arg):
			continue
		case isOption && blank.MatchString(name):
			continue
		case isOption && !hasValue:
			option = name
			out = append(out, arg)
			continue
		case isOption:
			out = append(out, name+"="+f.value(name, arg[len(name)+1:]))
		case assigns.MatchString(arg):
			name, value, _ := strings.Cut(arg, "=")
			out = append(out, name+"="+f.value(name, value))
		default:
			value := f.value(option, arg)
			// Two placeholders for directories become the same one.
			if option == "" && value != arg && value == f.places.Dir && slices.Contains(out, value) {
				continue
			}
			out = append(out, value)
		}
		option = ""
	}
	return out
}

func (f filler) env(env []Var) []string {
	var out []string
	for _, v := range env {
		value := bare(tidy(v.Value))
		switch {
		case !isVarName(v.Name) || len(out) == maxVars:
			continue
		case value == "" && !v.Secret && !isWanted(v.Name):
			continue
		case v.Secret && !strings.Contains(value, "://"):
			value = f.credential(v.Name, value)
		case value == "" && pathName(words(v.Name)):
			value = f.place(words(v.Name), "")
		case value == "":
			value = f.credential(v.Name, "")
		default:
			value = f.value(v.Name, value)
		}
		out = append(out, v.Name+"="+tidy(value))
	}
	return out
}

// value fills one value. name is its variable or option, "" for a positional
// argument.
func (f filler) value(name, value string) string {
	filled := f.fill(name, value)
	// Nested placeholders: whatever still looks like one is removed.
	for range 3 {
		if filled == value || !blank.MatchString(filled) {
			break
		}
		filled = f.embedded(name, filled)
	}
	if blank.MatchString(filled) {
		filled = f.credential(variable(words(name)), "")
	}
	return tidy(filled)
}

func (f filler) fill(name, value string) string {
	named := words(name)
	inner, whole := wholeBlank(value)
	switch {
	case value == "" || isPlain(value) && !(isSecretName(named) && isDigit(value[0])):
		return value
	case choice.MatchString(inner):
		return choose(strings.Split(inner, "|"))
	case prose.MatchString(value) && !isStructured(value):
		return f.prose(name, value)
	case strings.Contains(value, "://"):
		return f.url(name, value)
	case email.MatchString(value) && blank.MatchString(value):
		return f.credential(variable(named), value)
	case isStructured(value):
		return f.embedded(name, value)
	case pathName(named) && !whole && !strings.ContainsAny(value, " ") || isPath(value):
		return f.path(named, value)
	case isSecretName(named):
		return f.secret(name, value)
	case whole:
		return f.named(named, inner)
	}
	return f.embedded(name, value)
}

// prose extracts a value from a sentence about it.
func (f filler) prose(name, value string) string {
	if link := linkIn.FindString(value); link != "" {
		return f.url(name, link)
	}
	if pathName(words(name)) {
		return f.place(words(name), "")
	}
	if m := choiceIn.FindStringSubmatch(value); m != nil {
		return choose(strings.Split(m[1], "|"))
	}
	return f.credential(variable(words(name)), "")
}

// secret keeps what surrounds a secret, as in "Bearer xyz".
func (f filler) secret(name, value string) string {
	if scheme, rest, ok := strings.Cut(value, " "); ok && (scheme == "Bearer" || scheme == "Basic" || scheme == "Token") {
		return scheme + " " + f.credential(variable(words(name)), rest)
	}
	return f.credential(variable(words(name)), value)
}

// named gives a value for a placeholder that describes its content in words.
// option has the words of its option or variable.
func (f filler) named(option []string, inner string) string {
	nameWords := words(inner)
	nameWords = slices.DeleteFunc(nameWords, func(w string) bool {
		return slices.Contains([]string{"your", "my", "the", "a", "an", "here", "input", "env", "config", "user", "insert", "enter"}, w) && len(nameWords) > 1
	})
	all := slices.Concat(option, nameWords)
	switch {
	case isSecretName(option):
		return f.credential(variable(option), inner)
	case anyOf(nameWords, "url", "uri", "dsn", "endpoint", "connection") || isSecretName(nameWords):
		return f.credential(variable(pick(option, nameWords)), inner)
	case pathName(all):
		return f.place(all, inner)
	case anyOf(all, "transport"):
		return "stdio"
	case anyOf(nameWords, "database", "db", "dbname"):
		return "app"
	case anyOf(nameWords, "number", "num", "count", "limit", "size", "seconds", "timeout", "ms", "integer", "n"):
		return "10"
	case anyOf(nameWords, "true", "false", "boolean", "bool"):
		return "true"
	}
	return f.credential(variable(pick(option, nameWords)), inner)
}

// pick takes the option's words if they are more than a letter.
func pick(option, nameWords []string) []string {
	if len(option) > 1 || len(option) == 1 && len(option[0]) > 3 || len(nameWords) == 0 {
		return option
	}
	return nameWords
}

// embedded fills the placeholders in the middle of a text.
func (f filler) embedded(name, value string) string {
	return blank.ReplaceAllStringFunc(value, func(text string) string {
		inner, _ := wholeBlank(text)
		switch {
		case isSecretName(words(name)) || len(words(inner)) == 0 || runs.MatchString(text):
			return f.credential(variable(words(name)), text)
		case isSecretName(words(inner)) || anyOf(words(inner), "sid", "id"):
			// The words around it may say whose it is.
			nameWords := slices.DeleteFunc(words(inner), func(w string) bool { return w == "your" || w == "here" })
			return f.credential(variable(nameWords), value)
		}
		return f.named(nil, inner)
	})
}

// The forms of placeholders.
var (
	blank = lazyregexp.New(`\$\{\{?[^{}]{0,100}\}?\}|\{\{[^{}]{0,100}\}\}|<[^<>"']{1,100}>|\$[A-Z_][A-Z0-9_]{2,}|%[A-Z_]{3,}%` +
		`|\{[A-Za-z_][\w .-]{0,60}\}|\[[A-Za-z][A-Za-z0-9 _'-]{2,60}\]` +
		`|[\w-]*(?:[xX]{4,}|\*{3,}|\.{3,}|…)[\w-]*` +
		`|[\w-]*(?i:your|[-_]here\b)[\w-]*` +
		`|(?i:\b(?:change[-_]?me|replace[-_]?(?:me|with|this)[\w-]*|placeholder|insert[-_]\w+|enter[-_]\w+|my[-_](?:api|secret|token|password|key)[\w-]*|todo|fixme)\b)`)
	prose    = lazyregexp.New(`(?i)\b(?:such as|e\.g\.|for example|optional,|optional:)|\s\S+://|://\S+\s`)
	linkIn   = lazyregexp.New(`https?://[^\s,|"']+`)
	choiceIn = lazyregexp.New(`[\[(<]([\w.-]{1,40}(?:\|[\w.-]{1,40}){1,20})[\])>]`)
	email    = lazyregexp.New(`^[\w.+<>{}-]{1,64}@[\w.<>{}-]{1,100}$`)
	runs     = lazyregexp.New(`[xX]{4,}|\*{3,}|\.{3,}|…`)
	choice   = lazyregexp.New(`^[\w.-]{1,40}(?: ?\| ?[\w.-]{1,40}){1,20}$`)
	assigns  = lazyregexp.New(`^[A-Za-z_]\w{0,60}=.`)
	plain    = lazyregexp.New(`^(?:[-+]?\d+(?:\.\d+)?%?|(?i:true|false|yes|no|on|off|null|none|stdio|:memory:|localhost|127\.0\.0\.1|0\.0\.0\.0))$`)
	braces   = lazyregexp.New(`^(?:\$?\{\{?(?:(?:input|env|config):)?([^{}]*)\}?\}|<([^<>]*)>|\[([^\[\]"']*)\]|%(\w+)%|\$(\w+))$`)
)

// wholeBlank reports whether a value is one placeholder, and the text in it.
func wholeBlank(value string) (inner string, whole bool) {
	if m := braces.FindStringSubmatch(value); m != nil {
		for _, inner := range m[1:] {
			if inner != "" {
				return inner, true
			}
		}
		return "", true
	}
	at := blank.FindStringIndex(value)
	return value, at != nil && at[0] == 0 && at[1] == len(value)
}

// isPlain reports values that need no filling.
func isPlain(value string) bool { return plain.MatchString(value) }

func isStructured(value string) bool {
	return strings.HasPrefix(value, `{"`) || strings.HasPrefix(value, `["`) || strings.HasPrefix(value, "{ ") || strings.HasPrefix(value, "{'")
}

func choose(list []string) string {
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	if slices.Contains(list, "stdio") {
		return "stdio"
	}
	return list[0]
}

// omitted reports an argument such as "..." that stands for further arguments.
func omitted(arg string) bool {
	if isEllipsis(arg) {
		return true
	}
	inner, ok := strings.CutPrefix(arg, "[")
	return ok && strings.HasSuffix(inner, "]") && (strings.Contains(inner, "...") || strings.Contains(strings.ToLower(inner), "option"))
}

// bare removes quotes that were meant for a shell.
func bare(value string) string {
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		return value[1 : n-1]
	}
	return value
}

// tidy removes characters that no argument or variable can have.
func tidy(value string) string {
	value = value[:min(len(value), maxValue)]
	return strings.ReplaceAll(value, "\x00", "")
}
