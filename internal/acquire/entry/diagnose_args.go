package entry

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// asked is an error message of an argument parser. The first group names what
// is missing, in the form that how says.
type asked struct {
	re  *lazyregexp.Regexp
	how func(names string) []string
}

var askedFor = []asked{ //nolint:gochecknoglobals // compiled once, like a regular expression
	{lazyregexp.New(`(?i)the following (?:required )?arguments (?:are required|were not provided): (.+)$`), commaList},
	{lazyregexp.New(`(?i)one of the arguments (\S+) .*is required`), commaList},
	{lazyregexp.New(`(?i)required option '([^']{1,200})' not specified`), commaOption},
	{lazyregexp.New(`(?i)missing required argument '([^']{1,100})'`), commaList},
	{lazyregexp.New(`(?i)missing required (?:arguments?|options?|flags?)[: ]+(-{0,2}[A-Za-z][\w, -]{0,200})$`), optionNames},
	{lazyregexp.New(`(?i)missing (?:option|parameter):? ['"]?(-{1,2}[\w-]{1,60})`), commaOption},
	{lazyregexp.New(`(?i)missing argument ['"]?([A-Za-z_][\w-]{0,60})`), commaList},
	{lazyregexp.New(`(?i)required flag\(s\) (.{1,200}) not set`), optionNames},
	{lazyregexp.New(`(?i)(--[A-Za-z][\w-]{0,60})["'\x60]?(?: \S{1,40}| (?:option|flag|argument|parameter))? (?:is|are|must be) (?:required|provided|specified|set)`), commaOption},
	{lazyregexp.New(`(?i)(?:provide|specify|pass|supply|set|use|via|missing)\b[^-\n]{0,60}(--[A-Za-z][\w-]{0,60})`), commaOption},
	{lazyregexp.New(`(?i)(?:provide|specify|pass|supply|expected?)\s+(?:an?\s|the\s|at least one\s|one\s|your\s)?\s*([A-Za-z][\w -]{2,40}?) as (?:an?|the|the first|first)?\s*(?:command[- ]line |cli )?(?:argument|parameter)`), commaList},
	{lazyregexp.New(`(?i)(?:at least one|no|missing) ((?:allowed )?(?:directory|path|folder|file|repository|database(?: path| url)?|connection string))\b.{0,40}(?:specified|provided|required|given|argument)`), commaList},
	{lazyregexp.New(`(?i)(?:^|: )(?:an? |the )?((?:[a-z]+ )?(?:directory|path|folder|repository|database path|database url|connection string|file)) (?:argument )?(?:is required|must be (?:provided|specified))`), commaList},
}

// missingArguments finds which arguments the server wants.
func missingArguments(d *diagnosis) {
	d.argumentsIn(func(line string) bool { return !envShout.MatchString(line) })
	for i, line := range d.lines { // clap and oclif list them below
		if strings.Contains(line, "required arguments were not provided:") || strings.Contains(line, "required arg") && strings.HasSuffix(strings.TrimSpace(line), ":") {
			var args []string
			for _, next := range d.lines[i+1 : min(len(d.lines), i+9)] {
				text, ok := strings.CutPrefix(next, "  ")
				if !ok {
					break
				}
				args = append(args, requiredWords(strings.Fields(text))...)
			}
			d.add(Fix{Args: args}, line)
		}
	}
}

// otherArguments reads the lines that also name a variable. The variable is
// tried before the argument, because its name says more about its value.
func otherArguments(d *diagnosis) { d.argumentsIn(envShout.MatchString) }

func (d *diagnosis) argumentsIn(these func(line string) bool) {
	for _, a := range askedFor {
		d.match(a.re, func(m []string) (Fix, bool) {
			args := a.how(m[1])
			return Fix{Args: args}, len(args) > 0 && these(m[0])
		})
	}
}

// commaList reads "--db-path, repo, -f/--file": options with a placeholder
// behind them, and placeholders.
func commaList(names string) []string {
	var args []string
	for name := range strings.SplitSeq(names, ",") {
		name = strings.Trim(strings.TrimSpace(name), `'"<>`+"`.")
		if i := strings.LastIndex(name, "/-"); i >= 0 {
			name = name[i+1:]
		}
		switch {
		case name == "" || len(args) >= maxNames:
		case strings.HasPrefix(name, "-"):
			args = append(args, option(name)...)
		case strings.Contains(name, "{"):
		default:
			args = append(args, "<"+name+">")
		}
	}
	return args
}

// commaOption reads "-k, --key <key>".
func commaOption(text string) []string {
	var name, blank string
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
		switch {
		case strings.HasPrefix(word, "--") || strings.HasPrefix(word, "-") && name == "":
			name = word
		case strings.HasPrefix(word, "<"):
			blank = word
		}
	}
	switch name {
	case "", "--stdio", "--help", "--version", "--verbose", "--debug":
		return nil
	}
	if blank != "" {
		return []string{name, blank}
	}
	return option(name)
}

