package declared

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxDescription bounds how much of a tool's description is read.
// no gap: reads what excuses; reading less excuses less
const maxDescription = 16 << 10

// execution matches descriptions that say the tool runs commands for its caller.
var execution = lazyregexp.New(`(?i)\b(?:run|runs|running|execute|executes|executing|invoke|invokes|launch|launches)` +
	`\s+(?:an?\s+|the\s+|any\s+|some\s+|given\s+|arbitrary\s+|supplied\s+|user\s+)*` +
	`(?:shell|bash|terminal|system|command|commands|script|scripts|program|programs|process|processes|code|python|javascript)\b` +
	`|\b(?:shell|bash|terminal)\s+(?:command|commands|session|script)\b`)

// Executes tells whether the tool's description, or the name of the prompt, says
// that it runs programs. A user who allows the tool can read that.
func (d *Declaration) Executes(tool, prompt string) bool {
	return d.Tools.says(tool).executes || prompt != "" && slices.ContainsFunc(lex.Words(prompt), meansExecution)
}

func meansExecution(word string) bool { return known().Execution[word] }

// Tools are the tools' names, descriptions and schemas.
type Tools struct {
	tools map[string]mcpsf.Tool
	// sayings caches the words of their names and descriptions.
	sayings map[string]*saying
}

// NewTools returns Tools that read each tool on first use.
func NewTools(tools map[string]mcpsf.Tool) *Tools {
	return &Tools{tools: tools, sayings: map[string]*saying{}}
}

// saying holds the words of a tool's name and description.
type saying struct {
	executes bool
	// writes caches whether it says that it changes something.
	writes *bool
	// name are the words of its name; described are those of its description.
	name      []string
	described map[string]bool
}

// says reads a tool's name and description once.
func (t *Tools) says(tool string) *saying {
	s := t.sayings[tool]
	if s == nil {
		about := t.description(tool)
		s = &saying{name: lex.Words(tool), described: map[string]bool{}}
		s.executes = slices.ContainsFunc(s.name, meansExecution) || execution.MatchString(about)
		for word := range strings.FieldsFuncSeq(strings.ToLower(about), lex.NotWord) {
			s.described[word] = true
		}
		t.sayings[tool] = s
	}
	return s
}

// Mentions tells whether the tool, or the package's name, mentions a program.
func (d *Declaration) Mentions(tool, word string) bool {
	word = strings.ToLower(word)
	return word != "" && (d.Purpose.words[word] || d.Tools.Mentions(tool, word) || d.Purpose.runs(word))
}

// mentionsAny tells whether the tool or the package's name mentions one of the words.
func (d *Declaration) mentionsAny(tool string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return d.Mentions(tool, w) })
}

// Mentions tells whether the tool's name or description contains the word.
func (t *Tools) Mentions(tool, word string) bool {
	word, said := strings.ToLower(word), t.says(tool)
	return said.described[word] || slices.Contains(said.name, word)
}

// NameHas tells whether the package's name has one of the words, or is that of a
// service whose client one of them is.
func (d *Declaration) NameHas(words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return d.Purpose.words[w] || d.Purpose.runs(w) })
}

// Says tells whether the tool's name or description contains one of the words.
func (t *Tools) Says(tool, words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return t.Mentions(tool, w) })
}

// ShowsVariables tells whether the tool says that it shows environment
// variables, or runs commands, which may print them.
func (d *Declaration) ShowsVariables(tool, prompt string) bool {
	return d.mentionsAny(tool, "env", "environment", "environ", "getenv", "printenv") || d.Executes(tool, prompt)
}

// GeneratesSecrets tells whether the tool says that it makes up passwords, tokens
// or keys that are random: in its name, or in so many words. One that derives them
// from a secret that it is given, or shows a sample, does not.
func (d *Declaration) GeneratesSecrets(tool string) bool {
	secret := []string{"password", "passwords", "passphrase", "secret", "secrets", "token", "tokens", "apikey", "nonce", "salt"}
	named := slices.ContainsFunc(secret, func(w string) bool { return slices.Contains(d.Tools.says(tool).name, w) })
	made := d.mentionsAny(tool, "generate", "generates", "create", "creates", "make", "new")
	random := d.mentionsAny(tool, "random", "strong", "secure", "unguessable", "cryptographic", "cryptographically")
	return (named && made || random && d.mentionsAny(tool, append(secret, "key", "keys")...)) && !d.Tools.takesSecret(tool) &&
		!d.mentionsAny(tool, "hash", "derive", "derives", "derived", "deterministic", "seed", "seeded",
			"sample", "samples", "example", "examples", "fake", "demo", "test", "mock", "dummy", "fixed")
}

// takesSecret tells whether a parameter of the tool is a secret.
func (t *Tools) takesSecret(tool string) bool {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(t.tools[tool].InputSchema, &schema) != nil {
		return false
	}
	for name := range schema.Properties {
		if lex.IsCredential(name, "") {
			return true
		}
	}
	return false
}

// Waits tells whether the tool says that it waits or takes long.
func (d *Declaration) Waits(tool string) bool {
	return d.mentionsAny(tool, "sleep", "wait", "waits", "delay", "pause", "timer", "timeout", "duration")
}

func (t *Tools) description(tool string) string {
	d := t.tools[tool].Description
	return d[:min(len(d), maxDescription)]
}
