package opaque

import (
	"fmt"
	"testing"
)

// What one host answered is still known after thousands of answers of others, and
// little else is taken for it.
func TestKnownForLong(t *testing.T) {
	const answers = 6000
	m := New()
	m.Know([]byte(`{"id": "` + id(1) + `", "sha": "` + fmt.Sprintf("%x", random(1, 20)) + `"}`))
	for i := range answers {
		m.Know(fmt.Appendf(nil, `{"records": "%x"}`, random(uint64(i)+2, 120)))
	}
	ask := func(token string) bool {
		g := m.Message("service.example")
		g.Write("body", []byte(token))
		return g.End() == nil
	}
	if !ask(fmt.Sprintf("%x", random(1, 20))) {
		t.Error("what was answered first is not known any more")
	}
	known := 0
	for i := range 200 {
		if m.known.has(&token{text: fmt.Sprintf("%x", random(uint64(i)+1_000_000, 20))}) {
			known++
		}
	}
	if known > 0 {
		t.Errorf("%d of 200 tokens that nobody sent are known", known)
	}
}

// The oldest pieces are forgotten, the newest half never is.
func TestForgotten(t *testing.T) {
	const most = maxGrams * 8 / 5
	k := newKnown()
	k.put("the very first")
	for i := range most {
		k.put(fmt.Sprint("piece ", i))
	}
	if k.knows("the very first") && k.knows("piece 1") && k.knows("piece 2") {
		t.Error("nothing is forgotten")
	}
	for i := most - maxGrams/2; i < most; i += 997 {
		if !k.knows(fmt.Sprint("piece ", i)) {
			t.Fatalf("piece %d is forgotten", i)
		}
	}
	wrong := 0
	for i := range 10_000 {
		if k.knows(fmt.Sprint("never ", i)) {
			wrong++
		}
	}
	if wrong > 100 {
		t.Errorf("%d of 10,000 pieces are known by chance", wrong)
	}
}

func BenchmarkKnow(b *testing.B) {
	m := New()
	texts := make([][]byte, 64)
	for i := range texts {
		texts[i] = fmt.Appendf(nil, `{"records": "%x", "name": "Harbor Works"}`, random(uint64(i), 20_000))
	}
	b.SetBytes(int64(len(texts[0])))
	for i := 0; b.Loop(); i++ {
		m.Know(texts[i%len(texts)])
	}
}
