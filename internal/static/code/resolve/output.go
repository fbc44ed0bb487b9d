package resolve

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// output is the resulting file, within the limits.
type output struct {
	f     *ir.File
	lines [][]byte
	// allText is the total size of texts, seen has those already recorded.
	allText int
	seen    map[string]bool
}

func newOutput(f *ir.File, src []byte) *output {
	return &output{f: f, lines: bytes.Split(src, []byte{'\n'}), seen: map[string]bool{}}
}

func (o *output) shape(t *syntax.Tree, src []byte) {
	w := &t.Words
	s := &o.f.Shape
	*s = ir.Shape{
		Bytes: len(src), Lines: len(o.lines), Tokens: w.Tokens, Idents: w.Idents, Distinct: w.Distinct, Hex: w.Hex,
		HexDistinct: w.HexDistinct, Short: w.Short, Punct: w.Punct, Escaped: w.Escaped, StringBytes: w.StringBytes,
	}
	for _, l := range o.lines {
		s.Longest = max(s.Longest, len(l))
	}
	s.Packed = bytes.Contains(src, []byte("eval(function(p,a,c,k,e,"))
	for _, f := range w.Foreign {
		s.Foreign = append(s.Foreign, ir.Word{Text: f.Text, Line: f.Line})
	}
	for _, mark := range []string{"__webpack_require__", "__esModule", "__commonJS", "__toESM", "webpackChunk", "__nccwpck_require__", "createRequire as __", "rollupPlugin", "//# sourceMappingURL=", "__importDefault", "parcelRequire"} {
		if bytes.Contains(src, []byte(mark)) {
			s.Bundled = true
		}
	}
}

// line returns the source line, shortened, for the report.
func (o *output) line(n int) string {
	if n < 1 || n > len(o.lines) {
		return ""
	}
	s := strings.TrimSpace(string(o.lines[n-1][:min(len(o.lines[n-1]), 4000)]))
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

func (o *output) addCall(c ir.Call) {
	if len(o.f.Calls) >= maxCalls {
		o.f.Cut = true
		return
	}
	c.Name = short(c.Name)
	c.Conds = slices.Clone(c.Conds)
	o.f.Calls = append(o.f.Calls, c)
}

func (o *output) addText(t ir.Text) {
	if len(t.Text) > maxText {
		t.Text, t.Cut = t.Text[:maxText], true
	}
	if len(o.f.Texts) >= maxTexts || o.allText+len(t.Text) > maxAllText {
		o.f.Cut = true
		return
	}
	key := fmt.Sprint(t.Line, t.Made, t.Compared, t.Text)
	if o.seen[key] {
		return
	}
	o.seen[key] = true
	o.allText += len(t.Text)
	t.Name, t.Into = short(t.Name), short(t.Into)
	o.f.Texts = append(o.f.Texts, t)
}

func (o *output) addImport(i ir.Import) {
	if len(o.f.Imports) < maxCalls {
		i.Module = short(i.Module)
		o.f.Imports = append(o.f.Imports, i)
	}
}

func (o *output) addTool(t ir.Tool) int {
	if len(o.f.Tools) >= maxTools {
		o.f.Cut = true
		return -1
	}
	t.Func = -1
	t.Name = short(t.Name)
	t.Description = t.Description[:min(len(t.Description), maxText)]
	o.f.Tools = append(o.f.Tools, t)
	return len(o.f.Tools) - 1
}
