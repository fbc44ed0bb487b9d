package chain

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed words.yaml
var wordsFile []byte

// words reads the tables once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var words = sync.OnceValue(func() *wordTables {
	t, err := readWords(wordsFile)
	if err != nil {
		panic(err) // the file is embedded, and a test reads it
	}
	return t
})

// wordTables are the tables of words.yaml, by word.
type wordTables struct {
	verbs           map[string]rank
	heads           map[string]string
	calledLikeThing map[string]bool
	prepositions    map[string]bool
	generic         map[string]bool
}

// readWords reads the tables. A word listed twice in one table is an error.
func readWords(data []byte) (*wordTables, error) {
	type words struct {
		Verbs struct {
			Opens   []string `yaml:"opens"`
			Makes   []string `yaml:"makes"`
			Uses    []string `yaml:"uses"`
			Removes []string `yaml:"removes"`
			Closes  []string `yaml:"closes"`
		} `yaml:"verbs"`
		Heads           map[string][]string `yaml:"heads"`
		CalledLikeThing []string            `yaml:"called_like_thing"`
		Prepositions    []string            `yaml:"prepositions"`
		Generic         []string            `yaml:"generic"`
	}
	file, err := wordlist.Read[words](data)
	if err != nil {
		return nil, fmt.Errorf("reading the words of names: %w", err)
	}
	t := &wordTables{
		verbs: map[string]rank{}, heads: map[string]string{},
		calledLikeThing: map[string]bool{}, prepositions: map[string]bool{}, generic: map[string]bool{},
	}
	for r, list := range map[rank][]string{
		opensThings: file.Verbs.Opens, makesThings: file.Verbs.Makes, usesThings: file.Verbs.Uses,
		removesThings: file.Verbs.Removes, closesThings: file.Verbs.Closes,
	} {
		err = fill(t.verbs, list, r, err)
	}
	for head, list := range file.Heads {
		err = fill(t.heads, list, head, err)
	}
	err = fill(t.calledLikeThing, file.CalledLikeThing, true, err)
	err = fill(t.prepositions, file.Prepositions, true, err)
	err = fill(t.generic, file.Generic, true, err)
	return t, err
}

// fill gives every word of a list its value, unless an earlier step failed.
func fill[V any](table map[string]V, list []string, value V, failed error) error {
	if failed != nil {
		return failed
	}
	if len(list) == 0 {
		return fmt.Errorf("reading the words of names: no words for %v", value)
	}
	for _, w := range list {
		if _, ok := table[w]; ok {
			return fmt.Errorf("reading the words of names: %q is there twice", w)
		}
		table[w] = value
	}
	return nil
}
