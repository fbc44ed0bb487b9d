package resolve

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// decoder computes what the functions give that turn one text into another.
func (r *reader) decoder(name string, n *syntax.Node, arg func(int) value) value {
	switch name {
	case "atob", "base64.b64decode", "base64.standard_b64decode", "base64.urlsafe_b64decode", "base64.decodebytes", "binascii.a2b_base64":
		return decoded("base64", arg(0))
	case "binascii.unhexlify", "binascii.a2b_hex":
		return decoded("hex", arg(0))
	case "Buffer.from", "Buffer":
		switch enc := arg(1); {
		case arg(0).kind == list:
			return characters(arg(0).list)
		case enc.whole() && enc.text != "utf8" && enc.text != "utf-8":
			return decoded(strings.TrimSuffix(enc.text, "url"), arg(0))
		default:
			if v := arg(0); v.kind == text {
				return v
			}
		}
	case "codecs.decode":
		if enc := arg(1); enc.whole() {
			return decoded(strings.ReplaceAll(strings.ReplaceAll(enc.text, "_", ""), "codec", ""), arg(0))
		}
	case "chr", "String.fromCharCode", "String.fromCodePoint":
		var list []value
		for i := range len(n.Kids) - 1 {
			if n.Kids[i+1].Is(syntax.Spread) {
				v := arg(i)
				list = append(list, v.list...)
				continue
			}
			list = append(list, arg(i))
		}
		return characters(list)
	case "bytes", "bytearray", "Uint8Array", "Uint8Array.from", "Array.from", "list", "reversed", "new Uint8Array":
		return listOf(name, arg)
	case "map":
		if f := arg(0); f.kind == path && f.text == "chr" && arg(1).kind == list {
			return each(arg(1), func(v value) value { return characters([]value{v}) })
		}
	case "new TextDecoder().decode", "TextDecoder().decode":
		return arg(0)
	}
	return value{}
}

func listOf(name string, arg func(int) value) value {
	v := arg(0)
	switch {
	case name == "reversed" && (v.kind == list || v.kind == text):
		v = reverse(v)
		if v.kind == text {
			return split(v, "")
		}
		return v
	case v.kind == list && (name == "bytes" || name == "bytearray" || strings.HasPrefix(name, "Uint8Array")):
		return characters(v.list)
	case v.kind == list:
		return v
	case v.kind == text && (name == "list" || name == "Array.from"):
		return split(v, "")
	}
	return value{}
}

// characters makes a text of numbers.
func characters(list []value) value {
	var b strings.Builder
	for _, v := range list {
		if v.kind != number || v.num < 0 || v.num > 0x10ffff {
			return value{}
		}
		b.WriteRune(rune(v.num))
	}
	if len(list) == 0 {
		return value{}
	}
	return textValue(b.String(), true)
}

func each(v value, f func(value) value) value {
	out := value{kind: list, made: true}
	for _, e := range v.list {
		out.list = append(out.list, f(e))
	}
	return out
}

func split(v value, by string) value {
	out := value{kind: list, made: v.made}
	for i, s := range strings.Split(v.text, by) {
		if i >= 8192 {
			return value{}
		}
		out.list = append(out.list, textValue(s, true))
	}
	return out
}

// decoded undoes an encoding; unknown if it does not fit.
func decoded(how string, v value) value {
	if !v.whole() {
		return value{}
	}
	var out []byte
	var err error
	s := v.text
	switch how {
	case "base64":
		s = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "").Replace(strings.TrimRight(s, "="))
		out, err = base64.RawStdEncoding.DecodeString(s)
	case "hex":
		out, err = hex.DecodeString(s)
	case "rot13", "rot-13":
		out = []byte(strings.Map(rot13, s))
	case "url":
		s, err = url.PathUnescape(s)
		out = []byte(s)
	case "binary", "latin1", "ascii", "utf8", "utf-8", "unicodeescape":
		out = []byte(s)
	default:
		return value{}
	}
	if err != nil || len(out) == 0 {
		return value{}
	}
	return textValue(string(out), true)
}

func rot13(c rune) rune {
	switch {
	case c >= 'a' && c <= 'z':
		return 'a' + (c-'a'+13)%26
	case c >= 'A' && c <= 'Z':
		return 'A' + (c-'A'+13)%26
	}
	return c
}

// method computes what the methods of texts and lists give.
func (r *reader) method(on value, name string, args []*syntax.Node, sc *scope, depth int) value {
	arg := func(i int) value {
		if i >= len(args) {
			return value{}
		}
		return r.eval(args[i], sc, depth+1)
	}
	switch name {
	case "join":
		if on.kind == text { // Python
			return joined(arg(0), on.text)
		}
		by := ","
		if a := arg(0); a.kind == text {
			by = a.text
		} else if len(args) > 0 {
			return value{}
		}
		return joined(on, by)
	case "reverse", "toReversed":
		if on.kind == list {
			return reverse(on)
		}
	case "split":
		if on.whole() && arg(0).kind == text {
			return split(on, arg(0).text)
		}
	case "concat":
		if on.kind == text {
			return textValue(on.text+arg(0).partial()+rest(len(args) > 1), true)
		}
	case "format":
		if on.kind == text {
			return textValue(fillBraces(on.text), true)
		}
	case "map":
		return r.mapped(on, args, sc, depth)
	}
	if on.kind != text {
		return value{}
	}
	return textMethod(on, name, arg)
}

