package noninterference

import (
	"maps"
	"slices"
)

// Two usual and two other starts may agree by chance, where a race decides which of
// two requests comes first, or whether one is made again. So what they show is
// confirmed by as many more starts. And chance does not know which start has which
// secrets: if starts that are paired across agree as well, more is needed.

// leastWeak is how many tools must have flows between which chance may choose, where
// starts that are paired across show some, too.
const leastWeak = 6

// WithoutRaces drops the flows that a race may explain. They are noise, and need no
// confirmation.
func (c Comparison) WithoutRaces() Comparison {
	if weakOnes(c.Flows) >= leastWeak {
		return c
	}
	return c.dropRaces()
}

// dropRaces drops the flows that a race may explain, and what the same calls return:
// of two requests the one that fails first is told.
func (c Comparison) dropRaces() Comparison {
	racy, all := races(c), len(c.Flows)
	raced := map[place]bool{}
	c.Flows = slices.DeleteFunc(slices.Clone(c.Flows), func(f Flow) bool {
		dropped := f.strength == byRace && racy[f.withoutTool()]
		raced[f.at.call()] = raced[f.at.call()] || dropped
		return dropped
	})
	c.Flows = slices.DeleteFunc(c.Flows, func(f Flow) bool { return f.at.kind == result && f.at.inputs != "" && raced[f.at.call()] })
	c.Noisy += all - len(c.Flows)
	return c
}

// Early compares the first pair with the start before it, which had the usual secrets.
// What differs there is noise. settled says that nothing else differs, so that further
// starts tell nothing new.
func (r *Runs) Early() (c Comparison, settled bool) {
	if len(r.Before) == 0 {
		return c, false
	}
	early, again := *r, maps.Clone(r.Before)
	for at, list := range r.Usual[0] {
		if at.start > 0 { // with files that it left: the start before had none
			again[at] = list
		}
	}
	early.Usual[1], early.Other[1] = again, r.Other[0]
	c = early.Compare().dropRaces()
	c.Flows = slices.DeleteFunc(c.Flows, func(f Flow) bool { return f.Detail.Part == pacePart && !early.otherIsApart() })
	return c, len(c.Flows) == 0
}

// Confirm returns the flows that both sets of starts show. The others are noise.
func Confirm(first, again *Runs) Comparison {
	a, b := first.Compare(), again.Compare()
	found := shown(a, b)
	if weak, across := weakOnes(found), acrossPairs(first, again, a); weak < leastWeak || weak < timesMoreOften*across {
		racy := races(a, b)
		found = slices.DeleteFunc(found, func(f Flow) bool {
			return f.strength != sure && across > 0 || f.strength == byRace && racy[f.withoutTool()]
		})
	}
	return Comparison{Flows: found, Noisy: max(a.Noisy, b.Noisy) + len(a.Flows) - len(found)}
}

// races returns what differs in equal starts, whichever tool sends it.
func races(all ...Comparison) map[chance]bool {
	racy := map[chance]bool{}
	for _, c := range all {
		for at := range c.random {
			at.tool = ""
			racy[at] = true
		}
	}
	return racy
}

// withoutTool returns what a flow has in common with the noise of other tools.
func (f *Flow) withoutTool() chance {
	at := f.chance()
	if at.tool = ""; at.part == numberPart {
		at.part = formPart
	}
	return at
}

// acrossPairs returns how many such flows there are at the most if the starts are
// paired in another way than by their secrets.
func acrossPairs(first, again *Runs, a Comparison) int {
	mixed, mixedAgain := first.mixed(), again.mixed()
	m := mixed.Compare()
	return max(weakOnes(shown(m, mixedAgain.Compare())), weakOnes(shown(m, mixedAgain.flipped().Compare())), weakOnes(shown(a, again.flipped().Compare())))
}

// weakOnes returns how many tools have such flows. One race may show in everything
// that a tool sends.
func weakOnes(flows []Flow) int {
	tools := map[string]bool{}
	for i := range flows {
		if flows[i].strength != sure {
			tools[flows[i].at.tool] = true
		}
	}
	return len(tools)
}

// shown returns the flows of a comparison that another one shows, too, without those
// that are random in it.
func shown(a, b Comparison) []Flow {
	var both []Flow
	for i := range a.Flows {
		f := &a.Flows[i]
		if !b.random[f.chance()] && slices.ContainsFunc(b.Flows, f.is) {
			both = append(both, *f)
		}
	}
	return both
}

func (f *Flow) chance() chance { return chance{f.at.tool, f.at.host, f.at.kind, f.Detail.Part} }

// is tells whether a flow of another comparison is the same.
func (f *Flow) is(other Flow) bool {
	if f.Detail.Part == pacePart {
		return other.Detail.Part == pacePart
	}
	if f.chance() != other.chance() || f.exact != other.exact {
		return false
	}
	return !f.exact || f.at == other.at && f.usual == other.usual && f.other == other.other
}

// mixed returns the starts paired across: one with each kind of secrets in a pair.
func (r *Runs) mixed() *Runs {
	m := *r
	m.Usual, m.Other = [2]Messages{r.Usual[0], r.Other[1]}, [2]Messages{r.Other[0], r.Usual[1]}
	return &m
}

// flipped returns the starts with the pairs exchanged.
func (r *Runs) flipped() *Runs {
	m := *r
	m.Usual, m.Other = r.Other, r.Usual
	return &m
}
