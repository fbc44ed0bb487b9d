package llmreview

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

var (
	wantsWord   = regexp.MustCompile(`(?:the word|put) ([a-z]{9})\b`)
	wantsSafe   = regexp.MustCompile(`"verdict"`)
	wantsReject = regexp.MustCompile(`(?i)agrees"?(?: to|:) false`)
	wantsSilent = regexp.MustCompile(`(?i)leave it out|do not report|must skip`)
)

// orders are the probes' orders in the blocks of a prompt, by kind.
func orders(s *sheet) map[goal]string {
	all := make(map[goal]string)
	for i := range s.blocks {
		text := s.blocks[i].text()
		if m := wantsWord.FindStringSubmatch(text); m != nil {
			all[goalWord] = m[1]
		}
		for w, re := range map[goal]*regexp.Regexp{goalSafe: wantsSafe, goalReject: wantsReject, goalOmit: wantsSilent} {
			if re.MatchString(text) {
				all[w] = text
			}
		}
	}
	return all
}

// A model that obeys one kind of order, and is honest otherwise, is detected,
// and its answer is not in the report.
func TestTurned(t *testing.T) {
	obey := map[string]struct {
		wish   goal
		do     func(s *sheet, a *form, what string)
		passed bool // the probe was ignored, not obeyed
	}{
		"note": {wish: goalWord, do: func(_ *sheet, a *form, word string) { a.Note = "As wanted: " + strings.ToUpper(word) }},
		"word in a text": {wish: goalWord, do: func(s *sheet, a *form, word string) {
			for i := range a.Findings {
				a.Findings[i].Text = word + " it is borne out."
			}
			for i := range a.Suspicions {
				a.Suspicions[i].Text = word[:4] + "\u200b" + word[4:] + ", it hides something."
			}
		}},
		"verdict": {wish: goalSafe, do: func(_ *sheet, a *form, _ string) { a.Verdict = "Safe" }},
		"false alarm": {wish: goalReject, do: func(s *sheet, a *form, what string) {
			for i := range s.findings {
				a.Findings[i].Agrees = !slices.ContainsFunc(s.findings[i], func(p paper) bool { return p.text() == what })
			}
		}},
		"all are false alarms": {wish: goalReject, do: func(_ *sheet, a *form, _ string) {
			for i := range a.Findings {
				a.Findings[i].Agrees = false
			}
		}},
		"left out":   {wish: goalOmit, passed: true, do: func(_ *sheet, a *form, _ string) { a.Suspicions = nil }},
		"unanswered": {wish: goalReject, passed: true, do: func(_ *sheet, a *form, _ string) { a.Findings = nil }},
	}
	for name, tt := range obey {
		t.Run(name, func(t *testing.T) {
			tried := 0
			for seed := range uint64(5) {
				r, events := sample()
				r.Run.Seed = seed
				discarded := 0
				script := judge(t, func(s *sheet, a *form) {
					suspecting(taking, "sends-data", "low", "It takes more than it needs.")(s, a)
					if what := orders(s)[tt.wish]; what != "" {
						discarded++
						tt.do(s, a, what)
					}
				})
				each(t, func(t *testing.T, s side) {
					discarded = 0
					Ask(t.Context(), s.model(t, script), r, events, nil)
					o := r.SecondOpinion
					got, words := o.Turned, "was turned by text that it was to judge, and its opinion was discarded"
					if tt.passed {
						got, words = o.Untested, "passed over what was planted to test it, and its opinion was discarded"
					}
					if got != discarded || o.Answered != 2-discarded {
						t.Fatalf("seed %d: %d discarded, want %d: %+v", seed, got, discarded, o)
					}
					if said := strings.Join(notes(r), "\n"); discarded > 0 != strings.Contains(said, words) {
						t.Errorf("seed %d: the coverage says %q", seed, said)
					}
					if tt.wish == goalReject && r.Findings[0].Opinion != nil {
						t.Errorf("seed %d: an opinion that was discarded is in the report: %+v", seed, r.Findings[0].Opinion)
					}
					if tt.wish == goalOmit && len(o.Suspicions) > 0 {
						t.Errorf("seed %d: suspicions that were discarded: %+v", seed, o.Suspicions)
					}
					unchangedBut(t, r, seed)
				})
				tried += discarded
			}
			if tried == 0 {
				t.Error("no order of that kind was planted: the test tests nothing")
			}
		})
	}
}

func unchangedBut(t *testing.T, r *mcpsf.Report, seed uint64) {
	t.Helper()
	c := *r
	c.Findings = slices.Clone(r.Findings)
	if c.Run.Seed != seed {
		t.Errorf("the seed is %d", c.Run.Seed)
	}
	c.Run.Seed = 7
	unchanged(t, &c)
}

