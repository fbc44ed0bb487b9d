package shape

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTables(t *testing.T) {
	tb, err := readTables(valuesText, servicesText)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for i := range tb.services {
		names[tb.services[i].name] = true
	}
	if len(names) < 40 {
		t.Errorf("%d services", len(names))
	}
	for _, forms := range []map[string]string{tb.names.whole, tb.names.first, tb.names.last} {
		for name, form := range forms {
			word, _, _ := strings.Cut(form, " ")
			if !knownForm(word) && !slices.Contains([]string{"flag", "status", "word", "encoding", "zero", "nothing"}, word) {
				t.Errorf("nothing makes %q of %q", form, name)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"id": "id", "userId": "ref", "created_at": "date", "createdAt": "date", "chat": "", "message": "summary", "workflow": "", "items": "", "reviews": "",
		"avatar_url": "url image", "htmlUrl": "url", "is_active": "flag", "hasMore": "no", "nextPageToken": "cursor", "report": "", "port": "count",
		"attempt": "", "description": "summary", "errorCode": "nothing", "error": "nothing", "statusCode": "status code", "HTMLURL": "", "region": "city", "": "",
	} {
		if got := formByName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// now is the time of all tests.
func now() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }

// asked is a request of "METHOD HOST/PATH".
func asked(method, host, path string) *Request {
	return &Request{Method: method, Scheme: "https", Host: host, Domain: host, Path: path, Seed: 7, Now: now()}
}

// TestEveryServiceAnswers makes each answer of the table: it has all that its
// shape says, and is the same again.
func TestEveryServiceAnswers(t *testing.T) {
	for i := range table().services {
		s := &table().services[i]
		for j := range s.answers {
			a := &s.answers[j]
			if a.node == nil {
				continue
			}
			r := asked("GET", "h.example", "/"+a.pattern)
			one, two := complete(r, a.node, nil), complete(r, a.node, nil)
			if asText(t, one) != asText(t, two) {
				t.Errorf("%s %s: not the same again", s.name, a.pattern)
			}
			if n := len(asText(t, one)); n > maxSize {
				t.Errorf("%s %s: %d bytes", s.name, a.pattern, n)
			}
			meets(t, s.name+" "+a.pattern, a.node, one)
		}
	}
}
