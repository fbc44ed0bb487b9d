package clientconfig

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// unwrap removes wrappers around the real command: cmd /c, a shell, env, wsl.
func (s *starter) unwrap(words []string) ([]string, string) {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 4
	for range most {
		if len(words) == 0 {
			return nil, "its command is empty"
		}
		inner, problem := s.unwrapOnce(words)
		if problem != "" || inner == nil {
			return words, problem
		}
		words = inner
	}
	return words, "its command is wrapped too often to follow"
}

// unwrapOnce returns nil if there is no wrapper.
func (s *starter) unwrapOnce(words []string) ([]string, string) {
	if len(words) == 1 && strings.ContainsAny(words[0], " \t") && !isFile(s.absolute(words[0])) {
		return s.shellCommand(words[0])
	}
	switch program := programName(words[0]); program {
	case "cmd":
		if len(words) > 2 && (strings.EqualFold(words[1], "/c") || strings.EqualFold(words[1], "/k")) {
			return words[2:], ""
		}
	case "sh", "bash", "zsh", "dash":
		if len(words) == 3 && shellFlag.MatchString(words[1]) {
			return s.shellCommand(words[2])
		}
	case "env":
		return s.unwrapEnv(words[1:]), ""
	case "wsl":
		rest := words[1:]
		for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			step := 1
			if slices.Contains([]string{"-d", "--distribution", "-u", "--user", "--cd"}, rest[0]) {
				step = 2
			}
			rest = rest[min(step, len(rest)):]
		}
		return slices.Clip(append([]string{}, rest...)), ""
	}
	return nil, ""
}

var (
	shellFlag = lazyregexp.New(`^-[lie]*c$`)
	changeDir = lazyregexp.New(`^\s*cd\s+("[^"]+"|'[^']+'|[^\s&;]+)\s*&&\s*`)
)

// shellCommand splits a command line that needs no shell, after applying an
// initial "cd".
func (s *starter) shellCommand(line string) ([]string, string) {
	if m := changeDir.FindStringSubmatch(line); m != nil {
		s.cwd, s.ownCwd = s.absolute(strings.Trim(m[1], `"'`)), true
		line = line[len(m[0]):]
	}
	words, ok := splitWords(line)
	if !ok {
		return nil, "its command is a program for a shell, which cannot be taken apart; assess the server itself: its package, directory or image"
	}
	if len(words) > 0 && words[0] == "exec" {
		words = words[1:]
	}
	for len(words) > 0 && redact.IsAssignment(words[0]) {
		words = s.unwrapEnv(words)
	}
	return words, ""
}

// unwrapEnv removes the options and assignments of env.
func (s *starter) unwrapEnv(words []string) []string {
	for len(words) > 0 {
		name, value, isPair := strings.Cut(words[0], "=")
		switch {
		case slices.Contains([]string{"-u", "-C", "--unset", "--chdir"}, words[0]):
			words = words[min(2, len(words)):]
		case strings.HasPrefix(words[0], "-"):
			words = words[1:]
		case isPair:
			s.env = append(slices.Clip(s.env), envVar{name: name, value: value})
			words = words[1:]
		default:
			return words
		}
	}
	return []string{}
}

// splitWords splits a line as a shell would; ok is false if it needs a shell.
func splitWords(line string) (words []string, ok bool) {
	var b strings.Builder
	mark, open := rune(0), false
	for _, r := range line {
		switch {
		case mark != 0 && r == mark:
			mark = 0
		case strings.ContainsRune("`\\", r), mark != '\'' && r == '$', mark == 0 && strings.ContainsRune(";&|<>()*?\n#", r):
			return nil, false
		case mark != 0:
			b.WriteRune(r)
		case r == '\'' || r == '"':
			mark, open = r, true
		case r == ' ' || r == '\t':
			if open {
				words = append(words, b.String())
			}
			b.Reset()
			open = false
		default:
			b.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, b.String())
	}
	return words, mark == 0 && len(words) > 0 && len(words) <= document.MaxWords
}
