package toolkit

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// TestTables: the tables can be read, and every ability and role has its words.
func TestTables(t *testing.T) {
	k, err := readTables(abilitiesFile, rolesFile, wordsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range Abilities() {
		if !slices.ContainsFunc(k.traits, func(tr trait) bool { return tr.Ability == a && len(tr.Verbs) > 0 && len(tr.Nouns) > 0 }) {
			t.Errorf("no words for the ability %q", a)
		}
	}
	roles := []Role{RolePath, RoleReceiver, RoleCopy, RoleSubject, RoleBody, RoleURL, RoleCommand, RoleAccount, RoleAmount, RoleQuery, RoleName}
	if len(k.roles) != len(roles) {
		t.Errorf("got %d roles, want %d", len(k.roles), len(roles))
	}
	for _, r := range roles {
		if len(k.roles[r]) == 0 {
			t.Errorf("no words for the role %q", r)
		}
	}
}

func TestTableMistakes(t *testing.T) {
	for _, c := range []struct{ name, abilities, roles, words, want string }{
		{"unknown ability", "- ability: fly", rolesFile, string(wordsFile), "unknown"},
		{"unknown role", "- ability: pay\n  needs: [luck]", rolesFile, string(wordsFile), "needs the role"},
		{"unknown key", "- ability: pay\n  adverbs: [gladly]", rolesFile, string(wordsFile), "not found"},
		{"no roles", abilitiesFile, "- path", string(wordsFile), "roles of parameters"},
		{"no words", abilitiesFile, rolesFile, "filling: [a]", "empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readTables(c.abilities, c.roles, []byte(c.words))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestProfile(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"url":{"type":"string"}},"required":["path"]}`)
	for name, want := range map[string][]Ability{
		"read_file": {CanRead}, "writeFile": {CanWrite}, "upload": {CanPost}, "remember": {CanRemember}, "vault": {CanTellSecrets}, "add": nil,
	} {
		p := NewProfile(&llm.Tool{Name: name, Schema: schema})
		if !slices.Equal(p.Abilities, want) {
			t.Errorf("%s: got %q, want %q", name, p.Abilities, want)
		}
	}
}
