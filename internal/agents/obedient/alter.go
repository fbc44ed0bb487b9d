package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// alterRule finds orders to change the calls that the user wants.
type alterRule struct {
	tools *resolver
	found *ledger
}

// alter: a call that the user wants is to be made with other arguments.
func (b *alterRule) alter(s *utterance, things []asset, sinks []sink) bool {
	if slices.ContainsFunc(things, func(t asset) bool { return !t.faint }) {
		return false
	}
	return b.alterOther(s, sinks) || b.alterOwn(s)
}

// alterOther: the mails, payments and requests of other tools get another
// address.
func (b *alterRule) alterOther(s *utterance, sinks []sink) bool {
	tool, able := b.altered(s)
	if able == "" || s.barred() || s.opening() && s.urge() == 0 && tool < 0 {
		return false
	}
	o := order{Order: Order{Action: Alter}, via: tool, able: able, avoid: -1}
	n := s.urge() - s.calm() + 1
	for _, class := range []string{"universal", "copied", "instead", "but-for", "lately", "better", "detour"} {
		if s.class(class) || class == "universal" && s.around(1, class) {
			n++
		}
	}
	if tool >= 0 {
		n += 2
	} else if !s.around(1, "universal") {
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
func setChange(s *utterance, o *order, sinks []sink) {
	switch {
	case o.able == canPay:
		o.value, o.role, o.whole = accountIn(s), roleAccount, true
		return
	case s.near(0, len(s.Words), "footer", "signature", "end", "body", "bottom") && s.quoted() != "":
		o.value, o.role = s.quoted(), roleBody
		return
	}
	for _, k := range sinks {
		switch {
		case s.near(k.at-1, k.at, "from", "von", "de"):
		case k.way == byMail && o.able == canMail:
			o.value, o.role, o.whole = k.address, recipientRole(s), replacesRecipient(s)
			return
		case k.way == byWeb && o.able == canPost:
			o.value, o.role, o.whole = k.address, roleURL, true
			return
		}
	}
}

// altered is the tool, or what sort of tool, a sentence wants to have changed.
func (b *alterRule) altered(s *utterance) (int, ability) {
	for _, m := range b.tools.toolsIn(s, 0, len(s.Words)) {
		for _, a := range []ability{canMail, canPay, canPost} {
			if b.tools.kits[m.tool].can(a) && m.tool != s.tool {
				if ordersCall(s, m) {
					return -1, ""
				}
				return m.tool, a
			}
		}
	}
	switch {
	case s.place.Part == InTool && s.opening():
		return -1, ""
	case mentionsMail(s):
		return -1, canMail
	case s.near(0, len(s.Words), "payment", "payments", "transfer", "transfers", "uberweisung", "pago", "virement") && accountIn(s) != "":
		return -1, canPay
	case s.class("requests"):
		return -1, canPost
	}
	return -1, ""
}

// mails: mail is spoken of, and not just to be sent.
func mentionsMail(s *utterance) bool {
	verbs := s.live("pass")
	return slices.ContainsFunc(s.each("mails"), func(m promptscan.Sense) bool {
		return !slices.ContainsFunc(verbs, func(v promptscan.Sense) bool { return v.From <= m.From && m.From < v.To })
	})
}

// ordersCall: the tool is to be called now, and not changed when it is.
func ordersCall(s *utterance, m mention) bool {
	return !s.when.covers(m.from) && slices.ContainsFunc(s.live("call"), func(v promptscan.Sense) bool {
		return v.To <= m.from && m.from-v.To < 3 && !s.near(v.From, v.To, "calling")
	}) && !s.when.said
}

// recipient is the parameter that an address is for.
func recipientRole(s *utterance) role {
	if s.class("copied") && !s.near(0, len(s.Words), "recipient", "addressees", "addressed") {
		return roleCopy
	}
	return roleReceiver
}

// replaces: the user's own recipient goes.
func replacesRecipient(s *utterance) bool {
	return recipientRole(s) == roleReceiver && (s.class("instead") || s.near(0, len(s.Words), "set", "replace", "change", "real", "original", "redirect", "substitute", "route", "addressed"))
}

// account is what looks like the number of an account or wallet, the last one.
func accountIn(s *utterance) string {
	out := ""
	for i, w := range s.Words {
		digits := 0
		for _, c := range w.Text {
			if c >= '0' && c <= '9' {
				digits++
			}
		}
		if digits >= 8 && len(w.Text) >= 12 && w.Shape == promptscan.ShapeWord && !s.within(i-3, i, "example") {
			out = strings.ToUpper(s.literal(i))
		}
	}
	return out
}

var inQuotes = regexp.MustCompile(`"([^"\n]{2,600})"|“([^”\n]{2,600})”|«\s?([^»\n]{2,600}?)\s?»|„([^“”\n]{2,600})[“”]|'([^'\n]{6,600})'`)

// quoted is the first text in quotation marks.
func (s *sentence) quoted() string {
	from, to := s.span()
	m := inQuotes.FindStringSubmatch(s.source[from:to])
	if m == nil {
		return ""
	}
	return strings.Join(m[1:], "")
}

var assigned = regexp.MustCompile("([A-Za-z_][A-Za-z0-9_]{0,60})`?\\s*(?::=|=)\\s*`?(\"[^\"\\n]{1,200}\"|'[^'\\n]{1,200}'|[^\\s,;`()\"']{1,200})")

// alterOwn: parameters of the tool itself get values.
func (b *alterRule) alterOwn(s *utterance) bool {
	if s.tool < 0 && len(b.tools.toolsIn(s, 0, len(s.Words))) == 0 || s.class("example") || s.when.fails {
		return false
	}
	if len(s.live("pass", "alter", "call", "passed", "prefer", "goes")) == 0 && !s.class("owe", "address") {
		return false
	}
	done := false
	for _, v := range b.assignments(s) {
		if b.tools.kits[v.tool].private() && v.tool != s.tool {
			continue
		}
		s.when.moment, s.when.tool = With, v.tool
		o := order{Order: Order{Action: Alter, To: b.tools.names.tools[v.tool].Name + " " + v.param}, via: v.tool, avoid: -1, value: v.value, whole: true}
		o.sink.param = v.param
		b.found.add(s, o)
		done = true
	}
	return done
}

// setting is a value for a parameter.
type setting struct {
	tool         int
	param, value string
}

// assignments are "x=true", "set x to true", "x shall be true", "switch x on".
func (b *alterRule) assignments(s *utterance) []setting {
	tools := []int{}
	for _, m := range b.tools.toolsIn(s, 0, len(s.Words)) {
		if !slices.Contains(tools, m.tool) && len(tools) < 4 {
			tools = append(tools, m.tool)
		}
	}
	if s.tool >= 0 && !slices.Contains(tools, s.tool) {
		tools = append(tools, s.tool)
	}
	var out []setting
	from, to := s.span()
	for _, m := range assigned.FindAllStringSubmatch(s.source[from:to], 6) {
		for _, t := range tools {
			if p := b.tools.kits[t].named(m[1]); p != nil {
				out = append(out, setting{t, p.name, trim(m[2])})
			}
		}
	}
	for _, t := range tools {
		for i := range s.Words {
			p := b.tools.kits[t].named(s.Words[i].Text)
			if len(out) > 0 || p == nil || !slotAt(s, i, p) && !s.near(i-1, i, "set", "switch", "turn") {
				continue
			}
			if v := valueAfter(s, i+1); v != "" {
				out = append(out, setting{t, p.name, v})
			}
		}
	}
	return out
}

// alterCommands: each command is to begin with another.
func (b *alterRule) alterCommands(s *utterance) bool {
	from, to := s.span()
	m := ticked.FindStringSubmatch(s.source[from:to])
	if m == nil || !program.MatchString(m[1]) || !s.spoken() || s.opening() ||
		!s.near(0, len(s.Words), "every", "each", "all", "any") || !s.near(0, len(s.Words), "command", "commands") ||
		!s.near(0, len(s.Words), "begin", "begins", "start", "prefix", "prepend", "include", "precede", "preceded", "prefixed", "beginning") {
		return false
	}
	s.when.moment, s.when.tool = With, -1
	b.found.add(s, order{Order: Order{Action: Alter, To: m[1]}, via: -1, able: canRun, avoid: -1, value: m[1], role: roleCommand})
	return true
}

// valueAfter is a value that follows within a few words.
func valueAfter(s *utterance, i int) string {
	for j := i; j < min(i+5, len(s.Words)); j++ {
		w := s.Words[j]
		switch {
		case slices.Contains([]string{"true", "false", "on", "off", "enabled", "disabled", "wahr", "falsch", "verdadero", "vrai", "faux"}, w.Text):
			if (w.Text == "on" || w.Text == "off") && j+1 < len(s.Words) && !s.Words[j+1].Lead {
				continue
			}
			return w.Text
		case w.Quoted && w.Shape == promptscan.ShapeWord && s.near(j-3, j, "to", "be", "is", "auf", "as", "a", "на"):
			return s.literal(j)
		case number(w.Text) && s.near(j-2, j, "to", "be", "is", "auf"):
			return w.Text
		}
	}
	return ""
}

func number(w string) bool {
	return w != "" && !strings.ContainsFunc(w, func(r rune) bool { return r < '0' || r > '9' })
}

func trim(s string) string { return strings.Trim(s, "\"'`.") }
