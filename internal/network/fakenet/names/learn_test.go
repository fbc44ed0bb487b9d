package names

import (
	"strconv"
	"testing"
)

// What was learned takes precedence over the guess, but not over fixed names.
func TestLearn(t *testing.T) {
	b := New(1, nil, true)
	for name, exists := range map[string]bool{
		"gone.example": false, "xkcdqwrtzplmnb.com": true, "Host.Corp.": true, "localhost": false, "metadata.google.internal": false,
	} {
		b.Learn(name, exists)
	}
	for name, want := range map[string]bool{
		"gone.example": false, "GONE.example.": false, "other.example": true, "xkcdqwrtzplmnb.com": true, "host.corp": true, "other.corp": false,
		"localhost": true, "metadata.google.internal": true,
	} {
		a, has := b.Address4(name)
		if got := b.Exists(name); got != want || has != want {
			t.Errorf("%s exists: %v, has %v, want %v", name, got, a, want)
		}
	}
	if a, _ := b.Address4("host.corp"); b.Name(a) != "host.corp" {
		t.Errorf("%v leads back to %q", a, b.Name(a))
	}
	for i := range maxNames + 10 {
		b.learned[strconv.Itoa(i)] = true
	}
	full := len(b.learned)
	if b.Learn("one.more.example", false); len(b.learned) > full {
		t.Error("there is no end to what is learned")
	}
}
