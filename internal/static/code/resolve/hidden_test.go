package resolve

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

func TestHiddenLine(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		want []string
	}{
		"one that is meant":      {"s.replace(\"\u200b\", \"\")", nil},
		"a list of them":         {"drop = \"\u200b\u200c\u200d\u2060\ufeff\"", nil},
		"a list of directions":   {"const bidi = '\u202a\u202b\u202c\u202d\u202e\u2066'", nil},
		"written with two":       {"eval(read('\u200b\u200c\u200b\u200b\u200c\u200c\u200b\u200c'))", []string{"invisible"}},
		"in a name":              {"user\u200dname = 1", []string{"invisible"}},
		"a name":                 {"const { timeout,\u3164} = query", []string{"invisible"}},
		"copied along":           {"say('the key\u200b of the\u200b text')", nil},
		"between many letters":   {"say('i\u200bg\u200bn\u200bo\u200bre')", []string{"invisible"}},
		"a line that is turned":  {"if role == \"user\u202e \u2066// admin\u2069 \u2066\":", []string{"bidirectional"}},
		"one that turns":         {"x = \"\u202e\" # nimda", []string{"bidirectional"}},
		"tags":                   {"say('hi\U000e0041\U000e0042')", []string{"tag"}},
		"letters of a language":  {"print('می\u200cخواهم')", nil},
		"a picture of several":   {"print('👩\u200d💻')", nil},
		"a list without its end": {"drop = \"\u200b\u200c\u200d", []string{"invisible"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newOutput(&ir.File{}, []byte(tt.line))
			r.hiddenLine([]byte(tt.line), 1)
			var got []string
			for _, h := range r.f.Hidden {
				got = append(got, h.Kind)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
