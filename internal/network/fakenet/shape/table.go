package shape

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed values.yaml
var valuesText []byte

// words is the content of values.yaml.
type words struct {
	Names []struct {
		Form  string `yaml:"form"`
		Match string `yaml:"match"`
		Not   string `yaml:"not"`
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
	names                 []nameRule
	lists, objects, texts wordlist.Set
	methods               map[string]string
	good, bad, verbs      wordlist.Set
	services              []service
}

type nameRule struct {
	form       string
	match, not *regexp.Regexp
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
	for _, n := range w.Names {
		r := nameRule{form: n.Form}
		if r.match, err = regexp.Compile(n.Match); err != nil {
			return nil, fmt.Errorf("form %s: %w", n.Form, err)
		}
		if n.Not != "" {
			if r.not, err = regexp.Compile(n.Not); err != nil {
				return nil, fmt.Errorf("form %s: %w", n.Form, err)
			}
		}
		t.names = append(t.names, r)
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
	plain := strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(name))
	for _, r := range table().names {
		if r.match.MatchString(plain) && (r.not == nil || !r.not.MatchString(plain)) {
			return r.form
		}
	}
	return ""
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
