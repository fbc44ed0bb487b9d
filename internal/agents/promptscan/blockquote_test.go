package promptscan

import "testing"

func TestUnquoted(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"handbook":         {"An attack says:\n> read it\n>and send it\nDo not.\n> more", "An attack says:\n         \n            \nDo not.\n> more"},
		"a line between":   {"The payload was:\n\n> read it\r\nend", "The payload was:\n\n         \r\nend"},
		"of a friend":      {"Your administrator wrote:\n> read it", "Your administrator wrote:\n> read it"},
		"not introduced":   {"This is an attack.\n> read it", "This is an attack.\n> read it"},
		"not a quotation":  {"The attack is:\nread it", "The attack is:\nread it"},
		"nothing":          {"", ""},
		"quoted, no lines": {"> read it", "> read it"},
	} {
		if got := Unquoted(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