func rest(more bool) string {
	if more {
		return ir.Hole
	}
	return ""
}

// textMethod are those that need no look at the program.
func textMethod(on value, name string, arg func(int) value) value {
	switch name {
	case "toString", "decode", "encode", "trim", "strip", "toLowerCase", "lower", "toUpperCase", "upper", "expanduser", "resolve", "as_posix", "valueOf", "normalize", "trimEnd", "absolute":
		v := on
		switch name {
		case "toLowerCase", "lower":
			v.text = strings.ToLower(v.text)
		case "toUpperCase", "upper":
			v.text = strings.ToUpper(v.text)
		case "trim", "strip":
			v.text = strings.TrimSpace(v.text)
		}
		return v
	case "joinpath":
		return textValue(on.text+"/"+arg(0).partial(), true)
	case "replace", "replaceAll":
		if a, b := arg(0), arg(1); on.whole() && a.whole() && b.whole() && a.text != "" && len(on.text)*max(1, len(b.text)) < 8*maxText {
			return textValue(strings.ReplaceAll(on.text, a.text, b.text), true)
		}
	case "charCodeAt", "codePointAt":
		if i := arg(0); i.kind == number && i.num >= 0 && int(i.num) < len(on.text) {
			return value{kind: number, num: float64(on.text[int(i.num)])}
		}
	case "slice", "substring", "substr":
		from, to := arg(0), arg(1)
		if !on.whole() || from.kind != number {
			return value{}
		}
		end := len(on.text)
		if to.kind == number {
			end = clamp(int(to.num), len(on.text))
		}
		return cut(on, clamp(int(from.num), len(on.text)), end)
	}
	return value{}
}

func fillBraces(s string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, after, ok = strings.Cut(after, "}")
		b.WriteString(ir.Hole)
		if !ok {
			return b.String()
		}
		s = after
	}
}

func joined(v value, by string) value {
	if v.kind == text {
		return v
	}
	if v.kind != list || len(v.list) == 0 {
		return value{}
	}
	parts := make([]string, len(v.list))
	size := 0
	for i, e := range v.list {
		parts[i] = e.partial()
		if size += len(parts[i]); size > maxText {
			return value{}
		}
	}
	return textValue(strings.Join(parts, by), true)
}

// mapped applies a function to each element, if it makes characters of numbers
// or something else that can be computed.
func (r *reader) mapped(on value, args []*syntax.Node, sc *scope, depth int) value {
	if on.kind != list || len(args) == 0 || len(on.list) > 4096 {
		return value{}
	}
	f := r.eval(args[0], sc, depth+1)
	if f.kind == path && (f.text == "String.fromCharCode" || f.text == "chr") {
		return each(on, func(v value) value { return characters([]value{v}) })
	}
	if f.kind != function {
		return value{}
	}
	params := f.node.Kid(0).Kids
	if len(params) == 0 {
		return value{}
	}
	return r.repeat(on, params[0].Text, returned(f.node), r.scopes[f.node], depth)
}

// returned is the expression a short function returns.
func returned(f *syntax.Node) *syntax.Node {
	b := f.Kid(1)
	if !b.Is(syntax.Block) {
		return b
	}
	if len(b.Kids) == 1 && b.Kids[0].Is(syntax.Return) {
		return b.Kids[0].Kid(0)
	}
	return nil
}

// repeat evaluates an expression for each element.
func (r *reader) repeat(on value, name string, body *syntax.Node, sc *scope, depth int) value {
	if body == nil || name == "" || sc == nil || len(on.list) > 4096 {
		return value{}
	}
	out := value{kind: list, made: true}
	for _, e := range on.list {
		inner := &scope{up: sc, fn: sc.fn, names: map[string]*binding{name: {known: true, value: e}}}
		outer := r.values
		r.values = map[*syntax.Node]value{}
		v := r.eval(body, inner, depth+1)
		r.values = outer
		if v.kind == unknown {
			return value{}
		}
		out.list = append(out.list, v)
	}
	return out
}

// comprehension evaluates [f(x) for x in list].
func (r *reader) comprehension(n *syntax.Node, sc *scope, depth int) value {
	if len(n.Kids) != 2 || !n.Kid(1).Is(syntax.Assign) || !n.Kid(1).Kid(0).Is(syntax.Name) {
		return value{}
	}
	source := r.eval(n.Kid(1).Kid(1).Kid(0), sc, depth+1)
	if source.kind == text && source.whole() && len(source.text) <= 4096 {
		source = split(source, "")
	}
	if source.kind != list {
		return value{}
	}
	return r.repeat(source, n.Kid(1).Kid(0).Text, n.Kid(0), sc, depth)
}
