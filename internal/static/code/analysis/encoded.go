package analysis

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/resolve"
)

// gap: source-not-read
const (
	minEncoded = 12
	maxDecoded = 1 << 20
)

var (
	base64Text  = lazyregexp.New(`^[A-Za-z0-9+/_\-\s]+={0,2}$`)
	hexText     = lazyregexp.New(`^(?:[0-9a-fA-F]{2})+$|^(?:\\x[0-9a-fA-F]{2})+$`)
	base32Text  = lazyregexp.New(`^[A-Z2-7]{16,}={0,6}$`)
	percentText = lazyregexp.New(`(?:%[2-7][0-9a-fA-F]){6,}`)
	looksURL    = lazyregexp.New(`(?i)\b(?:https?|wss?|ftp|tcp)://[a-z0-9.\-]{4,}`)
	looksCode   = lazyregexp.New(`\brequire\s*\(|\bimport\s+\w+|\beval\s*\(|\bexec\s*\(|\bfunction\s*\w*\s*\(|=>\s*\{|child_process|subprocess\.|os\.system|\bprocess\.env\b|os\.environ|__import__|\bfetch\s*\(|socket\.socket|\bdef \w+\(|document\.cookie|console\.log`)
	looksShell  = lazyregexp.New(`(?i)\b(?:curl|wget)\s+(?:-\w+\s+)*['"]?(?:https?:)?|\|\s*(?:ba|z)?sh\b|/dev/tcp/|\bbash\s+-[ci]\b|\bpowershell\b|\bnc\s+-e|\bchmod\s+\+?[x7]|\bcrontab\b|\brm\s+-rf\b|\bnohup\b`)
	dataURL     = lazyregexp.New(`^data:(?:image|font|audio|video|application/(?:font|wasm|octet|x-font|json))[^,]*,`)
)

// encoded finds texts that hide something behind an encoding.
func encoded(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for f, t := range p.texts() {
		if t.Compared || t.Cut && len(t.Text) > 60<<10 {
			continue
		}
		if t.Made {
			if what := built(f, t); what != "" {
				out = append(out, fact(f, t.Line, "computed>"+what, t.Text))
			}
			continue
		}
		if how, decodedText, what := unwrap(t.Text, 2); what != "" {
			out = append(out, fact(f, t.Line, how+">"+what, decodedText))
		}
	}
	return out
}

// built describes a text that code assembles from parts that hide it: numbers,
// single letters.
func built(f *ir.File, t *ir.Text) string {
	if strings.Contains(t.Text, ir.Hole) || len(t.Text) < minEncoded || len(t.Text) > 20_000 {
		return ""
	}
	what := classify(t.Text)
	if what == "" {
		return ""
	}
	// The parts are beside it: a readable part hides nothing.
	for i := range f.Texts {
		o := &f.Texts[i]
		if o.Made || o.Line < t.Line-3 || o.Line > t.Line+3 || len(o.Text) < 4 {
			continue
		}
		if strings.Contains(t.Text, o.Text) && len(o.Text)*3 > len(t.Text) || classify(o.Text) != "" {
			return ""
		}
		if _, d, w := unwrap(o.Text, 2); w != "" && strings.Contains(d, t.Text[:min(len(t.Text), 40)]) {
			return "" // already reported
		}
	}
	if strings.HasPrefix(t.Text, "~") || pieces(f, t) {
		return ""
	}
	return what
}

// pieces reports whether a text is an ordinary concatenation of readable parts.
func pieces(f *ir.File, t *ir.Text) bool {
	covered := 0
	for i := range f.Texts {
		o := &f.Texts[i]
		if !o.Made && len(o.Text) >= 4 && strings.Contains(t.Text, o.Text) {
			covered += len(o.Text)
		}
	}
	return covered*2 > len(t.Text)
}

// unwrap decodes a text up to some levels; what is "" if it hides nothing.
func unwrap(s string, levels int) (how, plain, what string) {
	if len(s) < minEncoded || dataURL.MatchString(s[:min(len(s), 100)]) {
		return "", "", ""
	}
	for _, d := range decodings() {
		out := d.decode(s)
		if out == "" || out == s {
			continue
		}
		if printable(out) {
			if what := classify(out); what != "" && (!d.weak || classify(s) == "") {
				return d.name, out, what
			}
		}
		if levels > 1 && !d.weak && len(out) >= minEncoded {
			if how, plain, what := unwrap(out, levels-1); what != "" {
				return d.name + ">" + how, plain, what
			}
		}
	}
	return "", "", ""
}

