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

// reading is everything that was read in an ask.
type reading struct {
	tools  *resolver
	task   *task
	found  *ledger
	unread int
}

// ledger has the orders that were found.
type ledger struct {
	tools  *resolver
	orders []order
	seen   map[string]bool
	quiet  bool
}

// order is an order with all that is needed to obey it.
type order struct {
	Order
	// key is the same for the same order in each ask.
	key    string
	text   *text
	cond   condition
	things []asset
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

// read reads an ask.
func read(a *llm.Ask, owner func(*llm.Tool) string) *reading {
	tools := newResolver(a.Tools, owner)
	r := &reading{tools: tools, task: &task{tools: tools, topic: map[string]bool{}}, found: &ledger{tools: tools, seen: map[string]bool{}}}
	texts, unread := gather(a, tools.names)
	r.unread = unread
	r.task.tasks(texts)
	sayings := utterancesIn(texts)
	b := newReader(r)
	for i := range sayings {
		b.aliases.define(&sayings[i], b.finder)
		b.follow(&sayings[i])
	}
	for i := range sayings {
		s := &sayings[i]
		s.urged = s.urged || s.place.Part == InTool && b.followed[s.tool]
		b.read(s)
	}
	r.task.freeSteps(sayings, r.found)
	return r
}

// reader finds the orders of sentences, one after the other.
type reader struct {
	tools      *resolver
	found      *ledger
	aliases    *aliases
	last       *recent
	finder     *finder
	conditions *conditions
	// followed are the tools whose words the model was told to follow.
	followed map[int]bool

	ask      askRule
	remember rememberRule
	write    writeRule
	pay      payRule
	alter    alterRule
	run      runRule
	transfer transferRule
	link     linkRule
	erase    eraseRule
	get      readRule
	say      sayRule
	prefer   preferRule
	name     nameRule
}

func newReader(r *reading) *reader {
	tools, found := r.tools, r.found
	b := &reader{tools: tools, found: found, aliases: &aliases{}, last: &recent{}, conditions: &conditions{tools, r.task}, followed: map[int]bool{}}
	b.finder = &finder{tools, b.aliases, b.last}
	b.ask = askRule{tools, b.finder, found}
	b.remember = rememberRule{tools, found}
	b.write, b.pay, b.get, b.say = writeRule{found}, payRule{found}, readRule{found}, sayRule{found}
	b.alter = alterRule{tools, found}
	b.run = runRule{tools, found}
	b.transfer = transferRule{tools, b.last, found}
	b.link = linkRule{tools, b.last, found}
	b.erase = eraseRule{tools, found}
	b.prefer = preferRule{tools: tools, task: r.task, found: found}
	b.name = nameRule{tools, b.conditions, found}
	return b
}

// sayings splits the texts, and what they decode to, into sentences.
func utterancesIn(texts []text) []utterance {
	var out []utterance
	room := maxPlain
	for i := range texts {
		t := &texts[i]
		value := t.value
		if t.role == promptscan.RoleName {
			value = strings.Join(wordsOf(value, 20), " ")
		}
		out = append(out, utterancesOf(t, value)...)
		if t.role == promptscan.RoleName {
			continue
		}
		for _, d := range decoded(t.value, &room) {
			coded := *t
			coded.how = d.How
			out = append(out, utterancesOf(&coded, d.Plain)...)
		}
	}
	return out
}

func utterancesOf(t *text, source string) []utterance {
	sentences := vocabulary().Read(untagged(source))
	out := make([]utterance, len(sentences))
	quiet := -10
	about := proseOf(source, sentences)
	for i := range sentences {
		lead(sentences[i].Words, source)
		out[i] = utterance{text: t, n: i, hushed: i-quiet < 5, prose: about, mates: out, statement: statement{
			sentence: sentence{Sentence: sentences[i], source: source}, hidden: t.how != "", typed: t.place.Part == InTurn,
		}}
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
func place(sayings []utterance, source string) {
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
func (b *reader) follow(s *utterance) {
	if len(s.live("follow")) == 0 {
		return
	}
	for _, m := range b.tools.toolsIn(s, 0, len(s.Words)) {
		b.followed[m.tool] = true
	}
}

// read finds the orders in a sentence.
func (b *reader) read(s *utterance) {
	b.last.forget(s)
	if len(s.Words) == 0 || len(b.found.orders) >= maxOrders {
		return
	}
	if s.role == promptscan.RoleName {
		b.name.magic(s)
		return
	}
	if len(s.Senses) == 0 && !slices.ContainsFunc(s.Words, func(w promptscan.Word) bool { return w.Shape != promptscan.ShapeWord }) {
		return // nothing is wanted
	}
	s.demand = s.demanded()
	s.hold(b.conditions.of(s))
	if s.when.fails {
		return
	}
	if s.described() {
		b.prefer.prefer(s)
		return
	}
	b.found.hush(s, s.Quiet())
	things, sinks := b.finder.things(s), b.finder.sinks(s)
	sinks = b.last.sameSlot(s, things, sinks)
	done := b.ask.request(s) || b.remember.remember(s) || b.write.write(s) || b.pay.pay(s) || b.alter.alterCommands(s) || b.run.run(s, things, sinks) ||
		b.alter.alter(s, things, sinks) || b.transfer.transfer(s, things, sinks) || b.link.bond(s, things, sinks)
	if !done {
		done = b.erase.erase(s) || b.get.get(s, things) || b.link.accompany(s, things)
	}
	b.found.hush(s, false)
	b.say.say(s, things, done)
	if !done && !b.prefer.prefer(s) {
		b.prefer.use(s)
	}
	if s.hidden || s.calm() < 3 && !(s.opening() && s.urge() == 0) {
		b.last.mind(things, sinks)
	}
}

// hush: nothing is to be told of it.
func (b *ledger) hush(s *utterance, sure bool) {
	if sure || b.hushes(s) {
		b.quiet = true
		b.add(s, order{Order: Order{Action: Silence}})
	}
}

// hushes: beside an order stands that somebody is not to hear of something.
func (b *ledger) hushes(s *utterance) bool {
	if !slices.ContainsFunc(b.orders, func(o order) bool { return o.Place == s.place }) {
		return false
	}
	return slices.ContainsFunc(s.each("telling"), func(m promptscan.Sense) bool { return s.within(m.From-6, m.To+5, "not") })
}

// add takes an order into the book.
func (b *ledger) add(s *utterance, o order) {
	o.Place, o.Quote, o.How, o.text, o.cond = s.place, s.quote(), s.how, s.text, s.when
	o.When = s.when.moment
	if s.when.tool >= 0 {
		o.Tool = b.tools.names.tools[s.when.tool].Name
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
