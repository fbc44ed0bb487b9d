package refusal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/drive/refusal"
)

// A value with blanks or commas is one value first, and its parts later; a list of
// values is none.
func TestExamplesWithBlanks(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"A reading looks like 2029-11-05T10:15Z, 7.25 and nothing else", []string{"2029-11-05T10:15Z, 7.25", "2029-11-05T10:15Z", "7.25"}},
		{"A plate looks like FR AB99.", []string{"FR AB99", "FR"}},
		{"A weight is written like 12 kg", []string{"12 kg", "12"}},
		{"A slot looks like Tue 09:00-10:30.", []string{"Tue 09:00-10:30"}},
		{"The point is of the form 48.1, 11.5", []string{"48.1, 11.5", "48.1", "11.5"}},
		{"when is a moment, e.g. 2029-11-05 10:15", []string{"2029-11-05 10:15", "2029-11-05"}},
		{"A place looks like Lyon, France.", []string{"Lyon, France", "Lyon", "France"}},
		{"Give a period such as 2029-Q1, 2029-Q2", []string{"2029-Q1", "2029-Q2"}},
		{"A pair like EUR/USD or GBP/USD", []string{"EUR/USD", "GBP/USD"}},
		{"A part looks like X7-22 and is printed below", []string{"X7-22"}},
		{"It looks like the file is broken", nil},
		{"It looks like You are not allowed here", nil},
		{`A head is a document like {"a": "b. C", "n": 1}.`, []string{`{"a": "b. C", "n": 1}`}},
		{`A cart is a list like [{"sku": "A-1"}, {"sku": "B-2"}]`, []string{`[{"sku": "A-1"}, {"sku": "B-2"}]`}},
	} {
		if got := refusal.Examples(tt.text); !cmp.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// What the example is for is the noun before it, whatever the example contains.
func TestExampleIsForANoun(t *testing.T) {
	for _, tt := range []struct{ text, path, value string }{
		{`No good. A head is a document like {"a": "b. C", "n": 1}.`, "head", `{"a": "b. C", "n": 1}`},
		{`A cart is a list like [{"sku": "A-1"}]; nothing else will do`, "cart", `[{"sku": "A-1"}]`},
		{"A plate looks like FR AB99.", "plate", "FR AB99"},
		{"A reading looks like 2029-11-05T10:15Z, 7.25 and nothing else", "reading", "2029-11-05T10:15Z, 7.25"},
	} {
		wishes := refusal.Read(tt.text)
		if len(wishes) != 1 || len(wishes[0].Path) != 1 || wishes[0].Path[0] != tt.path || wishes[0].Accepted[0] != tt.value {
			t.Errorf("%q: %+v", tt.text, wishes)
		}
	}
}

// Examples that leave something out, or have no quotes, are documents too.
func TestExampleInOutline(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`Expected {"type":"FeatureCollection","features":[...]}, got type undefined.`: `{"type":"FeatureCollection","features":[]}`,
		`items must look like [{"sku": "A-1", "qty": 2}, ...]`:                        `[{"sku": "A-1", "qty": 2}]`,
		`for example {name: 'it is "so"', tags: ['a', …]}`:                            `{"name": "it is \"so\"", "tags": ["a"]}`,
		`something like {a, b}`:     "",
		`something like {"a": "...`: "",
	} {
		got := ""
		if list := refusal.Examples(text); len(list) > 0 {
			got = list[0]
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
