package obedient

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// book is everything that was read in an ask.
type book struct {
	ask    *llm.Ask
	names  toolNames
	kits   []kit
	owner  func(*llm.Tool) string
	steps  []step
	topic  map[string]bool
	unread int

	aliases []alias
	// followed are the tools whose words the model was told to follow.
	followed map[int]bool
	orders   []order
	seen     map[string]bool
	quiet    bool
	// last is what was spoken of in the same text or tool, for "it".
	last recent
	// shunned is a tool that is not to be used, before it is said which is.
	shunned shunned
}

type shunned struct {
	place Place
	tool  int
}

// order is an order with all that is needed to obey it.
type order struct {
	Order
	// key is the same for the same order in each ask.
	key    string
	text   *text
	cond   condition
	things []thing
	sink   sink
	// via is the tool to do it with, -1 if one is to be chosen.
	via   int
	again bool
	args  arguments
	// value is what is to be written, remembered or set.
	value string
	// avoid is the tool that is not to be used, -1 for all others.
	avoid int
	// whole is set if a value takes the place of the user's, else it is added.
	whole bool
	// able is the ability of the tools that the order is about, if any.
	able ability
	// role is that of the parameter that gets a value, if it has no name.
	role role
}

func newBook(a *llm.Ask, owner func(*llm.Tool) string) *book {
	b := &book{
		ask: a, names: newToolNames(a.Tools), owner: owner, topic: map[string]bool{}, followed: map[int]bool{}, seen: map[string]bool{},
	}
	b.kits = make([]kit, len(a.Tools))
	for i := range a.Tools {
		if i < maxTools {
			b.kits[i] = kitOf(&a.Tools[i])
		}
	}
	texts, unread := gather(a, b.names)
	b.unread = unread
	b.tasks(texts)
	sayings := b.sayings(texts)
	for i := range sayings {
		b.define(&sayings[i])
		b.follow(&sayings[i])
	}
	for i := range sayings {
		s := &sayings[i]
		s.urged = s.urged || s.place.Part == InTool && b.followed[s.tool]
		b.read(s)
	}
	b.freeSteps(sayings)
	return b
}

// sayings splits the texts, and what they decode to, into sentences.
func (b *book) sayings(texts []text) []saying {
	var out []saying
	room := maxPlain
	for i := range texts {
		t := &texts[i]
		value := t.value
		if t.role == promptscan.RoleName {
			value = strings.Join(wordsOf(value, 20), " ")
		}
		out = append(out, sayingsOf(t, value)...)
		if t.role == promptscan.RoleName {
			continue
		}
		for _, d := range decoded(t.value, &room) {
			coded := *t
			coded.how = d.How
			out = append(out, sayingsOf(&coded, d.Plain)...)
		}
	}
	return out
}

func sayingsOf(t *text, source string) []saying {
	sentences := reader().Read(untagged(source))
	out := make([]saying, len(sentences))
	quiet := -10
	about := proseOf(source, sentences)
	for i := range sentences {
		lead(sentences[i].Words, source)
		out[i] = saying{text: t, Sentence: sentences[i], source: source, n: i, hidden: t.how != "", hushed: i-quiet < 5, prose: about, mates: out}
		if !sentences[i].Quiet() {
			continue
		}
		quiet = i
		for j := max(0, i-4); j <= i; j++ {
			out[j].hushed = true
		}
	}
	place(out, source)
	return out
}

// place gives each command to the sentence that it stands in.
func place(sayings []saying, source string) {
	i := 0
	for _, at := range codeIn(source) {
		for i+1 < len(sayings) && len(sayings[i+1].Words) > 0 && sayings[i+1].Words[0].Start <= at[0] {
			i++
		}
		if i < len(sayings) && len(sayings[i].Words) > 0 && sayings[i].Words[0].Start > at[0] {
			i = 0
		}
		if i < len(sayings) {
			sayings[i].code = append(sayings[i].code, source[at[0]:at[1]])
		}
	}
}

// lead lets a clause begin behind a dash, too.
func lead(words []promptscan.Word, source string) {
	for i := 1; i < len(words); i++ {
		from, to := words[i-1].End, words[i].Start
		if from >= 0 && from < to && to <= len(source) && len(words[i-1].Text) < 3 && source[from] == ')' {
			words[i].Lead = true // a) do this, 1) do that
		}
		if from >= 0 && from < to && to <= len(source) && strings.ContainsAny(source[from:to], "–—•→|") || from >= 0 && to-from > 2 && to <= len(source) && strings.Contains(source[from:to], " - ") {
			words[i].Lead = true
		}
	}
}

