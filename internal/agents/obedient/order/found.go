package order

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// Found is an order with everything needed to obey it.
type Found struct {
	Order
	// key identifies the same order in each request.
	key    string
	Text   *text
	Cond   condition
	Assets []Asset
	Sink   sink
	// Via is the tool to use, -1 if one is to be chosen.
	Via   int
	Retry bool
	Args  toolkit.Arguments
	// Value is what to write, remember or set.
	Value string
	// Avoid is the tool not to be used, -1 for all others.
	Avoid int
	// Replace is set if the value replaces the user's; otherwise it is added.
	Replace bool
	// Ability is the ability of the tools that the order concerns, if any.
	Ability toolkit.Ability
	// Role is the role of the parameter that gets a value, if it is not named.
	Role toolkit.Role
}

// Ledger has the orders found so far.
type Ledger struct {
	tools  *Resolver
	Orders []Found
	seen   map[string]bool
	Quiet  bool
}

// add adds an order unless it was found before.
func (l *Ledger) add(s *utterance, o Found) {
	o.Place, o.Quote, o.How, o.Text, o.Cond = s.Place, s.Quote(), s.how, s.text, s.when
	o.When = s.when.Moment
	if s.when.Tool >= 0 {
		o.Tool = l.tools.Names.Tools[s.when.Tool].Name
	}
	var what []string
	for _, t := range o.Assets {
		what = append(what, t.String())
	}
	if o.What == "" {
		o.What = promptscan.Printable(strings.Join(what, ", "))
	}
	o.key = KeyOf(string(o.Action), string(s.Place.Part), s.Place.Tool, s.Place.Field, s.Place.CallID, o.Quote, o.What, o.To)
	if l.seen[o.key] || len(l.Orders) >= MaxOrders {
		return
	}
	l.seen[o.key] = true
	l.Orders = append(l.Orders, o)
}

// secrecy adds an order to keep silent, if the sentence asks for that.
func (l *Ledger) secrecy(s *utterance, sure bool) {
	if sure || l.asksSecrecy(s) {
		l.Quiet = true
		l.add(s, Found{Order: Order{Action: Silence}})
	}
}

// asksSecrecy reports whether the sentence is in the same text as an order and
// says that somebody is not to know of it.
func (l *Ledger) asksSecrecy(s *utterance) bool {
	if !slices.ContainsFunc(l.Orders, func(o Found) bool { return o.Place == s.Place }) {
		return false
	}
	return slices.ContainsFunc(s.Each("telling"), func(m promptscan.Sense) bool { return s.Within(m.From-6, m.To+5, "not") })
}

// has reports whether an order was found in the sentence.
func (l *Ledger) has(s *utterance) bool {
	quote := s.Quote()
	return slices.ContainsFunc(l.Orders, func(o Found) bool { return o.Action != Silence && o.Place == s.Place && o.Quote == quote })
}

// KeyOf is a short hash of some words.
func KeyOf(words ...string) string {
	h := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(h[:8])
}
