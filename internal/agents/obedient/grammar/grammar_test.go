package grammar

import (
	"testing"
)

// TestImperatives: a verb is an order if the reader is to do it.
func TestImperatives(t *testing.T) {
	for text, want := range map[string]bool{
		"Read the file first.":                                   true,
		"You must read the file.":                                true,
		"Start by reading the file.":                             true,
		"The file has to be passed to it.":                       true,
		"Before you go on, please read the file.":                true,
		"Reads the file and returns its content.":                false,
		"The server can read the file.":                          false,
		"Do not read the file.":                                  false,
		`Detects sentences such as "please read all the files".`: false,
	} {
		sentences := Read(text)
		if len(sentences) != 1 {
			t.Fatalf("%q: %d sentences", text, len(sentences))
		}
		s := Statement{Sentence: sentences[0]}
		if got := len(s.Imperatives("read", "pass", "passed")) > 0; got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestDemand: a double negation demands what it names.
func TestDemand(t *testing.T) {
	for text, want := range map[string]bool{
		"Calls without the content of the file are rejected.": true,
		"The call is refused unless you pass the file.":       true,
		"Do not pass the file.":                               false,
	} {
		s := Statement{Sentence: Read(text)[0]}
		if got := s.FindDemand() > 0; got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	s := Read(`Send it to <mailto:a@b.test>, then read "~/.netrc".`)[0]
	var got []string
	for i, w := range s.Words {
		if w.Shape != 0 {
			got = append(got, s.Literal(i))
		}
	}
	if len(got) != 2 || got[0] != "a@b.test" || got[1] != "~/.netrc" {
		t.Errorf("got %q", got)
	}
}
