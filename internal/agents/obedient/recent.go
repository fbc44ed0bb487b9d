package obedient

import "slices"

// recent is what was spoken of a few sentences ago, for "it" and "there".
type recent struct {
	scope string
	// read counts the sentences; the others say in which one it was.
	read int

	things    []thing
	thingsAt  int
	slot      sink
	slotAt    int
	address   sink
	addressAt int
}

// reach is how many sentences something is kept in mind.
const reach = 4

// forget drops what another text was about. Results are one text: what one
// begins the next may end.
func (b *book) forget(s *saying) {
	scope := string(s.place.Part) + "\x00" + s.how
	if s.place.Part != InResult {
		scope += "\x00" + s.place.Tool
	}
	if b.last.scope != scope {
		b.last = recent{scope: scope, read: b.last.read}
	}
	b.last.read++
	if b.last.read-b.last.thingsAt > reach {
		b.last.things = nil
	}
	if b.last.read-b.last.addressAt > reach {
		b.last.address = sink{}
	}
}

// mind keeps what a sentence spoke of.
func (b *book) mind(things []thing, sinks []sink) {
	var kept []thing
	for _, t := range things {
		if !t.faint && t.kind != whatRead {
			kept = append(kept, t)
		}
	}
	if len(kept) > 0 {
		b.last.things, b.last.thingsAt = kept, b.last.read
	}
	if at := slices.IndexFunc(sinks, func(k sink) bool { return k.way != byTool }); at >= 0 {
		b.last.address, b.last.addressAt = sinks[at], b.last.read
	}
	if at := slices.IndexFunc(sinks, func(k sink) bool { return k.way == byTool && k.sure }); at >= 0 {
		b.last.slot, b.last.slotAt = sinks[at], b.last.read
	}
}

// sameSlot: "it has to contain ..." is about the parameter spoken of before.
func (b *book) sameSlot(s *saying, things []thing, sinks []sink) []sink {
	if len(sinks) > 0 || len(things) == 0 || !b.last.slot.sure || b.last.read-b.last.slotAt >= 3 ||
		!s.continues() {
		return sinks
	}
	k := b.last.slot
	k.at = 0
	return append(sinks, k)
}

// continues: "it has to contain", "fill with", "must be": the subject is what
// was spoken of before.
func (s *saying) continues() bool {
	if slices.Contains([]string{"it", "this", "es", "das", "lo", "il", "этот", "它"}, s.Words[0].Text) {
		return s.class("contain", "goes")
	}
	return s.at(0, "pass", "owe", "contain", "does-pass", "passed") && (s.near(1, 2, "with", "to", "from", "by", "be", "contain", "hold") || s.at(0, "owe"))
}
