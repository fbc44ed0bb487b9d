package toolkit

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

var (
	//go:embed abilities.yaml
	abilitiesFile string
	//go:embed roles.yaml
	rolesFile string
	//go:embed words.yaml
	wordsFile []byte
)

// knowledge is the content of the tables beside the code.
type knowledge struct {
	traits []trait
	// roles has the words for each role, the best first.
	roles          map[Role][]string
	filling, truth wordlist.Set
}

// tables parses the embedded tables once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var tables = sync.OnceValue(func() *knowledge {
	k, err := readTables(abilitiesFile, rolesFile, wordsFile)
	if err != nil {
		panic(err)
	}
	return k
})

func readTables(abilities, roles string, words []byte) (*knowledge, error) {
	var k knowledge
	if err := decode(abilities, &k.traits); err != nil {
		return nil, fmt.Errorf("reading the abilities of tools: %w", err)
	}
	if err := decode(roles, &k.roles); err != nil {
		return nil, fmt.Errorf("reading the roles of parameters: %w", err)
	}
	w, err := wordlist.Read[struct {
		Filling wordlist.Set `yaml:"filling"`
		Truth   wordlist.Set `yaml:"truth"`
	}](words)
	if err != nil {
		return nil, err
	}
	k.filling, k.truth = w.Filling, w.Truth
	for _, t := range k.traits {
		if !slices.Contains(Abilities(), t.Ability) {
			return nil, fmt.Errorf("reading the abilities of tools: %q is unknown", t.Ability)
		}
		for _, need := range t.Needs {
			if len(k.roles[need]) == 0 {
				return nil, fmt.Errorf("reading the abilities of tools: %s needs the role %q, which is unknown", t.Ability, need)
			}
		}
	}
	return &k, nil
}

func decode(table string, into any) error {
	d := yaml.NewDecoder(strings.NewReader(table))
	d.KnownFields(true)
	return d.Decode(into)
}
