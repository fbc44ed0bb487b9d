package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

// hidden returns characters of every class that steers a terminal, changes the
// order of text or cannot be seen.
func hidden() map[string]string {
	ranges := map[string][2]rune{
		"C0": {0, 0x1f}, "C1": {0x7f, 0x9f}, "soft hyphen": {0xad, 0xad}, "joiner": {0x34f, 0x34f}, "arabic mark": {0x61c, 0x61c},
		"hangul filler": {0x115f, 0x1160}, "khmer": {0x17b4, 0x17b5}, "mongolian": {0x180b, 0x180f}, "spaces": {0x2000, 0x200a},
		"zero width": {0x200b, 0x200f}, "separators and embeddings": {0x2028, 0x202f}, "invisible operators": {0x205f, 0x2064},
		"isolates": {0x2066, 0x206f}, "braille blank": {0x2800, 0x2800}, "ideographic space": {0x3000, 0x3000},
		"filler": {0x3164, 0x3164}, "private": {0xe000, 0xe010}, "variation": {0xfe00, 0xfe0f}, "byte order mark": {0xfeff, 0xfeff},
		"half filler": {0xffa0, 0xffa0}, "annotation": {0xfff9, 0xfffb}, "noncharacter": {0xfffe, 0xffff},
		"khitan filler": {0x16fe4, 0x16fe4}, "shorthand": {0x1bca0, 0x1bca3}, "note": {0x1d159, 0x1d159}, "music": {0x1d173, 0x1d17a},
		"tags": {0xe0000, 0xe007f}, "more variation": {0xe0100, 0xe0110}, "far private": {0x10fff0, 0x10ffff},
	}
	all := map[string]string{"invalid": "\xff\xc0\x80\xed\xa0\x80", "tower": "e" + strings.Repeat("\u0301", 30)}
	for name, r := range ranges {
		var b strings.Builder
		for c := r[0]; c <= r[1]; c++ {
			b.WriteRune(c)
		}
		all[name] = b.String()
	}
	return all
}

// commandLine matches a line that a CI runner would act on.
var commandLine = regexp.MustCompile(`(?m)^[ \t\r\v\f]*::|##[A-Za-z]*\[`)

func everyText() map[string]string {
	texts := map[string]string{"all": "seen "}
	for _, s := range hidden() {
		texts["all"] += s + "seen"
	}
	for name, c := range map[string]string{
		"github": "::add-mask::seen", "azure": "##vso[task.setvariable variable=seen]", "old github": "##[set-env name=seen]x",
		"teamcity": "##teamcity[setParameter name='seen']",
	} {
		texts[name] = c
		texts[name+" after spaces"] = "  \t" + c
		texts[name+" after a line break"] = "seen\n" + c + "\r" + c + "\u2028" + c
		// Wherever a line is wrapped, a word begins the next.
		texts[name+" again and again"] = strings.Repeat(c+" ", 60)
		texts[name+" in a long word"] = strings.Repeat("x", 37) + strings.Repeat(c, 60)
	}
	return texts
}

// TestEveryHiddenCharacter writes reports in which every text has them.
func TestEveryHiddenCharacter(t *testing.T) {
	for name, text := range everyText() {
		body, err := json.Marshal(map[string]string{text: text})
		if err != nil {
			t.Fatal(err)
		}
		// A decoder leaves a body as it came: unescaped, and with half a pair.
		raw := strings.NewReplacer(`\u2028`, "\u2028", `\u0026`, "&", `\u007f`, "\x7f").Replace(string(body))
		raw = strings.TrimSuffix(raw, "}") + `,"\ud800":"\udc00 \ud83d\ude00 \ud800\u0041"}`
		var r mcpsf.Report
		fillWith(reflect.ValueOf(&r).Elem(), 0, text, raw)
		events := filledEvents(text, raw)
		for _, e := range events {
			r.Findings[0].Evidence = append(r.Findings[0].Evidence, e.Seq)
		}
		for _, f := range All() {
			for _, s := range []Style{{Unicode: true}, {Width: 40}} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, f, s.Width), func(t *testing.T) {
					var buf bytes.Buffer
					if err := Write(&buf, f, &r, events, s); err != nil {
						t.Fatal(err)
					}
					checkInert(t, buf.String())
				})
			}
		}
		t.Run(name+"/"+EventsName, func(t *testing.T) {
			var buf bytes.Buffer
			log := trace.NewLog(trace.Create(&buf))
			for _, e := range events {
				log.Append(e)
			}
			if err := log.Close(); err != nil {
				t.Fatal(err)
			}
			checkInert(t, buf.String())
			if lone := regexp.MustCompile(`\\u[dD][89abAB]..([^\\]|\\[^u])`).FindString(buf.String()); lone != "" {
				t.Errorf("half a surrogate pair: %s", lone)
			}
		})
	}
}

// filledEvents has an event with every detail.
func filledEvents(text, body string) []mcpsf.Event {
	var all []mcpsf.Event
	for _, kind := range []mcpsf.Kind{mcpsf.KindMCPResponse, mcpsf.KindMCPStderr, mcpsf.KindFileOpen, mcpsf.KindNetConnect, mcpsf.KindProcessExec} {
		var e mcpsf.Event
		fillWith(reflect.ValueOf(&e).Elem(), 0, text, body)
		e.Kind, e.Seq = kind, int64(len(all)+1)
		all = append(all, e)
	}
	return all
}

func checkInert(t *testing.T, out string) {
	t.Helper()
	if found := raw(out); found != "" {
		t.Errorf("raw %s", found)
	}
	if found := commandLine.FindStringIndex(out); found != nil {
		t.Errorf("a command: %q", out[found[0]:min(len(out), found[0]+60)])
	}
	if !strings.Contains(out, "seen") {
		t.Error("the text was dropped rather than escaped")
	}
}
