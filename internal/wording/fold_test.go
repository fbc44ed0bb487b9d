package wording

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", []string{""}},
		{"one line", "a bc d", []string{"a bc d"}},
		{"words", "aaa bbb-ccc d", []string{"aaa", "bbb-ccc", "d"}},
		{"a long word", "a 123456789abc d", []string{"a", "12345678", "9abc d"}},
		{"wide", "日本日本日 本", []string{"日本日本", "日 本"}},
	} {
		if diff := cmp.Diff(tt.want, Fold(tt.in, 8)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
