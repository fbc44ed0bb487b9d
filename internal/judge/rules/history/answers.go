package history

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/mail"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// no gap: the latest answers stay, and what an answer makes the server do is judged by itself
const (
	// maxTold is how many answers are remembered, leastTold their minimum
	// length, and mostTold how many of their first bytes are compared.
	maxTold, leastTold, mostTold = 64, 16, 48
)

// Answers holds what the network sent to the server.
type Answers struct {
	// told are the beginnings of the latest answers.
	told []string
	// addresses are the mail addresses in answers.
	addresses map[string]bool
	// Downloaded is set once the server downloaded something. reached is set
	// once a real host, outside the fake network, has answered.
	Downloaded, reached bool
}

func newAnswers() *Answers { return &Answers{addresses: map[string]bool{}} }

// see adds an event.
func (a *Answers) see(e *mcpsf.Event) {
	a.reached = a.reached || e.Flow != nil && e.Flow.Reached != ""
	if e.HTTP == nil {
		return
	}
	a.addressesOf(e.HTTP)
	a.hear(e.HTTP.Answer)
	a.Downloaded = a.Downloaded || e.Phase != mcpsf.PhaseInstall && e.HTTP.Method == http.MethodGet && e.HTTP.Status == http.StatusOK && e.HTTP.AnswerSize > 0
}

// hear remembers the beginning of an answer.
func (a *Answers) hear(answer string) {
	answer = strings.TrimSpace(answer)
	if len(answer) < leastTold {
		return
	}
	answer = answer[:min(len(answer), mostTold)]
	if slices.Contains(a.told, answer) {
		return
	}
	if len(a.told) >= maxTold {
		a.told = a.told[1:]
	}
	a.told = append(a.told, answer)
}

// RunsAnswer tells whether a shell or an interpreter was started with a part of
// a network answer as its command. What the caller gave as well is the caller's.
func (r *Run) RunsAnswer(f *event.Fields) bool {
	var given []string
	if c := r.Calls.ByID[f.Call]; c != nil {
		given = c.ownValues()
	}
	return r.Answers.runs(f, given)
}

func (a *Answers) runs(f *event.Fields, given []string) bool {
	if len(f.Args) < 3 || !programs.IsShell(f.Path, f.Args) && !programs.IsRuntime(path.Base(f.Path)) {
		return false
	}
	return slices.ContainsFunc(f.Args[2:], func(arg string) bool {
		return slices.ContainsFunc(a.told, func(said string) bool {
			return strings.Contains(arg, said) &&
				!slices.ContainsFunc(given, func(text string) bool { return strings.Contains(text, strings.TrimSpace(lex.Unquoted(said))) })
		})
	})
}

// addressesOf remembers the mail addresses in an answer: a server that replies
// to a mail gets the recipient from there. Addresses that occur in the request
// do not count.
func (a *Answers) addressesOf(h *mcpsf.HTTPDetail) {
	if strings.IndexByte(h.Answer, '@') < 0 {
		return
	}
	asked := strings.ToLower(quote.Cut(h.URL, lex.MaxURL) + "\n" + quote.Cut(h.Body, mail.MaxBody))
	for _, address := range mail.Addresses(h.Answer) {
		if len(a.addresses) < mail.MaxAddresses && !strings.Contains(asked, address) {
			a.addresses[address] = true
		}
	}
}
