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

const (
	// maxTold is how many answers are remembered, leastTold how long one has to
	// be, and mostTold how much of its beginning is compared.
	maxTold, leastTold, mostTold = 64, 16, 48
)

// Answers is what the network told the server.
type Answers struct {
	// told is how the latest answers began.
	told []string
	// addresses are the mail addresses in answers.
	addresses map[string]bool
	// Downloaded is set once the server was sent something, reached once
	// somebody outside has answered: a host that is not made up.
	Downloaded, reached bool
}

func newAnswers() *Answers { return &Answers{addresses: map[string]bool{}} }

// see takes in an event.
func (a *Answers) see(e *mcpsf.Event) {
	a.reached = a.reached || e.Flow != nil && e.Flow.Reached != ""
	if e.HTTP == nil {
		return
	}
	a.addressesOf(e.HTTP)
	a.hear(e.HTTP.Answer)
	a.Downloaded = a.Downloaded || e.Phase != mcpsf.PhaseInstall && e.HTTP.Method == http.MethodGet && e.HTTP.Status == http.StatusOK && e.HTTP.AnswerSize > 0
}

// hear remembers how an answer of the network began.
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

// RunsAnswer tells whether a shell or an interpreter was given as a command what
// the network had answered.
func (a *Answers) RunsAnswer(f *event.Fields) bool {
	if len(f.Args) < 3 || !programs.IsShell(f.Path, f.Args) && !programs.IsRuntime(path.Base(f.Path)) {
		return false
	}
	return slices.ContainsFunc(f.Args[2:], func(arg string) bool {
		return slices.ContainsFunc(a.told, func(said string) bool { return strings.Contains(arg, said) })
	})
}

// addressesOf remembers the addresses that the network told the server: who
// replies to a mail has the recipient from there. What an answer merely
// repeats of the request it does not tell.
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
