package attack

import (
	"encoding/json"
	"testing"
)

func TestTold(t *testing.T) {
	list := func(texts ...string) [][]byte {
		var all [][]byte
		for _, text := range texts {
			all = append(all, []byte(text))
		}
		return all
	}
	for _, c := range []struct {
		name    string
		yes, no [][]byte
		want    bool
	}{
		{"rows and none", list("kim, alex", "kim, alex"), list("none", "none"), true},
		{"none where it holds", list("none", "none"), list("kim, alex", "kim, alex"), true},
		{"as long as each other", list("100-12 100-14", "100-12 100-14"), list("nobody is one", "nobody is one"), true},
		{"numbers", list("[12,14]", "[12,14]"), list("[]", "[]"), true},
		{"yes or no", list("true", "true"), list("false", "false"), true},
		{"other counts", list("9 words, 41 letters", "9 words, 41 letters"), list("8 words, 39 letters", "8 words, 39 letters"), false},
		{"the same", list("none", "none"), list("none", "none"), false},
		{"one was not answered", list("kim, alex"), list("none", "none"), false},
		{"different every time", list("kim, alex", "kim, alex, bo"), list("none", "none"), false},
		{"a count", list("9 words", "9 words"), list("8 words", "8 words"), false},
		{"nothing to see", list("", ""), list("none", "none"), false},
	} {
		if got := (&replies{yes: c.yes, no: c.no}).told(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if (*replies)(nil).told() {
		t.Error("no replies tell something apart")
	}
}

func TestUnrepeated(t *testing.T) {
	payload := `0' or 1=1 or "x"="`
	once, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(`{"q":` + string(once) + `}`)
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"no " + payload + ".":       "no .",
		"no " + string(once):        `no ""`,
		"no " + string(twice):       `no "{\"q\":\"\"}"`,
		"nothing of it":             "nothing of it",
		payload + " and " + payload: " and ",
	} {
		if got := string(unrepeated([]byte(in), payload)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if got := string(unrepeated([]byte("abc"), "")); got != "abc" {
		t.Error(got)
	}
}
