package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxDescription bounds how much of a tool's description is read as its
// declared purpose.
const maxDescription = 16 << 10

// execution finds in a tool's description that it runs commands for its
// caller.
var execution = regexp.MustCompile(`(?i)\b(?:run|runs|running|execute|executes|executing|invoke|invokes|launch|launches)` +
	`\s+(?:an?\s+|the\s+|any\s+|some\s+|given\s+|arbitrary\s+|supplied\s+|user\s+)*` +
	`(?:shell|bash|terminal|system|command|commands|script|scripts|program|programs|process|processes|code|python|javascript)\b` +
	`|\b(?:shell|bash|terminal)\s+(?:command|commands|session|script)\b`)

// executes tells whether the tool, or the name of the prompt, says of
// itself that it runs programs. Whoever lets an agent use it can read that.
func (d *declaration) executes(tool, prompt string) bool {
	return d.tools.says(tool).executes || prompt != "" && slices.ContainsFunc(toolWords(prompt), meansExecution)
}

func meansExecution(word string) bool {
	switch word {
	case "shell", "terminal", "bash", "command", "commands", "cmd", "exec", "execute", "subprocess", "repl":
		return true
	}
	return false
}

// toolTexts are what the tools say of themselves.
type toolTexts struct {
	tools map[string]mcpsf.Tool
	// said are the strings in the schemas of tools, sayings what they say of
	// themselves, both once somebody asked.
	said    map[string][]string
	sayings map[string]*saying
}

func newToolTexts(tools map[string]mcpsf.Tool) *toolTexts {
	return &toolTexts{tools: tools, said: map[string][]string{}, sayings: map[string]*saying{}}
}

// saying is what a tool says of itself, as far as words go.
type saying struct {
	executes bool
	// name are the words of its name, described those of its description.
	name      []string
	described map[string]bool
}

// says reads a tool's name and description once.
func (t *toolTexts) says(tool string) *saying {
	s := t.sayings[tool]
	if s == nil {
		about := t.description(tool)
		s = &saying{name: toolWords(tool), described: map[string]bool{}}
		s.executes = slices.ContainsFunc(s.name, meansExecution) || execution.MatchString(about)
		for word := range strings.FieldsFuncSeq(strings.ToLower(about), notWord) {
			s.described[word] = true
		}
		t.sayings[tool] = s
	}
	return s
}

// mentions tells whether the tool or the package's name names the program.
func (d *declaration) mentions(tool, word string) bool {
	word = strings.ToLower(word)
	return word != "" && (d.purpose.words[word] || d.tools.mentions(tool, word) || d.purpose.runs(word))
}

// mentionsAny tells whether it names one of the words.
func (d *declaration) mentionsAny(tool string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return d.mentions(tool, w) })
}

// mentions tells whether the tool itself, by its name or its description,
// has the word.
func (t *toolTexts) mentions(tool, word string) bool {
	word, said := strings.ToLower(word), t.says(tool)
	return said.described[word] || slices.Contains(said.name, word)
}

// showsVariables tells whether the tool says that it shows variables, or runs
// what may print them.
func (d *declaration) showsVariables(tool, prompt string) bool {
	return d.mentionsAny(tool, "env", "environment", "environ", "getenv", "printenv") || d.executes(tool, prompt)
}

// waits tells whether the tool says that it takes its time.
func (d *declaration) waits(tool string) bool {
	return d.mentionsAny(tool, "sleep", "wait", "waits", "delay", "pause", "timer", "timeout", "duration")
}

func (t *toolTexts) description(tool string) string {
	d := t.tools[tool].Description
	return d[:min(len(d), maxDescription)]
}
