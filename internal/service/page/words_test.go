package page

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "  ": nil, "node server.js": {"node", "server.js"}, `a "b c" 'd "e' f\ g`: {"a", "b c", `d "e`, "f g"}, `""`: {""}, `a''b`: {"ab"}, `"a\"b"`: {`a"b`}, `'a\b'`: {`a\b`}, "a\n b\t": {"a", "b"},
	} {
		got, err := words(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
		if again, err := words(quoteAll(want)); err != nil || !slices.Equal(again, want) {
			t.Errorf("%q as %q: %q, %v", want, quoteAll(want), again, err)
		}
	}
	for _, text := range []string{`"a`, `'`, `a\`} {
		if got, err := words(text); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{`a "b c"`, `'`, `\`, "é'\u202e'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, err := words(s)
		if err != nil {
			return
		}
		if again, err := words(quoteAll(list)); err != nil || !slices.Equal(list, again) {
			t.Errorf("%q becomes %q, %v", list, again, err)
		}
	})
}

func TestLine(t *testing.T) {
	if got := line("a\nb\u202e", 20); got != `a\nb\u{202e}` {
		t.Error(got)
	}
	if got := line(strings.Repeat("é", 50), 10); got != strings.Repeat("é", 9)+"…" {
		t.Error(got)
	}
	for name, want := range map[string]string{"weather": "/packages/weather", "@a/b": "/packages/@a%2Fb", "..": "", ".": "", "": "", "\xff": "", "javascript:x": "/packages/javascript:x", "a?b#c": "/packages/a%3Fb%23c"} {
		if got := packageAddress(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// The events of the API's stream become rows; everything else is unchanged.
func TestWorded(t *testing.T) {
	rec := httptest.NewRecorder()
	w := &rowWriter{ResponseWriter: rec}
	event, err := json.Marshal(mcpsf.Event{
		Seq: 7, T: 1.5, Phase: mcpsf.PhaseDrive, Call: "c1", PID: 3, PPID: 1, Proc: "node\u202e", Kind: mcpsf.KindNetConnect,
		Net: &mcpsf.NetDetail{Family: "ip4", Name: "a.example", Address: "192.0.2.1", Port: 443, Type: "stream"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range []string{
		"event: state\ndata: {\"state\":\"running\",\"attempt\":1}\n\n", ":\n\n",
		"event: event\nid: 1.1\ndata: " + string(event) + "\n\nevent: progress\ndata: {\"percent\":400,\"step\":\"a\\nb\"}\n\n",
		"event: note\ndata: \"x\\u202e\"\n\n", "event: event\ndata: nonsense\n\n", "event: end\nid: 1.end\ndata: {\"job_id\":\"secret\"}\n\n",
	} {
		if n, err := w.Write([]byte(piece)); err != nil || n != len(piece) {
			t.Fatalf("%d, %v", n, err)
		}
	}
	want := "event: state\ndata: {\"state\":\"running\",\"attempt\":1}\n\n:\n\nevent: event\nid: 1.1\n" +
		`data: {"n":7,"t":1.5,"phase":"drive","call":"c1","proc":"node\\u{202e}","kind":"net","verb":"connect","what":"stream a.example:443","loud":true,"host":"a.example:443","address":"192.0.2.1"}` +
		"\n\nevent: progress\ndata: {\"percent\":100,\"step\":\"a\\\\nb\"}\n\nevent: note\ndata: \"x\\\\u{202e}\"\n\nevent: event\ndata: {}\n\nevent: end\nid: 1.end\ndata: {}\n\n"
	if got := rec.Body.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