// optionNames reads names of options without their dashes.
func optionNames(names string) []string {
	var args []string
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return strings.ContainsRune(`, "'`, r) }) {
		if name == "and" || len(args) >= maxNames {
			continue
		}
		args = append(args, option("--"+strings.TrimLeft(name, "-"))...)
	}
	return args
}

// option is an option followed by a placeholder of the same name.
func option(name string) []string { return []string{name, "<" + strings.TrimLeft(name, "-") + ">"} }

var rejected = lazyregexp.New(`(?i)(?:unknown|unrecognized|unexpected|no such|invalid|unsupported|extra) (?:command[- ]line )?(?:extra )?(?:option|argument|flag|parameter)s?:? *\(?['"\x60]?([^'"\x60()\n]{1,200})|flag provided but not defined: (-\S{1,60})`)

// rejectedArguments removes what the server does not know.
func rejectedArguments(d *diagnosis) {
	d.match(rejected, func(m []string) (Fix, bool) {
		refused := strings.Fields(m[1] + m[2])
		left := without(d.tried.Args, refused)
		return Fix{Args: left, Replace: true}, len(left) < len(d.tried.Args)
	})
}

// without removes the rejected arguments, the values of rejected options and
// the options of rejected values.
func without(args, refused []string) []string {
	var left []string
	for i := 0; i < len(args); i++ {
		name, option, hasValue := cutOption(args[i])
		same := func(r string) bool {
			return r == args[i] || option && strings.TrimLeft(name, "-") == strings.TrimLeft(r, "-")
		}
		if !slices.ContainsFunc(refused, same) {
			left = append(left, args[i])
			continue
		}
		switch {
		case option && !hasValue && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++
		case !option && len(left) > 0 && strings.HasPrefix(left[len(left)-1], "-"):
			left = left[:len(left)-1] // it was this option's value
		}
	}
	return left
}

var usageStart = lazyregexp.New(`(?i)(?:^[\s│]*|[.:!]\s+)usage(?::\s*(.*)|\s*)$`)

// usageLine reads the arguments without brackets in a usage line.
func usageLine(d *diagnosis) {
	for i, line := range d.lines {
		m := usageStart.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		text, why := m[1], line
		if strings.TrimSpace(text) == "" && i+1 < len(d.lines) {
			text, why = d.lines[i+1], d.lines[i+1]
		}
		args := requiredWords(withoutProgram(strings.Fields(text)))
		args = slices.DeleteFunc(args, func(arg string) bool { return startingVerb([]string{arg}) != "" && slices.Contains(d.tried.Args, arg) })
		if len(args) == 0 && takesDirectory(text) {
			args = []string{"<directory>"}
		}
		d.add(Fix{Args: args}, why)
	}
}

// takesDirectory reports a usage line with an optional directory: a server that
// prints its usage needed it nevertheless.
func takesDirectory(text string) bool {
	return strings.Contains(text, "[") && anyOf(words(text), "directory", "directories", "dir", "path", "folder")
}

// withoutProgram removes what starts the program.
func withoutProgram(fields []string) []string {
	for len(fields) > 0 {
		switch name := programName(fields[0]); {
		case strings.HasPrefix(fields[0], "<") || strings.HasPrefix(fields[0], "["):
			return fields
		case name == "node" || name == "npx" || name == "uvx" || name == "uv" || name == "run" || strings.HasPrefix(name, "python") ||
			fields[0] == "-m" || fields[0] == "-y":
			fields = fields[1:]
		default:
			return fields[1:]
		}
	}
	return fields
}

var metavar = lazyregexp.New(`^[A-Z][A-Z0-9_-]{1,40}(?:\.\.\.)?$`)

// requiredWords reads a synopsis: what is not in brackets is required.
func requiredWords(fields []string) []string {
	var args []string
	depth := 0
	for i, word := range fields {
		opens, closes := strings.Count(word, "["), strings.Count(word, "]")
		inside := depth > 0 || opens > 0
		depth = max(0, depth+opens-closes)
		if inside || len(args) >= maxNames {
			continue
		}
		name, isOption, hasValue := cutOption(word)
		takes := i+1 < len(fields) && (strings.HasPrefix(fields[i+1], "<") || metavar.MatchString(fields[i+1]))
		switch {
		case isOption && hasValue:
			args = append(args, option(name)...)
		case isOption && (takes || strings.HasPrefix(word, "--")):
			args = append(args, word)
		case word == "|" || word == "OPTIONS" || word == "COMMAND" || word == "ARGS..." || strings.EqualFold(word, "<command>"):
			return nil
		case strings.HasPrefix(word, "<") && strings.Contains(word, ">"):
			args = append(args, strings.TrimSuffix(word, "..."))
		case strings.HasPrefix(word, "{") && strings.HasSuffix(word, "}"):
			if verb := startingVerb(strings.Split(strings.Trim(word, "{}"), ",")); verb != "" {
				args = append(args, verb)
			}
		case len(args) == 0 && startingVerb([]string{word}) != "":
			args = append(args, word)
		case metavar.MatchString(word):
			args = append(args, "<"+strings.TrimSuffix(word, "...")+">")
		}
	}
	return args
}
