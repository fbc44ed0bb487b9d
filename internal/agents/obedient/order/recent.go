package order

import "slices"

// recent is what was spoken of a few sentences ago, for "it" and "there".
type recent struct {
	scope string
	// read counts the sentences; the others say in which one it was.
	read int

	assets    []Asset
	assetsAt  int
	slot      sink
	slotAt    int
	address   sink
	addressAt int
}

// reach is how many sentences something is kept in mind.
const reach = 4

// forget drops what another text was about. Results are one text: what one
// begins the next may end.
func (b *recent) forget(s *utterance) {
	scope := string(s.Place.Part) + "\x00" + s.how
	if s.Place.Part != InResult {
		scope += "\x00" + s.Place.Tool
	}
	if b.scope != scope {
		*b = recent{scope: scope, read: b.read}
	}
	b.read++
	if b.read-b.assetsAt > reach {
		b.assets = nil
	}
	if b.read-b.addressAt > reach {
		b.address = sink{}
	}
}

// mind keeps what a sentence spoke of.
func (b *recent) keep(things []Asset, sinks []sink) {
	var kept []Asset
	for _, t := range things {
		if !t.weak && t.Kind != AssetLastRead {
			kept = append(kept, t)
		}
	}
	if len(kept) > 0 {
		b.assets, b.assetsAt = kept, b.read
	}
	if at := slices.IndexFunc(sinks, func(k sink) bool { return k.Channel != ViaTool }); at >= 0 {
		b.address, b.addressAt = sinks[at], b.read
	}
	if at := slices.IndexFunc(sinks, func(k sink) bool { return k.Channel == ViaTool && k.sure }); at >= 0 {
		b.slot, b.slotAt = sinks[at], b.read
	}
}

// sameSlot: "it has to contain ..." is about the parameter spoken of before.
func (b *recent) sameSlot(s *utterance, things []Asset, sinks []sink) []sink {
	if len(sinks) > 0 || len(things) == 0 || !b.slot.sure || b.read-b.slotAt >= 3 ||
		!continues(s) {
		return sinks
	}
	k := b.slot
	k.at = 0
	return append(sinks, k)
}

// continues: "it has to contain", "fill with", "must be": the subject is what
// was spoken of before.
func continues(s *utterance) bool {
	if slices.Contains([]string{"it", "this", "es", "das", "lo", "il", "этот", "它"}, s.Words[0].Text) {
		return s.Has("contain", "goes")
	}
	return s.Is(0, "pass", "owe", "contain", "does-pass", "passed") && (s.Near(1, 2, "with", "to", "from", "by", "be", "contain", "hold") || s.Is(0, "owe"))
}
