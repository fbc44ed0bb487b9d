package obedient

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// alterRule finds orders to change the calls that the user wants.
type alterRule struct {
	tools *resolver
	found *ledger
}

// alter: a call that the user wants is to be made with other arguments.
func (b *alterRule) find(s *utterance, things []asset, sinks []sink) bool {
	if slices.ContainsFunc(things, func(t asset) bool { return !t.weak }) {
		return false
	}
	return b.alterOther(s, sinks) || b.alterOwn(s)
}

// alterOther: the mails, payments and requests of other tools get another
// address.
func (b *alterRule) alterOther(s *utterance, sinks []sink) bool {
	tool, able := b.altered(s)
	if able == "" || s.onlyForbids() || s.isSummary() && s.imperativeScore() == 0 && tool < 0 {
		return false
	}
	o := found{Order: Order{Action: Alter}, via: tool, ability: able, avoid: -1}
	n := s.imperativeScore() - s.harmlessScore() + 1
	for _, class := range []string{"universal", "copied", "instead", "but-for", "lately", "better", "detour"} {
		if s.has(class) || class == "universal" && s.nearby(1, class) {
			n++
		}
	}
	if tool >= 0 {
		n += 2
	} else if !s.nearby(1, "universal") {
		return false
	}
	if !s.english() {
		n++
	}
	setChange(s, &o, sinks)
	if o.role == roleBody {
		n++
	}
	if o.value == "" || n < enough-1 {
		return false
	}
	s.when.moment, s.when.tool = With, tool
	o.To = o.value
	b.found.add(s, o)
	return true
}

// change is what becomes of the user's call.
func setChange(s *utterance, o *found, sinks []sink) {
	switch {
	case o.ability == canPay:
		o.value, o.role, o.replace = accountIn(s), roleAccount, true
		return
	case s.near(0, len(s.Words), "footer", "signature", "end", "body", "bottom") && s.quotedText() != "":
		o.value, o.role = s.quotedText(), roleBody
		return
	}
	for _, k := range sinks {
		switch {
		case s.near(k.at-1, k.at, "from", "von", "de"):
		case k.channel == viaMail && o.ability == canMail:
			o.value, o.role, o.replace = k.address, recipientRole(s), replacesRecipient(s)
			return
		case k.channel == viaWeb && o.ability == canPost:
			o.value, o.role, o.replace = k.address, roleURL, true
			return
		}
	}
}

// altered is the tool, or what sort of tool, a sentence wants to have changed.
func (b *alterRule) altered(s *utterance) (int, ability) {
	for _, m := range b.tools.mentionsIn(s, 0, len(s.Words)) {
		for _, a := range []ability{canMail, canPay, canPost} {
			if b.tools.profiles[m.tool].can(a) && m.tool != s.tool {
				if ordersCall(s, m) {
					return -1, ""
				}
				return m.tool, a
			}
		}
	}
	switch {
	case s.place.Part == InTool && s.isSummary():
		return -1, ""
	case mentionsMail(s):
		return -1, canMail
	case s.near(0, len(s.Words), "payment", "payments", "transfer", "transfers", "uberweisung", "pago", "virement") && accountIn(s) != "":
		return -1, canPay
	case s.has("requests"):
		return -1, canPost
	}
	return -1, ""
}

// mails: mail is spoken of, and not just to be sent.
func mentionsMail(s *utterance) bool {
	verbs := s.imperatives("pass")
	return slices.ContainsFunc(s.each("mails"), func(m promptscan.Sense) bool {
		return !slices.ContainsFunc(verbs, func(v promptscan.Sense) bool { return v.From <= m.From && m.From < v.To })
	})
}

// ordersCall: the tool is to be called now, and not changed when it is.
func ordersCall(s *utterance, m mention) bool {
	return !s.when.covers(m.from) && slices.ContainsFunc(s.imperatives("call"), func(v promptscan.Sense) bool {
		return v.To <= m.from && m.from-v.To < 3 && !s.near(v.From, v.To, "calling")
	}) && !s.when.explicit
}

// recipient is the parameter that an address is for.
func recipientRole(s *utterance) role {
	if s.has("copied") && !s.near(0, len(s.Words), "recipient", "addressees", "addressed") {
		return roleCopy
	}
	return roleReceiver
}

// replaces: the user's own recipient goes.
func replacesRecipient(s *utterance) bool {
	return recipientRole(s) == roleReceiver && (s.has("instead") || s.near(0, len(s.Words), "set", "replace", "change", "real", "original", "redirect", "substitute", "route", "addressed"))
}

// alterCommands: each command is to begin with another.
func (b *alterRule) findPrefix(s *utterance) bool {
	from, to := s.extent()
	m := ticked.FindStringSubmatch(s.source[from:to])
	if m == nil || !isCommand(m[1]) || !s.speaksToModel() || s.isSummary() ||
		!s.near(0, len(s.Words), "every", "each", "all", "any") || !s.near(0, len(s.Words), "command", "commands") ||
		!s.near(0, len(s.Words), "begin", "begins", "start", "prefix", "prepend", "include", "precede", "preceded", "prefixed", "beginning") {
		return false
	}
	s.when.moment, s.when.tool = With, -1
	b.found.add(s, found{Order: Order{Action: Alter, To: m[1]}, via: -1, ability: canRun, avoid: -1, value: m[1], role: roleCommand})
	return true
}
