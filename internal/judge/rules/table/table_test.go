package table

import (
	"strings"
	"testing"
)

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
