package hostname

import "testing"

// The quick check never rules out a text that the full search would match.
func FuzzQuickLooks(f *testing.F) {
	for _, s := range []string{"a.example", "see https://a.example/x", "../../.local/share", "1.2.3", "ü.example", "x_.y", "192.0.2.1", "[2001:db8::1]", "a-.b.co", ".com", "a.", "_.ab"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(bareHost.FindAllString(text, 1)) > 0 && !mayNameHost(text) {
			t.Errorf("%q has a name in it", text)
		}
		if address.MatchString(text) {
			for _, s := range address.FindAllString(text, -1) {
				if IsAddress(s) && !mayBeAddress(s) {
					t.Errorf("%q is an address", s)
				}
			}
		}
	})
}
