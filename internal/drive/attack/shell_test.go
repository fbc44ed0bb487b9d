package attack

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// commandTemplates are commands of vulnerable servers. X is the value.
func commandTemplates() map[string]string {
	return map[string]string{
		"unquoted":            "echo X",
		"unquoted inside":     "echo --grep=X --oneline 2>/dev/null | cat",
		"double quotes":       `echo "X"`,
		"double, with option": `echo --author="X" --max-count=5`,
		"single quotes":       `echo 'X'`,
		"single, inside":      `echo -name '*X*' -type f | head -5`,
		"nested shell":        `sh -c "echo 'X'"`,
		"substitution":        `echo "$(echo X)"`,
		"subshell":            `(cd . && echo X)`,
		"conditional":         `test -e "X" && echo there || true`,
		"here document":       "cat <<EOF\nX\nEOF",
		"path":                "cat ./X.md 2>/dev/null",
		"assignment":          `V="X"; echo $V`,
	}
}

// Each of the first payloads breaks out of every quoting, so that one works
// even if the author filtered some characters.
func TestShellPayloadsBreakOut(t *testing.T) {
	m := newMachine(t)
	payloads := commandPayloads(m.w, Place{Kind: "name", Type: "string", Value: json.RawMessage(`"notes"`)})
	// Payloads that end with a comment do not fit where a bracket or quote must
	// be closed.
	quotings := []string{
		"unquoted", "unquoted inside", "double quotes", "double, with option", "single quotes", "single, inside", "conditional", "path", "assignment",
	}
	for i, y := range payloads[:commandInjection().Balanced] {
		for name, template := range commandTemplates() {
			if i > 0 && !slices.Contains(quotings, name) {
				continue
			}
			for _, shell := range []string{"sh", "bash"} {
				m.run(shell, "-c", strings.ReplaceAll(template, "X", y.Value.(string)))
				if !m.showed(y, "") {
					t.Errorf("%s: %q does not break out of %q", shell, y.Value, template)
				}
			}
		}
	}
}

// Every form breaks out of at least one template; otherwise it is useless.
func TestEveryShellFormBreaksOutOfSomething(t *testing.T) {
	elsewhere := map[string]bool{ // needs a shell or decoder that this machine lacks
		"second line, encoded": true, "second line as Windows ends it": true, "second command, encoded": true, "separator that normalises to a semicolon": true,
	}
	m := newMachine(t)
	templates := commandTemplates()
	templates["fails"] = "false X"
	templates["escaped single"] = `echo 'E'`
	templates["escaped double"] = `echo "E"`
	templates["option"] = "echo X"
	for _, y := range commandPayloads(m.w, Place{Kind: "name", Type: "string", Value: json.RawMessage(`"notes"`)}) {
		value, ok := y.Value.(string)
		if !ok {
			value = y.Value.([]any)[0].(string)
		}
		broken := false
		for _, template := range templates {
			for _, shell := range []string{"sh", "bash"} {
				escaped := strings.NewReplacer(`'`, `\'`, `"`, `\"`).Replace(value)
				m.run(shell, "-c", strings.NewReplacer("X", value, "E", escaped).Replace(template))
				broken = m.showed(y, "") || broken
			}
			if broken {
				break
			}
		}
		if !broken && !elsewhere[y.Why] {
			t.Errorf("%s: %q breaks out of nothing", y.Why, value)
		}
	}
}

// A server that quotes the value, or passes it as an argument, is safe from all
// payloads.
func TestShellPayloadsSpareTheSafe(t *testing.T) {
	m := newMachine(t)
	for kind, value := range ordinary() {
		for _, y := range commandPayloads(m.w, Place{Kind: kind, Type: "string", Value: json.RawMessage(value)}) {
			v, ok := y.Value.(string)
			if !ok {
				continue
			}
			if kind == "name" {
				m.run("sh", "-c", "echo '"+strings.ReplaceAll(v, "'", `'\''`)+"'")
				m.run("echo", v)
			}
			if m.showed(y, "") {
				t.Errorf("%s: %q runs its program though it is quoted", y.Why, v)
			}
		}
	}
}

// A tool that checks whether the file exists gets an existing file.
func TestOddFileExistsAndBreaksOut(t *testing.T) {
	m := newMachine(t)
	m.plant()
	for _, kind := range []string{"path", "dir"} {
		for _, value := range []string{`"notes.md"`, `"` + m.w.Roots[0] + `/notes.md"`} {
			p := Place{Kind: kind, Type: "string", Value: json.RawMessage(value)}
			y := commandPayloads(m.w, p)[1]
			at := y.Value.(string)
			if !filepath.IsAbs(at) {
				at = "./" + at
			}
			for _, line := range []string{"test -e \"$1\" && eval \"cat $1\"", "test -e \"$1\" && eval \"cat '$1'\"", "test -e \"$1\" && eval \"cat \\\"$1\\\"\""} {
				m.run("sh", "-c", line, "sh", at)
				if !m.showed(y, "") {
					t.Errorf("%s: %q is not there or does not break out of %s", kind, at, line)
				}
			}
		}
	}
}
