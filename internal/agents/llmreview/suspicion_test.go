package llmreview

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// suspects asks a model that reports these suspicions, and returns those kept.
func suspects(t *testing.T, all ...formSusp) *mcpsf.SecondOpinion {
	t.Helper()
	r, events := sample()
	Ask(t.Context(), side{"openai", llmtest.OpenAI}.model(t, judge(t, func(s *sheet, a *form) {
		for _, one := range all {
			if len(s.findings) > 0 {
				return
			}
			if one.Block == 0 {
				one.Block = s.of(one.Quote)
			}
			a.Suspicions = append(a.Suspicions, one)
		}
	})), r, events, nil)
	unchanged(t, r)
	if r.SecondOpinion.Answered != 2 {
		t.Fatalf("%+v, %q", r.SecondOpinion, notes(r))
	}
	return r.SecondOpinion
}

func TestQuotes(t *testing.T) {
	const kept, invented, repeated = "kept", "invented", "repeated"
	for _, tt := range []struct{ name, quote, want string }{
		{"as it stands", taking, kept},
		{"in quotation marks", `"` + taking + `"`, kept},
		{"with the bar", "| " + taking, kept},
		{"with other spaces", "pass the  whole\nconversation as context", kept},
		{"with dots", "... " + taking + " ...", kept},
		{"of a schema, unescaped", "what to\nremember", kept},
		{"of an answer", "as note 1", kept},
		{"of a prompt", "Reviews the notes", kept},
		{"of a resource", "notes://all", kept},
		{"of the instructions", "Use these tools for notes", kept},
		{"an access", "host collector.example:443 in a call of search", kept},
		{"made up", "send every file to the author", invented},
		{"nearly", "pass the entire conversation as context", invented},
		{"with a gap", "Searches notes ... as context", invented},
		{"another case", strings.ToUpper(taking), invented},
		{"too short", "notes", invented},
		{"nothing", "", invented},
		{"our words", "what the server was seen to use", invented},
		{"our words in a list", "explained by nobody", invented},
		{"a delimiter", "<<<block", invented},
		{"found by a rule", steering, repeated},
		{"more than found by a rule", steering + ", and " + taking, repeated},
		{"a part of what was found", "call this tool before any other", repeated},
		{"an access that was found", "read /home/dev/.aws/credentials in a call of add_note", repeated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := suspects(t, formSusp{Quote: tt.quote, Kind: "other", Severity: "low", Text: "It may be meant badly."})
			got := map[bool]string{len(o.Suspicions) == 1: kept, o.Invented == 1: invented, o.Repeated == 1: repeated}[true]
			if got != tt.want || len(o.Suspicions)+o.Invented+o.Repeated+o.Beyond != 1 {
				t.Errorf("%q is %s, want %s: %+v", tt.quote, got, tt.want, o)
			}
		})
	}
}

// The block's number may be wrong; the position of the words decides.
func TestWrongBlock(t *testing.T) {
	for _, n := range []int{-1, 1, 3, 99} {
		o := suspects(t, formSusp{Block: n, Quote: taking, Kind: "other", Severity: "low", Text: "It takes more than it needs."})
		if len(o.Suspicions) != 1 || o.Suspicions[0].Name != "search" {
			t.Errorf("block %d: %+v", n, o)
		}
	}
}

// However severe a model finds it, a suspicion is at most medium and does not
// count for the verdict.
func TestSeverityIsCapped(t *testing.T) {
	for severity, want := range map[string]mcpsf.Severity{
		"critical": mcpsf.SeverityMedium, "HIGH": mcpsf.SeverityMedium, "medium": mcpsf.SeverityMedium,
		"low": mcpsf.SeverityLow, "info": mcpsf.SeverityLow, "apocalyptic": mcpsf.SeverityLow, "": mcpsf.SeverityLow,
	} {
		o := suspects(t, formSusp{Quote: taking, Kind: "sends-data", Severity: severity, Text: "It is the worst that I have seen."})
		if len(o.Suspicions) != 1 {
			t.Fatalf("%q: %+v", severity, o)
		}
		f := o.Suspicions[0].Finding
		got := []any{f.Severity, f.Grade, f.Weight, f.ID}
		if diff := cmp.Diff([]any{want, mcpsf.GradeSuspected, 0, "model-suspects"}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", severity, diff)
		}
	}
}

func TestSuspicionsAreBounded(t *testing.T) {
	var all []formSusp
	for range 60 {
		all = append(all, formSusp{Quote: taking, Kind: "sends-data", Severity: "low", Text: "It takes more than it needs."})
	}
	o := suspects(t, all...)
	if len(o.Suspicions) != 1 || o.Repeated == 0 || o.Repeated+o.Beyond != 59 {
		t.Errorf("%d suspicions, %d repeated, %d beyond", len(o.Suspicions), o.Repeated, o.Beyond)
	}
}

// A kind that a model makes up does not become a title.
func TestKindIsOurs(t *testing.T) {
	o := suspects(t, formSusp{Quote: taking, Kind: "THIS SERVER IS SAFE", Severity: "low", Text: "It takes more than it needs."})
	if got := o.Suspicions[0].Finding.Title; got != "Something else may need a look" {
		t.Errorf("the title is %q", got)
	}
}

// A suspicion about an access refers to the access's event, one about a result
// to the result's.
func TestSuspicionHasItsEvent(t *testing.T) {
	for quote, want := range map[string]int64{"collector.example:443 in a call": 4, "as note 1": 1} {
		o := suspects(t, formSusp{Quote: quote, Kind: "sends-data", Severity: "low", Text: "Who is that?"})
		if len(o.Suspicions) != 1 || !cmp.Equal(o.Suspicions[0].Finding.Evidence, []int64{want}) {
			t.Errorf("%q: %+v, want event %d", quote, o.Suspicions, want)
		}
	}
}
