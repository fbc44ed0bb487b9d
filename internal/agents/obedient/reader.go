package obedient

import (
	"slices"

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

// read reads an ask.
func read(a *llm.Ask, owner func(*llm.Tool) string) *reading {
	tools := newResolver(a.Tools, owner)
	r := &reading{tools: tools, task: &task{tools: tools, topic: map[string]bool{}}, found: &ledger{tools: tools, seen: map[string]bool{}}}
	texts, unread := gather(a, tools.names)
	r.unread = unread
	r.task.readTurns(texts)
	sayings := utterancesIn(texts)
	b := newReader(r)
	for i := range sayings {
		b.aliases.define(&sayings[i], b.finder)
		b.follow(&sayings[i])
	}
	for i := range sayings {
		s := &sayings[i]
		s.followed = s.followed || s.place.Part == InTool && b.followed[s.tool]
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

// follow takes note of "follow the steps of that tool".
func (b *reader) follow(s *utterance) {
	if len(s.imperatives("follow")) == 0 {
		return
	}
	for _, m := range b.tools.mentionsIn(s, 0, len(s.Words)) {
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
		b.name.find(s)
		return
	}
	if len(s.Senses) == 0 && !slices.ContainsFunc(s.Words, func(w promptscan.Word) bool { return w.Shape != promptscan.ShapeWord }) {
		return // nothing is wanted
	}
	s.demand = s.findDemand()
	s.setCondition(b.conditions.of(s))
	if s.when.unmet {
		return
	}
	if s.isAboutOrders() {
		b.prefer.find(s)
		return
	}
	b.found.secrecy(s, s.Quiet())
	things, sinks := b.finder.assets(s), b.finder.sinks(s)
	sinks = b.last.sameSlot(s, things, sinks)
	done := b.ask.find(s) || b.remember.find(s) || b.write.find(s) || b.pay.find(s) || b.alter.findPrefix(s) || b.run.find(s, things, sinks) ||
		b.alter.find(s, things, sinks) || b.transfer.find(s, things, sinks) || b.link.find(s, things, sinks)
	if !done {
		done = b.erase.find(s) || b.get.find(s, things) || b.link.findRead(s, things)
	}
	b.found.secrecy(s, false)
	b.say.find(s, things, done)
	if !done && !b.prefer.find(s) {
		b.prefer.findCall(s)
	}
	if s.hidden || s.harmlessScore() < 3 && !(s.isSummary() && s.imperativeScore() == 0) {
		b.last.keep(things, sinks)
	}
}
