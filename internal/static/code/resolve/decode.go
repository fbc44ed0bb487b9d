package resolve

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// decoder computes the results of functions that turn one text into another.
func (e *evaluator) decoder(name string, n *syntax.Node, arg func(int) value) value {
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

// characters makes a text of character codes.
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

// decoded undoes an encoding; unknown if the text is not valid.
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
