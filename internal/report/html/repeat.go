package html

import (
	"fmt"
	"strings"
)

// repeatView is how to repeat the run.
type repeatView struct {
	Command string
	// Hidden says that values were left out of the command.
	Hidden bool
	RunID  string
	Digest string
	Tool   string
}

func (b packageSection) repeat() repeatView {
	r := b.Report
	words := []string{"mcpsf", "assess", quote(r.Target.Source), "--seed", fmt.Sprint(r.Run.Seed)}
	for _, kv := range r.Target.Env {
		name, _, _ := strings.Cut(kv, "=")
		words = append(words, "--env", quote(name+"=…")) // the value may be a secret of the user
	}
	if len(r.Target.Command) > 0 {
		words = append(words, "--")
		for _, w := range r.Target.Command {
			words = append(words, quote(w))
		}
	}
	return repeatView{
		Command: b.line(strings.Join(words, " "), maxProse), Hidden: len(r.Target.Env) > 0,
		RunID: b.line(r.Run.ID, maxName), Digest: b.line(r.Artifact.Digest, maxName),
		Tool: b.line(strings.TrimSpace(r.Tool.Name+" "+r.Tool.Version), maxName),
	}
}

// quote quotes a word for a shell.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-…", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
