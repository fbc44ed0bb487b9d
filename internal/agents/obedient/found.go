package obedient

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// order is an order with all that is needed to obey it.
type found struct {
	Order
	// key is the same for the same order in each ask.
	key    string
	text   *text
	cond   condition
	assets []asset
	sink   sink
	// via is the tool to do it with, -1 if one is to be chosen.
	via   int
	retry bool
	args  arguments
	// value is what is to be written, remembered or set.
	value string
	// avoid is the tool that is not to be used, -1 for all others.
	avoid int
	// whole is set if a value takes the place of the user's, else it is added.
	replace bool
	// able is the ability of the tools that the order is about, if any.
	ability ability
	// role is that of the parameter that gets a value, if it has no name.
	role role
}

// ledger has the orders that were found.
type ledger struct {
	tools  *resolver
	orders []found
	seen   map[string]bool
	quiet  bool
}

// add takes an order into the book.
func (b *ledger) add(s *utterance, o found) {
	o.Place, o.Quote, o.How, o.text, o.cond = s.place, s.quote(), s.how, s.text, s.when
	o.When = s.when.moment
	if s.when.tool >= 0 {
		o.Tool = b.tools.names.tools[s.when.tool].Name
	}
	var what []string
	for _, t := range o.assets {
		what = append(what, t.String())
	}
	if o.What == "" {
		o.What = promptscan.Printable(strings.Join(what, ", "))
	}
	o.key = keyOf(string(o.Action), string(s.place.Part), s.place.Tool, s.place.Field, s.place.CallID, o.Quote, o.What, o.To)
	if b.seen[o.key] || len(b.orders) >= maxOrders {
		return
	}
	b.seen[o.key] = true
	b.orders = append(b.orders, o)
}

// hush: nothing is to be told of it.
func (b *ledger) secrecy(s *utterance, sure bool) {
	if sure || b.asksSecrecy(s) {
		b.quiet = true
		b.add(s, found{Order: Order{Action: Silence}})
	}
}

// hushes: beside an order stands that somebody is not to hear of something.
func (b *ledger) asksSecrecy(s *utterance) bool {
	if !slices.ContainsFunc(b.orders, func(o found) bool { return o.Place == s.place }) {
		return false
	}
	return slices.ContainsFunc(s.each("telling"), func(m promptscan.Sense) bool { return s.within(m.From-6, m.To+5, "not") })
}

func (b *ledger) has(s *utterance) bool {
	quote := s.quote()
	return slices.ContainsFunc(b.orders, func(o found) bool { return o.Action != Silence && o.Place == s.place && o.Quote == quote })
}

// keyOf is short and the same for the same words.
func keyOf(words ...string) string {
	h := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(h[:8])
}
