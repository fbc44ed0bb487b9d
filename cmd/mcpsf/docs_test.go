package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is the root of the repository, seen from this folder.
const repository = "../.."

// docPage is one page of the documentation, by its path in the repository.
type docPage struct{ name, text string }

// docPages reads every documentation page.
func docPages(t *testing.T) []docPage {
	t.Helper()
	var all []docPage
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md", "examples/*/README.md"} {
		names, err := fs.Glob(os.DirFS(repository), pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(repository, name))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, docPage{name, string(text)})
		}
	}
	return all
}

// Every command line that a page shows names a command and flags that exist.
func TestDocsCommands(t *testing.T) {
	root := helpOf(t)
	seen := 0
	for _, p := range docPages(t) {
		for _, line := range commandLines(p.text) {
			seen++
			if problem := checkCommand(root, line); problem != "" {
				t.Errorf("%s: %s: %s", p.name, line, problem)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d command lines were found", seen)
	}
}

// The check finds mistakes in wrong command lines.
func TestDocsCommandsFindMistakes(t *testing.T) {
	root := helpOf(t)
	for text, want := range map[string]int{
		"    mcpsf assess ./dir --profile safe\n":                 0,
		"    mcpsf assess ./dir --profle safe\n":                  1,
		"    mcpsf asses ./dir\n":                                 1,
		"    mcpsf serve keys add --nam ci\n":                     1,
		"    mcpsf assess ./dir -- node --flag\n":                 0,
		"    mcpsf assess ./dir \\\n      --no-such-flag\n":       1,
		"    $ mcpsf serve\n    mcpsf serves http://127.0.0.1\n":  0,
		"Use `mcpsf rules explain ID RUN --event 1`.\n":           1,
		"```sh\nA=1 mcpsf db update --from x  # comment --x\n```": 0,
		"    go run ./cmd/mcpsf assess . --nothing | jq --x\n":    1,
	} {
		got := 0
		for _, line := range commandLines(text) {
			if checkCommand(root, line) != "" {
				got++
			}
		}
		if got != want {
			t.Errorf("%q: %d mistakes, want %d", text, got, want)
		}
	}
}

// helpPage is the --help of a command: its commands and its flags.
type helpPage struct {
	commands map[string]*helpPage
	flags    map[string]bool
}

// helpOf asks the program, and each of its commands, for help.
func helpOf(t *testing.T, path ...string) *helpPage {
	t.Helper()
	var out, problems strings.Builder
	code := run(t.Context(), append(slices.Clone(path), "--help"), strings.NewReader(""), &out, &problems, func(string) string { return "" })
	if code != 0 {
		t.Fatalf("mcpsf %s --help ends with %d: %s", strings.Join(path, " "), code, problems.String())
	}
	p := &helpPage{commands: map[string]*helpPage{}, flags: map[string]bool{}}
	_, listed, _ := strings.Cut(out.String(), "\nAvailable Commands:\n")
	listed, _, _ = strings.Cut(listed, "\n\n")
	for line := range strings.Lines(listed) {
		if name := strings.Fields(line)[0]; name != "help" && name != "completion" {
			p.commands[name] = helpOf(t, append(slices.Clone(path), name)...)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^ {2,6}(?:-\w, )?--([a-z][a-z0-9-]*)`).FindAllStringSubmatch(out.String(), -1) {
		p.flags[m[1]] = true
	}
	return p
}

// all adds the flags of a command and of those below it.
func (p *helpPage) all(to map[string]bool) map[string]bool {
	maps.Copy(to, p.flags)
	for _, c := range p.commands {
		c.all(to)
	}
	return to
}

// commandLines returns the command lines of mcpsf in code blocks and in code
// within a sentence.
func commandLines(text string) []string {
	var lines []string
	for _, block := range codeBlocks(text) {
		prompts := slices.ContainsFunc(block, func(l string) bool { return strings.HasPrefix(l, "$ ") })
		for _, line := range block {
			rest, isPrompt := strings.CutPrefix(line, "$ ")
			if isPrompt == prompts { // without a prompt it is output
				lines = append(lines, ours(rest)...)
			}
		}
	}
	for _, m := range regexp.MustCompile("`(mcpsf [^`]+)`").FindAllStringSubmatch(text, -1) {
		lines = append(lines, ours(m[1])...)
	}
	return lines
}

// codeBlocks returns the lines of each block without their indentation. A line
// that ends with a backslash is joined with the next.
func codeBlocks(text string) [][]string {
	text = regexp.MustCompile(`\s*\\\n\s*`).ReplaceAllString(text, " ")
	var all [][]string
	var block []string
	fenced := false
	for line := range strings.Lines(text + "\nend\n") {
		line = strings.TrimRight(line, "\n")
		fence := strings.HasPrefix(line, "```")
		inside := fenced && !fence || !fenced && strings.HasPrefix(line, "    ")
		switch {
		case inside:
			block = append(block, strings.TrimSpace(line))
		case line == "" && len(block) > 0 && !fence: // a blank line does not end an indented block
		default:
			if len(block) > 0 {
				all = append(all, block)
			}
			block = nil
		}
		fenced = fenced != fence
	}
	return all
}

// ours returns the mcpsf commands in a shell line, without variables before
// them, comments, pipes, and remarks behind two blanks.
func ours(line string) []string {
	var all []string
	line, _, _ = strings.Cut(line, " #")
	line, _, _ = strings.Cut(line, "  ")
	for part := range strings.SplitSeq(strings.ReplaceAll(line, " && ", " | "), " | ") {
		part, _, _ = strings.Cut(part, " > ")
		part = strings.Replace(part, "go run ./cmd/mcpsf", "mcpsf", 1)
		words := strings.Fields(part)
		for len(words) > 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(words[0]) {
			words = words[1:]
		}
		if len(words) > 1 && words[0] == "mcpsf" {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}

// checkCommand says what is wrong with a command line, "" if nothing.
func checkCommand(root *helpPage, line string) string {
	cmd := root
	for _, word := range strings.Fields(line)[1:] {
		word = strings.Trim(word, "[]")
		if word == "--" {
			break // the rest belongs to the server
		}
		if name, ok := strings.CutPrefix(word, "--"); ok {
			name, _, _ = strings.Cut(strings.TrimRight(name, ",.;:)]"), "=")
			if !cmd.flags[name] {
				return "there is no flag --" + name
			}
			continue
		}
		if next := cmd.commands[word]; next != nil {
			cmd = next
		} else if cmd == root && !strings.HasPrefix(word, "-") {
			return "there is no command " + word
		}
	}
	return ""
}

// Every flag that a page names within a sentence exists somewhere, unless it
// belongs to another program.
func TestDocsFlags(t *testing.T) {
	known := helpOf(t).all(map[string]bool{})
	// Flags of Docker, ToolHive and of the servers that pages are about.
	foreign := map[string][]string{
		"docs/policy.md":     {"block-network", "isolate-network"},
		"docs/cve-replay.md": {"port", "transport", "server-port", "enable-delete-tools"},
		"docs/benchmarks.md": {"only"},
	}
	flag := regexp.MustCompile("`--([a-z][a-z-]+)")
	for _, p := range docPages(t) {
		for _, m := range flag.FindAllStringSubmatch(p.text, -1) {
			if !known[m[1]] && !slices.Contains(foreign[p.name], m[1]) {
				t.Errorf("%s: there is no flag --%s", p.name, m[1])
			}
		}
	}
}
