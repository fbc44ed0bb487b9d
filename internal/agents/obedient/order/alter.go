package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/shell"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// alterRule finds orders to change the calls that the user wants.
type alterRule struct {
	tools *Resolver
	found *Ledger
}

// find adds an order if a call that the user wants is to be made with other
// arguments.
func (r *alterRule) find(s *utterance, assets []Asset, sinks []sink) bool {
	if slices.ContainsFunc(assets, func(t Asset) bool { return !t.weak }) {
		return false
	}
	return r.alterOther(s, sinks) || r.alterOwn(s)
}

// alterOther adds an order if the mails, payments or requests of other tools are
// to get another address.
func (r *alterRule) alterOther(s *utterance, sinks []sink) bool {
	tool, able := r.altered(s)
	if able == "" || s.OnlyForbids() || s.isSummary() && s.imperativeScore() == 0 && tool < 0 {
		return false
	}
	o := Found{Order: Order{Action: Alter}, Via: tool, Ability: able, Avoid: -1}
	n := s.imperativeScore() - s.harmlessScore() + 1
	for _, class := range []string{"universal", "copied", "instead", "but-for", "lately", "better", "detour"} {
		if s.Has(class) || class == "universal" && s.nearby(1, class) {
			n++
		}
	}
	if tool >= 0 {
		n += 2
	} else if !s.nearby(1, "universal") {
		return false
	}
	if !s.English() {
		n++
	}
	setChange(s, &o, sinks)
	if o.Role == toolkit.RoleBody {
		n++
	}
	if o.Value == "" || n < enough-1 {
		return false
	}
	s.when.Moment, s.when.Tool = With, tool
	o.To = o.Value
	r.found.add(s, o)
	return true
}

// setChange sets how the user's call is to change.
func setChange(s *utterance, o *Found, sinks []sink) {
	switch {
	case o.Ability == toolkit.CanPay:
		o.Value, o.Role, o.Replace = accountIn(s), toolkit.RoleAccount, true
		return
	case s.Near(0, len(s.Words), "footer", "signature", "end", "body", "bottom") && s.QuotedText() != "":
		o.Value, o.Role = s.QuotedText(), toolkit.RoleBody
		return
	}
	for _, k := range sinks {
		switch {
		case s.Near(k.at-1, k.at, "from", "von", "de"):
		case k.Channel == viaMail && o.Ability == toolkit.CanMail:
			o.Value, o.Role, o.Replace = k.Address, recipientRole(s), replacesRecipient(s)
			return
		case k.Channel == ViaWeb && o.Ability == toolkit.CanPost:
			o.Value, o.Role, o.Replace = k.Address, toolkit.RoleURL, true
			return
		}
	}
}

// altered is the tool, or the kind of tool, whose calls a sentence wants
// changed.
func (r *alterRule) altered(s *utterance) (int, toolkit.Ability) {
	for _, m := range r.tools.mentionsIn(s, 0, len(s.Words)) {
		for _, a := range []toolkit.Ability{toolkit.CanMail, toolkit.CanPay, toolkit.CanPost} {
			if r.tools.Profiles[m.tool].Can(a) && m.tool != s.Tool {
				if ordersCall(s, m) {
					return -1, ""
				}
				return m.tool, a
			}
		}
	}
	switch {
	case s.Place.Part == InTool && s.isSummary():
		return -1, ""
	case mentionsMail(s):
		return -1, toolkit.CanMail
	case s.NearSet(0, len(s.Words), words().Phrases.Payments) && accountIn(s) != "":
		return -1, toolkit.CanPay
	case s.Has("requests"):
		return -1, toolkit.CanPost
	}
	return -1, ""
}

// mentionsMail reports whether the sentence is about mails, and "mail" is not
// only its verb.
func mentionsMail(s *utterance) bool {
	verbs := s.Imperatives("pass")
	return slices.ContainsFunc(s.Each("mails"), func(m promptscan.Sense) bool {
		return !slices.ContainsFunc(verbs, func(v promptscan.Sense) bool { return v.From <= m.From && m.From < v.To })
	})
}

// ordersCall reports whether the sentence orders a call of the tool now, rather
// than a change of the user's calls.
func ordersCall(s *utterance, m mention) bool {
	return !s.when.Covers(m.from) && slices.ContainsFunc(s.Imperatives("call"), func(v promptscan.Sense) bool {
		return v.To <= m.from && m.from-v.To < 3 && !s.Near(v.From, v.To, "calling")
	}) && !s.when.explicit
}

// recipientRole is the role of the parameter for an address.
func recipientRole(s *utterance) toolkit.Role {
	if s.Has("copied") && !s.Near(0, len(s.Words), "recipient", "addressees", "addressed") {
		return toolkit.RoleCopy
	}
	return toolkit.RoleReceiver
}

// replacesRecipient reports whether the address replaces the user's recipient.
func replacesRecipient(s *utterance) bool {
	return recipientRole(s) == toolkit.RoleReceiver && (s.Has("instead") || s.Near(0, len(s.Words), "set", "replace", "change", "real", "original", "redirect", "substitute", "route", "addressed"))
}

// findPrefix adds an order if each command is to begin with another one.
func (r *alterRule) findPrefix(s *utterance) bool {
	from, to := s.Extent()
	m := ticked.FindStringSubmatch(s.Source[from:to])
	if m == nil || !shell.IsCommand(m[1]) || !s.speaksToModel() || s.isSummary() ||
		!s.Near(0, len(s.Words), "every", "each", "all", "any") || !s.Near(0, len(s.Words), "command", "commands") ||
		!s.NearSet(0, len(s.Words), words().Verbs.Beginning) {
		return false
	}
	s.when.Moment, s.when.Tool = With, -1
	r.found.add(s, Found{Order: Order{Action: Alter, To: m[1]}, Via: -1, Ability: toolkit.CanRun, Avoid: -1, Value: m[1], Role: toolkit.RoleCommand})
	return true
}
