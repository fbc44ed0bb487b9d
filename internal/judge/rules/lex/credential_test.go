package lex

import "testing"

func TestIsCredential(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        bool
	}{
		{"password", "x", true}, {"apiKey", "x", true}, {"access_token", "x", true}, {"value", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.x", true},
		{"text", "ghp_abcdefghijklmnopqrstuv", true}, {"key", "color", false}, {"text", "a note", false}, {"max_tokens", "100", false},
		{"ssh_key", "x", true}, {"keyboard", "x", false},
	} {
		if got := IsCredential(tt.name, tt.value); got != tt.want {
			t.Errorf("%s=%s: %v", tt.name, tt.value, got)
		}
	}
}
