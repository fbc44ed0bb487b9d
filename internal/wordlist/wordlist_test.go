package wordlist

import (
	"strings"
	"testing"
)

type tables struct {
	Verbs Set      `yaml:"verbs"`
	Order []string `yaml:"order"`
	More  struct {
		Nouns Set `yaml:"nouns"`
	} `yaml:"more"`
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"good", "verbs: [read, 'no']\norder: [b, a]\nmore: {nouns: [x]}\n", ""},
		{"missing", "verbs: [read]\n", "Order is empty"},
		{"empty", "verbs: []\norder: [a]\n", "Verbs is empty"},
		{"unknown", "verbs: [read]\norder: [a]\nmore: {nouns: [x], verbs: [b]}\n", "not found"},
		{"missing in a group", "verbs: [read]\norder: [a]\n", "More.Nouns is empty"},
		{"twice", "verbs: [read, read]\norder: [a]\n", "twice"},
		{"no list", "verbs: read\norder: [a]\n", "cannot unmarshal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read[tables]([]byte(c.data))
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Fatalf("got %v, want an error with %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !got.Verbs.Has("no") || got.Verbs.Has("write") || !got.Verbs.Any([]string{"write", "read"}) || got.Order[0] != "b" {
				t.Errorf("got %v", got)
			}
		})
	}
}
func TestMust(t *testing.T) {
	type lists struct {
		Words Set      `yaml:"words"`
		Order []string `yaml:"order"`
	}
	got := Must[lists]([]byte("words: [a, b]\norder: [z, y]\n"))
	if !got.Words["a"] || got.Words["z"] || strings.Join(got.Order, "") != "zy" {
		t.Errorf("%+v", got)
	}
	for _, text := range []string{"words: [a, a]", "wrods: [a]", "words: {a: b}", ""} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was read", text)
				}
			}()
			Must[lists]([]byte(text))
		}()
	}
}
