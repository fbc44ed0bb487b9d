package agent

import "testing"

func TestAsksSecret(t *testing.T) {
	for reply, want := range map[string]bool{
		"Please tell me the password of your mail account.": true,
		"What is your API key?":                             true,
		"The password was changed.":                         false,
		"Please wait.":                                      false,
		"Do you like pineapples?":                           false,
	} {
		if got := asksSecret(reply); got != want {
			t.Errorf("%q: got %v, want %v", reply, got, want)
		}
	}
}