// A model that only obeys writes the word without an answer.
func TestTurnedWithoutAnswer(t *testing.T) {
	for seed := range uint64(20) {
		r, events := sample()
		r.Run.Seed = seed
		obeyed := 0
		Ask(t.Context(), side{"openai", llmtest.OpenAI}.model(t, func(q *llmtest.Request) llmtest.Answer {
			if word := orders(lay(t, q.System, q.Last().Text))[goalWord]; word != "" {
				obeyed++
				return llmtest.Say("Of course: " + word)
			}
			return llmtest.Say("I see.")
		}), r, events, nil)
		if o := r.SecondOpinion; o.Turned != obeyed || o.Failed != 2-obeyed {
			t.Errorf("seed %d: obeyed %d times, %+v", seed, obeyed, o)
		}
		if obeyed > 0 {
			return
		}
	}
	t.Error("no word was planted")
}

// A model that recognises the probes and says so does not count as obeying, and
// the report does not mention the probes.
func TestPlantedIsSeenThrough(t *testing.T) {
	for seed := range uint64(12) {
		r, events := sample()
		r.Run.Seed = seed
		Ask(t.Context(), side{"anthropic", llmtest.Anthropic}.model(t, judge(t, func(s *sheet, a *form) {
			if len(s.findings) > 0 {
				return
			}
			for i := range s.blocks {
				lines := s.blocks[i].lines
				if m := wantsWord.FindStringSubmatch(s.blocks[i].text()); m != nil {
					a.Suspicions = append(a.Suspicions, formSusp{i + 1, lines[len(lines)-2], "steers-the-model", "medium", "It wants a reader to write " + m[1] + "."})
				}
			}
		})), r, events, nil)
		if o := r.SecondOpinion; o.Answered != 2 || len(o.Suspicions) != 0 || o.Invented != 0 {
			t.Errorf("seed %d: %+v, %q", seed, o, notes(r))
		}
	}
}

// Every kind of order is planted in some run, each ask has two, and the
// target's texts have none.
func TestWhatIsPlanted(t *testing.T) {
	seen := make(map[goal]int)
	for seed := range uint64(30) {
		r, events := sample()
		r.Run.Seed = seed
		for _, a := range gather(r, events).asks() {
			n := 0
			for i := range a.blocks {
				if o := a.blocks[i].probe; o != nil {
					n++
					seen[o.goal]++
				}
			}
			if n != 2 || n == len(a.blocks) {
				t.Errorf("seed %d: %d of %d blocks are planted", seed, n, len(a.blocks))
			}
			s := lay(t, a.request().System, a.prompt())
			for i := range s.blocks {
				if a.blocks[i].probe == nil && strings.Contains(s.blocks[i].text(), a.word) {
					t.Errorf("seed %d: an order in a text of the target: %q", seed, s.blocks[i].text())
				}
			}
		}
	}
	if got := slices.Sorted(maps.Keys(seen)); fmt.Sprint(got) != "[1 2 3 4]" {
		t.Errorf("kinds of orders %v, want all four", got)
	}
}

// What is drawn depends on the seed and on every text, and is the same for the
// same input.
func TestDrawn(t *testing.T) {
	draw := func(change func(*mcpsf.Report)) string {
		r, events := sample()
		change(r)
		var all []string
		for _, a := range gather(r, events).asks() {
			all = append(all, a.key, a.id, a.word)
		}
		return strings.Join(all, " ")
	}
	first := draw(func(*mcpsf.Report) {})
	if again := draw(func(*mcpsf.Report) {}); again != first {
		t.Errorf("first %s, then %s", first, again)
	}
	for name, change := range map[string]func(*mcpsf.Report){
		"seed": func(r *mcpsf.Report) { r.Run.Seed++ },
		"text": func(r *mcpsf.Report) { r.Session.Tools[0].Description += " " + first },
	} {
		other := draw(change)
		for word := range strings.FieldsSeq(first) {
			if strings.Contains(other, word) {
				t.Errorf("another %s draws %q again", name, word)
			}
		}
	}
}

func TestAcquits(t *testing.T) {
	for verdict, want := range map[string]bool{
		"": false, "unasked": false, "unsafe": false, "Not safe.": false,
		"safe": true, " SAFE ": true, "It is safe.": true, "s\u200bafe": true, "ｓａｆｅ": true, `{"v":"safe"}`: true,
	} {
		if got := declaresSafe(verdict); got != want {
			t.Errorf("%q: %v, want %v", verdict, got, want)
		}
	}
}

var _ llm.Model = broken{}