type decoding struct {
	name string
	// weak encodings decode every text into some text.
	weak   bool
	decode func(string) string
}

func decodings() []decoding {
	return []decoding{
		{"base64", false, unBase64}, {"hex", false, unHex}, {"base32", false, unBase32}, {"gzip", false, inflate},
		{"url", true, unPercent}, {"reverse", true, unReverse}, {"rot13", true, unRot13},
	}
}

func unBase64(s string) string {
	if len(s) < minEncoded || !base64Text.MatchString(s) {
		return ""
	}
	s = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "", "\t", "").Replace(strings.TrimRight(s, "= \n"))
	if len(s) < 2 {
		return ""
	}
	out, err := base64.RawStdEncoding.DecodeString(s[:len(s)-btoi(len(s)%4 == 1)])
	if err != nil {
		return ""
	}
	return string(out)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func unHex(s string) string {
	s = strings.ReplaceAll(s, " ", "")
	if !hexText.MatchString(s) {
		return ""
	}
	out, err := hex.DecodeString(strings.ReplaceAll(s, `\x`, ""))
	if err != nil {
		return ""
	}
	return string(out)
}

func unBase32(s string) string {
	if !base32Text.MatchString(s) {
		return ""
	}
	out, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.TrimRight(s, "="))
	if err != nil {
		return ""
	}
	return string(out)
}

func unPercent(s string) string {
	if !percentText.MatchString(s) {
		return ""
	}
	out, err := url.PathUnescape(s)
	if err != nil {
		return ""
	}
	return out
}

// telling reports whether a text contains a suspicious word after turn; only
// then is it worth decoding.
func telling(s string, turn func(string) string) bool {
	for _, t := range [...]string{"http", "curl", "wget", "exec", "eval", "require", "import", "subprocess", "/bin/", "bash", "socket", ".ssh", ".aws", "fetch(", "os.system", "child_", "process", "powershell"} {
		if strings.Contains(s, turn(t)) {
			return true
		}
	}
	return false
}

func unReverse(s string) string {
	if len(s) > 4096 || !telling(s, turned) {
		return ""
	}
	return turned(s)
}

func turned(s string) string {
	rs := []rune(s)
	for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
		rs[i], rs[j] = rs[j], rs[i]
	}
	return string(rs)
}

func unRot13(s string) string {
	if len(s) > 4096 || !telling(s, rot13) {
		return ""
	}
	return rot13(s)
}

func rot13(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return 'a' + (c-'a'+13)%26
		case c >= 'A' && c <= 'Z':
			return 'A' + (c-'A'+13)%26
		}
		return c
	}, s)
}

// inflate undoes gzip, zlib and deflate.
func inflate(s string) string {
	var r io.Reader
	b := []byte(s)
	switch {
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return ""
		}
		r = z
	case len(b) > 2 && b[0] == 0x78 && (int(b[0])<<8|int(b[1]))%31 == 0:
		z, err := zlib.NewReader(bytes.NewReader(b))
		if err != nil {
			return ""
		}
		r = z
	case len(b) > 40 && b[0]&6 != 6 && !printable(s[:40]):
		r = flate.NewReader(bytes.NewReader(b))
	default:
		return ""
	}
	var out bytes.Buffer
	if _, err := io.Copy(&out, io.LimitReader(r, maxDecoded)); err != nil && out.Len() < 64 {
		return ""
	}
	return out.String()
}

// classify returns what a readable text is, "" if it does not matter.
func classify(s string) string {
	s = s[:min(len(s), 20_000)]
	switch {
	case looksShell.MatchString(s):
		return "command"
	case looksCode.MatchString(s):
		return "code"
	case looksURL.MatchString(s):
		return "url"
	case resolve.SecretPath(strings.TrimSpace(s)) != "":
		return "path"
	}
	return ""
}
