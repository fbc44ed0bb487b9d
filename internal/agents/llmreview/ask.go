package llmreview

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// ask is one request, about findings or about texts.
type ask struct {
	// questions are about findings; without them the ask is about the blocks.
	questions []question
	blocks    []block
	found     []string
	// key is in every delimiter, id must come back with the answer, and word is
	// what a probe may order the model to write.
	key, id, word string
	// probeNames are the names in the probes.
	probeNames []string
	seed       int64
}

// asks divides the material into asks. What does not fit is counted.
func (m *material) asks() []*ask {
	var all []*ask
	about := func(questions []question, texts []block) {
		all = append(all, m.ask(questions, texts))
	}
	for batch := range batches(m.questions, maxQuestions, (*question).size) {
		if len(all) < maxAsks {
			about(batch, nil)
			continue
		}
		for i := range batch {
			m.unasked += len(batch[i].findings)
		}
	}
	first := len(all)
	for batch := range batches(m.texts, maxBlocks, (*block).size) {
		if len(all) < first+maxAsks {
			about(nil, batch)
			continue
		}
		m.unshown += len(batch)
	}
	return all
}

// batches splits a list into pieces of at most so many items and of bounded
// size.
func batches[T any](list []T, most int, size func(*T) int) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		for len(list) > 0 {
			n, bytes := 0, 0
			for n < len(list) && n < most {
				if bytes += size(&list[n]); n > 0 && bytes > maxAskBytes {
					break
				}
				n++
			}
			if !yield(list[:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// ask builds one ask, with its probes.
func (m *material) ask(questions []question, texts []block) *ask {
	p := m.prober(questions, texts)
	a := &ask{found: m.found, seed: int64(m.seed & math.MaxInt64)}
	a.key = p.fresh(func() string { return p.letters(16, "bcdfghjkmnpqrstvwxz23456789") })
	a.id = p.fresh(func() string { return p.letters(8, "abcdefghkmnpqrstvwxz23456789") })
	a.word = p.word()
	if len(questions) > 0 {
		q, names := p.finding(a.word)
		a.questions, a.probeNames = slices.Insert(slices.Clone(questions), p.rng.IntN(len(questions)+1), q), names
		for i := range a.questions {
			a.blocks = append(a.blocks, a.questions[i].blocks...)
		}
		return a
	}
	planted, names := p.tools(a.word)
	a.blocks, a.probeNames = slices.Clone(texts), names
	for _, b := range planted {
		a.blocks = slices.Insert(a.blocks, p.rng.IntN(len(a.blocks)+1), b)
	}
	return a
}

// prober draws from a digest of the run's seed and of everything that the ask
// shows. So no text can contain what is drawn, a run with the same seed draws
// the same, and changes elsewhere in the report do not invalidate the record of
// this ask.
func (m *material) prober(questions []question, texts []block) *prober {
	sum := sha256.New()
	feed := func(s string) { fmt.Fprintf(sum, "%d %s", len(s), s) }
	show := func(blocks []block) {
		for i := range blocks {
			for _, p := range blocks[i].parts {
				feed(p.text)
			}
		}
	}
	feed(strconv.FormatUint(m.seed, 10))
	for i := range questions {
		feed(questions[i].title)
		show(questions[i].blocks)
	}
	show(texts)
	return &prober{rng: rand.New(rand.NewChaCha8([sha256.Size]byte(sum.Sum(nil)))), known: m.has}
}

// has says whether a word is in what can be shown.
func (m *material) has(word string) bool {
	in := func(b block) bool {
		return slices.ContainsFunc(b.parts, func(p part) bool { return strings.Contains(strings.ToLower(p.text), word) })
	}
	for i := range m.questions {
		if slices.ContainsFunc(m.questions[i].blocks, in) {
			return true
		}
	}
	return slices.ContainsFunc(m.texts, in)
}

// loss is what is lost without an answer.
func (a *ask) loss() loss {
	var l loss
	for i := range a.questions {
		l.findings += len(a.questions[i].findings)
	}
	if len(a.questions) > 0 {
		return l
	}
	for i := range a.blocks {
		if a.blocks[i].probe == nil {
			l.texts++
		}
	}
	return l
}

// mentionsProbe says whether a text names a probe.
func (a *ask) mentionsProbe(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(a.probeNames, func(name string) bool { return strings.Contains(text, name) })
}
