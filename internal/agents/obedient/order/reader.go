package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// Reading is everything found in a request.
type Reading struct {
	Tools  *Resolver
	Task   *Task
	Found  *Ledger
	Unread int
}

// Find reads a request and finds its orders.
func Find(a *llm.Ask, owner func(*llm.Tool) string) *Reading {
	tools := newResolver(a.Tools, owner)
	r := &Reading{Tools: tools, Task: &Task{tools: tools, topic: map[string]bool{}}, Found: &Ledger{tools: tools, seen: map[string]bool{}}}
	texts, unread := gather(a, tools.Names)
	r.Unread = unread
	r.Task.readTurns(texts)
	sentences := utterancesIn(texts)
	b := newReader(r)
	for i := range sentences {
		b.aliases.define(&sentences[i], b.finder)
		b.follow(&sentences[i])
	}
	for i := range sentences {
		s := &sentences[i]
		s.followed = s.followed || s.Place.Part == InTool && b.followed[s.Tool]
		b.read(s)
	}
	r.Task.freeSteps(sentences, r.Found)
	return r
}

// reader finds the orders of sentences in turn.
type reader struct {
	tools      *Resolver
	found      *Ledger
	aliases    *aliases
	last       *recent
	finder     *finder
	conditions *conditions
	// followed are the tools whose texts the model was told to follow.
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
	answer   answerRule
	prefer   preferRule
	name     nameRule
}

func newReader(r *Reading) *reader {
	tools, found := r.Tools, r.Found
	b := &reader{tools: tools, found: found, aliases: &aliases{}, last: &recent{}, conditions: &conditions{tools, r.Task}, followed: map[int]bool{}}
	b.finder = &finder{tools, b.aliases, b.last}
	b.ask = askRule{tools, b.finder, found}
	b.remember = rememberRule{tools, found}
	b.write, b.pay, b.get, b.answer = writeRule{found}, payRule{found}, readRule{found}, answerRule{found}
	b.alter = alterRule{tools, found}
	b.run = runRule{tools, found}
	b.transfer = transferRule{tools, b.last, found}
	b.link = linkRule{tools, b.last, found}
	b.erase = eraseRule{tools, found}
	b.prefer = preferRule{tools: tools, task: r.Task, found: found}
	b.name = nameRule{tools, b.conditions, found}
	return b
}

// follow records "follow the steps of that tool".
func (r *reader) follow(s *utterance) {
	if len(s.Imperatives("follow")) == 0 {
		return
	}
	for _, m := range r.tools.mentionsIn(s, 0, len(s.Words)) {
		r.followed[m.tool] = true
	}
}

// read finds the orders in a sentence.
func (r *reader) read(s *utterance) {
	r.last.forget(s)
	if len(s.Words) == 0 || len(r.found.Orders) >= MaxOrders {
		return
	}
	if s.role == promptscan.RoleName {
		r.name.find(s)
		return
	}
	if len(s.Senses) == 0 && !slices.ContainsFunc(s.Words, func(w promptscan.Word) bool { return w.Shape != promptscan.ShapeWord }) {
		return // the sentence asks for nothing
	}
	s.Demand = s.FindDemand()
	s.setCondition(r.conditions.of(s))
	if s.when.unmet {
		return
	}
	if s.isAboutOrders() {
		r.prefer.find(s)
		return
	}
	r.found.secrecy(s, s.AsksSecrecy())
	assets, sinks := r.finder.assets(s), r.finder.sinks(s)
	sinks = r.last.sameSlot(s, assets, sinks)
	done := r.ask.find(s) || r.remember.find(s) || r.write.find(s) || r.pay.find(s) || r.alter.findPrefix(s) || r.run.find(s, assets, sinks) ||
		r.alter.find(s, assets, sinks) || r.transfer.find(s, assets, sinks) || r.link.find(s, assets, sinks)
	if !done {
		done = r.erase.find(s) || r.get.find(s, assets) || r.link.findRead(s, assets)
	}
	r.found.secrecy(s, false)
	r.answer.find(s, assets, done)
	if !done && !r.prefer.find(s) {
		r.prefer.findCall(s)
	}
	if s.Hidden || s.harmlessScore() < 3 && !(s.isSummary() && s.imperativeScore() == 0) {
		r.last.keep(assets, sinks)
	}
}
