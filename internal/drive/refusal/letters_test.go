package refusal_test

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
)

// Texts that say of which characters a value is made.
func TestWishLetters(t *testing.T) {
	for _, tt := range []struct{ text, path, pattern string }{
		{"a title has letters, digits, spaces, hyphens and underscores", "title", "^[A-Za-z0-9 _-]+$"},
		{"label: only lowercase letters and dashes", "label", "^[a-z-]+$"},
		{"alphanumeric only, up to 12 characters", "", "^[A-Za-z0-9]{1,12}$"},
		{"The tag may contain letters and digits only.", "tag", "^[A-Za-z0-9]+$"},
		{"code must consist of upper-case letters and digits", "code", "^[A-Z0-9]+$"},
		{"slug can only contain small letters, numbers and dots (at most 30)", "slug", "^[a-z0-9.]{1,30}$"},

		{"the letter has dashes", "", ""},
		{"password must contain digits", "", ""},
		{"numbers are unknown here", "", ""},
		{"count is too large", "", ""},
	} {
		path, pattern := "", ""
		for _, w := range refusal.Read(tt.text) {
			if w.Type == mcpsf.FormatPattern {
				path, pattern = strings.Join(w.Path, "."), w.Accepted[0]
			}
		}
		if path != tt.path || pattern != tt.pattern {
			t.Errorf("%q: %q of %q, want %q of %q", tt.text, pattern, path, tt.pattern, tt.path)
		}
	}
}