var tag = regexp.MustCompile(`</?[A-Za-z_!?|][^<>\n]{0,80}>`)

// literalJSON is what is to be written somewhere. Its quotation marks would end
// the sentence.
var literalJSON = regexp.MustCompile(`(?i)\b(?:write|append|add|put|insert|save|create)\s[^{}.\n]{0,30}(\{[^\n]{2,600}?\}+)`)

// row is one of a table, and its last bar.
var row = regexp.MustCompile(`(?m)^[ \t]*\|[^\n]*(\|)[ \t]*$`)

// anyJSON is an object in a text.
var anyJSON = regexp.MustCompile(`(\{"[^\n]{2,600}?\}+)`)

// untagged blanks the brackets of tags out, which are no part of the words that
// stand beside them. Every byte keeps its place.
func untagged(s string) string {
	if !strings.ContainsAny(s, ">{|") {
		return s
	}
	out := []byte(s)
	for _, at := range row.FindAllStringSubmatchIndex(s, -1) {
		out[at[2]] = '.' // a row of a table is a sentence
	}
	found := literalJSON.FindAllStringSubmatchIndex(s, -1)
	if slices.ContainsFunc(target.FindAllString(s[:min(len(s), maxCoded)], maxRuns*10), lastingFile) {
		found = append(found, anyJSON.FindAllStringSubmatchIndex(s, maxRuns)...)
	}
	for _, at := range found {
		for i := at[2]; i < at[3]; i++ {
			if out[i] == '"' {
				out[i] = ' '
			}
		}
	}
	for _, at := range tag.FindAllStringIndex(s, -1) {
		out[at[0]], out[at[1]-1] = ' ', ' '
		if s[at[0]+1] == '/' {
			out[at[0]+1] = ' '
		}
	}
	return string(out)
}

// follow takes note of "follow the steps of that tool".
func (b *book) follow(s *saying) {
	if len(s.live("follow")) == 0 {
		return
	}
	for _, m := range b.toolsIn(s, 0, len(s.Words)) {
		b.followed[m.tool] = true
	}
}

// read finds the orders in a sentence.
func (b *book) read(s *saying) {
	b.forget(s)
	if len(s.Words) == 0 || len(b.orders) >= maxOrders {
		return
	}
	if s.role == promptscan.RoleName {
		b.magic(s)
		return
	}
	if len(s.Senses) == 0 && !slices.ContainsFunc(s.Words, func(w promptscan.Word) bool { return w.Shape != promptscan.ShapeWord }) {
		return // nothing is wanted
	}
	s.demand = s.demanded()
	s.when = b.condition(s)
	if s.when.fails {
		return
	}
	if s.described() {
		b.prefer(s)
		return
	}
	b.hush(s, s.Quiet())
	things, sinks := b.things(s), b.sinks(s)
	sinks = b.sameSlot(s, things, sinks)
	done := b.request(s) || b.remember(s) || b.write(s) || b.pay(s) || b.alterCommands(s) || b.run(s, things, sinks) || b.alter(s, things, sinks) || b.transfer(s, things, sinks) || b.bond(s, things, sinks)
	if !done {
		done = b.erase(s) || b.get(s, things) || b.accompany(s, things)
	}
	b.hush(s, false)
	b.say(s, things, done)
	if !done && !b.prefer(s) {
		b.use(s)
	}
	if s.hidden || s.calm() < 3 && !(s.opening() && s.urge() == 0) {
		b.mind(things, sinks)
	}
}

// hush: nothing is to be told of it.
func (b *book) hush(s *saying, sure bool) {
	if sure || b.hushes(s) {
		b.quiet = true
		b.add(s, order{Order: Order{Action: Silence}})
	}
}

// hushes: beside an order stands that somebody is not to hear of something.
func (b *book) hushes(s *saying) bool {
	if !slices.ContainsFunc(b.orders, func(o order) bool { return o.Place == s.place }) {
		return false
	}
	return slices.ContainsFunc(s.each("telling"), func(m promptscan.Sense) bool { return s.within(m.From-6, m.To+5, "not") })
}

// add takes an order into the book.
func (b *book) add(s *saying, o order) {
	o.Place, o.Quote, o.How, o.text, o.cond = s.place, s.quote(), s.how, s.text, s.when
	o.When = s.when.moment
	if s.when.tool >= 0 {
		o.Tool = b.names.tools[s.when.tool].Name
	}
	var what []string
	for _, t := range o.things {
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

// keyOf is short and the same for the same words.
func keyOf(words ...string) string {
	h := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(h[:8])
}
