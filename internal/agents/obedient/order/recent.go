package order

import "slices"

// recent is what the last few sentences mentioned, for "it" and "there".
type recent struct {
	scope string
	// read counts the sentences; the other fields say in which one it was.
	read int

	assets    []Asset
	assetsAt  int
	slot      sink
	slotAt    int
	address   sink
	addressAt int
}

// memorySpan is for how many sentences something is remembered.
const memorySpan = 4

// forget drops what another text was about. All results count as one text,
// because an order may begin in one and end in the next.
func (r *recent) forget(s *utterance) {
	scope := string(s.Place.Part) + "\x00" + s.how
	if s.Place.Part != InResult {
		scope += "\x00" + s.Place.Tool
	}
	if r.scope != scope {
		*r = recent{scope: scope, read: r.read}
	}
	r.read++
	if r.read-r.assetsAt > memorySpan {
		r.assets = nil
	}
	if r.read-r.addressAt > memorySpan {
		r.address = sink{}
	}
}

// keep remembers what a sentence mentioned.
func (r *recent) keep(assets []Asset, sinks []sink) {
	var kept []Asset
	for _, t := range assets {
		if !t.weak && t.Kind != AssetLastRead {
			kept = append(kept, t)
		}
	}
	if len(kept) > 0 {
		r.assets, r.assetsAt = kept, r.read
	}
	if at := slices.IndexFunc(sinks, func(k sink) bool { return k.Channel != ViaTool }); at >= 0 {
		r.address, r.addressAt = sinks[at], r.read
	}
	if at := slices.IndexFunc(sinks, func(k sink) bool { return k.Channel == ViaTool && k.sure }); at >= 0 {
		r.slot, r.slotAt = sinks[at], r.read
	}
}

// sameSlot handles "it has to contain ...", where "it" is the parameter
// mentioned before.
func (r *recent) sameSlot(s *utterance, assets []Asset, sinks []sink) []sink {
	if len(sinks) > 0 || len(assets) == 0 || !r.slot.sure || r.read-r.slotAt >= 3 ||
		!continues(s) {
		return sinks
	}
	k := r.slot
	k.at = 0
	return append(sinks, k)
}

// continues reports whether the subject was mentioned before: "it has to
// contain", "fill with", "must be".
func continues(s *utterance) bool {
	if words().Phrases.It.Has(s.Words[0].Text) {
		return s.Has("contain", "goes")
	}
	return s.Is(0, "pass", "owe", "contain", "does-pass", "passed") && (s.Near(1, 2, "with", "to", "from", "by", "be", "contain", "hold") || s.Is(0, "owe"))
}
