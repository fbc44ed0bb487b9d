package shape

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed values.yaml
var valuesText []byte

// words is the content of values.yaml.
type words struct {
	Names []struct {
		Form  string   `yaml:"form"`
		Whole []string `yaml:"whole"`
		First []string `yaml:"first"`
		Last  []string `yaml:"last"`
	} `yaml:"names"`
	Lists   wordlist.Set        `yaml:"lists"`
	Objects wordlist.Set        `yaml:"objects"`
	Texts   wordlist.Set        `yaml:"texts"`
	Methods map[string][]string `yaml:"methods"`
	Good    wordlist.Set        `yaml:"good"`
	Bad     wordlist.Set        `yaml:"bad"`
	Verbs   wordlist.Set        `yaml:"verbs"`
}

// tables are the tables of this package, ready for use.
type tables struct {
	names                 nameRules
	lists, objects, texts wordlist.Set
	methods               map[string]string
	good, bad, verbs      wordlist.Set
	services              []service
}

// nameRules are the forms of values by whole names, first and last words.
type nameRules struct{ whole, first, last map[string]string }

func (r *nameRules) add(form string, whole, first, last []string) {
	put := func(to map[string]string, words []string) {
		for _, w := range words {
			if to[w] == "" {
				to[w] = form
			}
		}
	}
	put(r.whole, whole)
	put(r.first, first)
	put(r.last, last)
}

// table reads both files once. A test ensures that they are valid.
//
//nolint:gochecknoglobals // compiled once like a regular expression, and never changed
var table = sync.OnceValue(func() *tables {
	t, err := readTables(valuesText, servicesText)
	if err != nil {
		panic(err)
	}
	return t
})

func readTables(values, services []byte) (*tables, error) {
	w, err := wordlist.Read[words](values)
	if err != nil {
		return nil, err
	}
	t := &tables{lists: w.Lists, objects: w.Objects, texts: w.Texts, good: w.Good, bad: w.Bad, verbs: w.Verbs, methods: map[string]string{}}
	t.names = nameRules{map[string]string{}, map[string]string{}, map[string]string{}}
	for _, n := range w.Names {
		t.names.add(n.Form, n.Whole, n.First, n.Last)
	}
	for kind, names := range w.Methods {
		for _, name := range names {
			t.methods[name] = kind
		}
	}
	t.services, err = readServices(services)
	return t, err
}

// formByName is what a member of that name looks like, "" if nothing tells.
func formByName(name string) string {
	words := wordsOf(name)
	if len(words) == 0 {
		return ""
	}
	rules := &table().names
	for _, form := range []string{
		rules.whole[strings.Join(words, "_")], rules.whole[strings.ToLower(name)],
		rules.firstOf(words), rules.last[words[len(words)-1]],
	} {
		if form != "" {
			return form
		}
	}
	return ""
}

// firstOf looks the first of several words up.
func (r *nameRules) firstOf(words []string) string {
	if len(words) < 2 {
		return ""
	}
	return r.first[words[0]]
}

// wordsOf divides a name into its words, in lower case.
func wordsOf(name string) []string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.FieldsFunc(b.String(), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// guessKind is the kind of a value of which only the name is known.
func guessKind(name string) string {
	lower := strings.ToLower(name)
	switch {
	case table().lists[lower], table().texts[lower]:
		return array
	case table().objects[lower]:
		return object
	}
	if form := formByName(name); form != "" {
		return formKind(form)
	}
	if many.MatchString(lower) {
		return array
	}
	return text
}

// elementKind is the kind of the elements of a list of that name.
func elementKind(name string) string {
	if table().texts[strings.ToLower(name)] {
		return text
	}
	return object
}

// usualRecord is an element of which nothing is known.
//
//nolint:gochecknoglobals // as above
var usualRecord = sync.OnceValue(func() *node {
	n := &node{kind: object}
	for _, name := range []string{"id", "name", "title", "description", "status", "url", "created_at"} {
		n.put(name, &node{kind: guessKind(name)})
	}
	return n
})
