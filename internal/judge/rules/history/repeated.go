package history

import (
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// leastToken is the least length of a text that may be a generated secret.
const leastToken = 12

// Repeated finds secrets that a tool generates and generates again in another
// start of the server. What is the same twice is not random.
type Repeated struct {
	declared *declared.Declaration
	// given are the parameters of the calls of the current sandbox.
	given map[string]string
	// said are tokens in answers of hosts: whoever passes one on did not generate
	// it.
	said map[string]bool
	// first is the sandbox in which a tool returned a secret first.
	first map[[2]string]int
	again map[int64]bool
	// box counts the sandboxes; kept is set in one that has the files of another,
	// in which a secret may have been kept.
	box  int
	kept bool
}

func newRepeated(d *declared.Declaration) *Repeated {
	return &Repeated{declared: d, given: map[string]string{}, said: map[string]bool{}, first: map[[2]string]int{}, again: map[int64]bool{}}
}

// Has tells whether a result has a secret that an earlier start returned, too.
func (r *Repeated) Has(seq int64) bool { return r.again[seq] }

// foresee adds an event.
func (r *Repeated) foresee(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindSandboxStart {
		r.box++
		r.kept = e.Sandbox != nil && e.Sandbox.Kept
		clear(r.given)
	}
	if e.HTTP != nil {
		r.hear(e.HTTP.Answer)
	}
	d := e.MCP
	if d == nil || d.Tool == "" || r.kept || !r.declared.GeneratesSecrets(d.Tool) {
		return
	}
	switch e.Kind {
	case mcpsf.KindMCPRequest:
		r.given[e.Call] = string(d.Body)
	case mcpsf.KindMCPResponse:
		r.result(e)
	}
}

// hear remembers the tokens of a host's answer.
func (r *Repeated) hear(answer string) {
	for token := range strings.FieldsFuncSeq(answer, betweenTokens) {
		if len(r.said) < lex.MaxListed && isToken(token) {
			r.said[token] = true
		}
	}
}

func (r *Repeated) result(e *mcpsf.Event) {
	given, known := r.given[e.Call]
	if !known || len(r.first) >= lex.MaxListed {
		return
	}
	for token := range strings.FieldsFuncSeq(string(e.MCP.Body), betweenTokens) {
		if !isToken(token) || r.said[token] || strings.Contains(given, token) {
			continue
		}
		key := [2]string{e.MCP.Tool, token}
		if earlier, ok := r.first[key]; !ok {
			r.first[key] = r.box
		} else if earlier != r.box {
			r.again[e.Seq] = true
		}
	}
}

func betweenTokens(c rune) bool {
	return unicode.IsSpace(c) || strings.ContainsRune("\"'`,;:\\()[]{}<>", c)
}

// isToken tells whether a text may be a generated secret: it has letters and
// digits, and most of its characters differ.
func isToken(s string) bool {
	if len(s) < leastToken {
		return false
	}
	distinct := map[rune]bool{}
	for _, c := range s {
		distinct[c] = true
	}
	return len(distinct) >= leastToken/2+2 && strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter)
}
