package order

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// order is an order with all that is needed to obey it.
type Found struct {
	Order
	// key is the same for the same order in each ask.
	key    string
	Text   *text
	Cond   condition
	Assets []Asset
	Sink   sink
	// via is the tool to do it with, -1 if one is to be chosen.
	Via   int
	Retry bool
	Args  toolkit.Arguments
	// value is what is to be written, remembered or set.
	Value string
	// avoid is the tool that is not to be used, -1 for all others.
	Avoid int
	// whole is set if a value takes the place of the user's, else it is added.
	Replace bool
	// able is the ability of the tools that the order is about, if any.
	Ability toolkit.Ability
	// role is that of the parameter that gets a value, if it has no name.
	Role toolkit.Role
}

// ledger has the orders that were found.
type Ledger struct {
	tools  *Resolver
	Orders []Found
	seen   map[string]bool
	Quiet  bool
}

// add takes an order into the book.
func (b *Ledger) add(s *utterance, o Found) {
	o.Place, o.Quote, o.How, o.Text, o.Cond = s.Place, s.Quote(), s.how, s.text, s.when
	o.When = s.when.Moment
	if s.when.Tool >= 0 {
		o.Tool = b.tools.Names.Tools[s.when.Tool].Name
	}
	var what []string
	for _, t := range o.Assets {
		what = append(what, t.String())
	}
	if o.What == "" {
		o.What = promptscan.Printable(strings.Join(what, ", "))
	}
	o.key = KeyOf(string(o.Action), string(s.Place.Part), s.Place.Tool, s.Place.Field, s.Place.CallID, o.Quote, o.What, o.To)
	if b.seen[o.key] || len(b.Orders) >= MaxOrders {
		return
	}
	b.seen[o.key] = true
	b.Orders = append(b.Orders, o)
}

// hush: nothing is to be told of it.
func (b *Ledger) secrecy(s *utterance, sure bool) {
	if sure || b.asksSecrecy(s) {
		b.Quiet = true
		b.add(s, Found{Order: Order{Action: Silence}})
	}
}

// hushes: beside an order stands that somebody is not to hear of something.
func (b *Ledger) asksSecrecy(s *utterance) bool {
	if !slices.ContainsFunc(b.Orders, func(o Found) bool { return o.Place == s.Place }) {
		return false
	}
	return slices.ContainsFunc(s.Each("telling"), func(m promptscan.Sense) bool { return s.Within(m.From-6, m.To+5, "not") })
}

func (b *Ledger) has(s *utterance) bool {
	quote := s.Quote()
	return slices.ContainsFunc(b.Orders, func(o Found) bool { return o.Action != Silence && o.Place == s.Place && o.Quote == quote })
}

// keyOf is short and the same for the same words.
func KeyOf(words ...string) string {
	h := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(h[:8])
}
