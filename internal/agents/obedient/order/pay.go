package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// payRule finds orders to send money.
type payRule struct{ found *Ledger }

// find adds an order if money is to be sent to an account.
func (r *payRule) find(s *utterance) bool {
	account := accountIn(s)
	if account == "" || s.Has("example") || s.isSummary() && !s.speaksToModel() {
		return false
	}
	verbs := slices.ContainsFunc(s.Imperatives("pass", "call", "danger", "alter"), func(m promptscan.Sense) bool {
		return s.NearSet(m.From, m.To, words().Verbs.Paying)
	})
	amount := ""
	for _, w := range s.Words {
		if number(w.Text) && len(w.Text) < 8 {
			amount = w.Text
			break
		}
	}
	if !verbs || amount == "" {
		return false
	}
	r.found.add(s, Found{Order: Order{Action: Call, What: amount, To: account}, Value: amount, Sink: sink{Address: account}, Via: -1, Ability: toolkit.CanPay})
	return true
}

// accountIn is the last text that looks like an account number or wallet.
func accountIn(s *utterance) string {
	out := ""
	for i, w := range s.Words {
		digits := 0
		for _, c := range w.Text {
			if c >= '0' && c <= '9' {
				digits++
			}
		}
		if digits >= 8 && len(w.Text) >= 12 && w.Shape == promptscan.ShapeWord && !s.Within(i-3, i, "example") {
			out = strings.ToUpper(s.Literal(i))
		}
	}
	return out
}

func number(w string) bool {
	return w != "" && !strings.ContainsFunc(w, func(r rune) bool { return r < '0' || r > '9' })
}
