package canary

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// traffic is ordinary input of every kind, n bytes of each.
func traffic(n int) map[string][]byte {
	r := newRand(11)
	fill := func(next func(*bytes.Buffer)) []byte {
		var b bytes.Buffer
		for b.Len() < n {
			next(&b)
		}
		return b.Bytes()[:n]
	}
	words := strings.Fields(ordinary[strings.Index(ordinary, "\na able about"):])
	sentence := func() string { return prose(r, words) }
	return map[string][]byte{
		"text": fill(func(b *bytes.Buffer) { b.WriteString(sentence()) }),
		"json": fill(func(b *bytes.Buffer) {
			fmt.Fprintf(b, `{"id":%d,"node_id":"%s","name":"%s","private":false,"html_url":"https://api.example/users/%s/repos","description":"%s","sha":"%s","created_at":"2025-0%d-1%dT10:0%d:00Z","score":%.6f,"tags":["a","b",null]},`+"\n",
				r.IntN(1e9), pick(r, 20, alnum), words[r.IntN(len(words))], words[r.IntN(len(words))], sentence(), pick(r, 40, hexDigits), 1+r.IntN(9), r.IntN(10), r.IntN(10), r.Float64())
		}),
		"html": fill(func(b *bytes.Buffer) {
			fmt.Fprintf(b, `<div class="%s-%s" id="c%d"><a href="/%s/%s?page=%d&amp;sort=asc">%s</a></div>`+"\n", words[r.IntN(len(words))], words[r.IntN(len(words))], r.IntN(1000), words[r.IntN(len(words))], words[r.IntN(len(words))], r.IntN(90), sentence())
		}),
		"random": noise(r, n),
		"binary": fill(func(b *bytes.Buffer) {
			b.Write([]byte{0, 0, byte(r.IntN(4)), byte(r.Uint32()), 0, 0, 0, byte(r.IntN(64))})
			b.Write(noise(r, 24))
			b.WriteString("name.of.section\x00")
		}),
		"base64": []byte(base64.StdEncoding.EncodeToString(noise(r, n))[:n]),
		"hex":    []byte(pick(r, n, hexDigits)),
		"escapes": fill(func(b *bytes.Buffer) {
			fmt.Fprintf(b, `q=%%%02X%%20%s\u%04x\n`, r.IntN(256), words[r.IntN(len(words))], r.IntN(0x3000))
		}),
	}
}

func prose(r *rand.Rand, words []string) string {
	var b strings.Builder
	for range 5 + r.IntN(12) {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(' ')
	}
	b.WriteString("and so on. ")
	return b.String()
}

func BenchmarkStream(b *testing.B) {
	set := compile(b, crowd())
	for name, data := range traffic(1 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				st := set.Stream(nil)
				for p := data; len(p) > 0; p = p[min(len(p), 16384):] {
					st.Write(p[:min(len(p), 16384)])
				}
				st.Close()
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	marks := crowd()
	b.ReportAllocs()
	for b.Loop() {
		compile(b, marks)
	}
}
