package noninterference

import (
	"strconv"
	"strings"
	"unicode"
)

// A random number beside a secret makes the whole text differ in equal starts. So
// such texts are compared word by word. A few words may be equal by chance, so
// that several have to depend on the secrets, and none may be random in another
// call.

const (
	// leastNumber and leastWord are the least lengths of a word that counts, with
	// and without digits: the time of day is short numbers.
	leastNumber = 5
	leastWord   = 3
	// leastWords is how many must depend on the secrets, and leastLetters how long
	// they must be together.
	leastWords   = 3
	leastLetters = 15
)

// wordPlace is the place of a word in what a tool sends or returns.
type wordPlace struct {
	in    chance
	index int
}

// wordFlow is a word that depends on the secrets.
type wordFlow struct {
	at      wordPlace
	letters int
	flow    Flow
}

// compareWords compares the words of a part that differs in equal runs.
func (c *comparison) compareWords(m message, p part, v, x, y string) {
	a, b, d, e := words(p.text), words(v), words(x), words(y)
	if len(a) != len(b) || len(a) != len(d) || len(a) != len(e) {
		return
	}
	for i := range a {
		at := wordPlace{chance{c.at.tool, c.at.host, c.at.kind, p.name}, i}
		switch {
		case !c.runs.same(a[i], b[i]) || !c.runs.same(d[i], e[i]):
			c.randomWords = append(c.randomWords, at)
		case !c.runs.same(a[i], d[i]) && isLong(a[i]) && isLong(d[i]) && !isTime(a[i], d[i]):
			one := comparison{runs: c.runs, at: c.at}
			one.flow(m, p.name, a[i], d[i], sure)
			one.flows[0].exact = false // which word is the first to tell depends on the others
			c.words = append(c.words, wordFlow{at, min(len(a[i]), len(d[i])), one.flows[0]})
		}
	}
}

// wordCount counts the words of a part that depend on the secrets, and their letters.
type wordCount struct{ words, letters int }

func (n wordCount) tells() bool { return n.words >= leastWords && n.letters >= leastLetters }

// isLong tells whether a word is long enough to count.
func isLong(word string) bool {
	if strings.ContainsFunc(word, unicode.IsDigit) {
		return len(word) >= leastNumber
	}
	return len(word) >= leastWord
}

// wordFlows returns the first word of each part in which several depend on the
// secrets.
func wordFlows(all []*comparison) []Flow {
	random := map[wordPlace]bool{}
	for _, c := range all {
		for _, at := range c.randomWords {
			random[at] = true
		}
	}
	found := map[chance]wordCount{}
	var out []Flow
	for _, c := range all {
		for _, w := range c.words {
			if random[w.at] {
				continue
			}
			before := found[w.at.in]
			after := wordCount{before.words + 1, before.letters + w.letters}
			if found[w.at.in] = after; after.tells() && !before.tells() {
				out = append(out, w.flow)
			}
		}
	}
	return out
}

// maxWords bounds the words that are compared.
// no gap: a text that differs in equal starts is noise all the same
const maxWords = 20_000

func words(s string) []string {
	all := strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return all[:min(len(all), maxWords)]
}

// isTime tells whether two words are times of the same day, in seconds or parts of
// seconds: calls are made at about the same time in every start.
func isTime(a, b string) bool {
	x, err := strconv.ParseInt(a, 10, 64)
	y, err2 := strconv.ParseInt(b, 10, 64)
	if err != nil || err2 != nil || len(a) != len(b) || len(a) < 9 {
		return false
	}
	day := int64(24 * 60 * 60)
	for i := 10; i < len(a); i++ {
		day *= 10
	}
	return x-y < day && y-x < day
}
