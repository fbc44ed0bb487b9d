package canary

import (
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestGatherNames sends keys as DNS queries do: as labels, in lower case, in
// any order, some twice and some not at all.
func TestGatherNames(t *testing.T) {
	set := compile(t, crowd())
	encoders := map[string]func([]byte) string{
		"base32": func(b []byte) string {
			return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
		},
		"hex": hex.EncodeToString,
	}
	for name, encode := range encoders {
		for _, mark := range kinds() {
			if mark.ID == "document" || mark.ID == "password" {
				continue // one distinctive number, split in two
			}
			for _, label := range []int{16, 24, 40, 63} {
				for _, order := range []string{"in order", "shuffled", "lossy"} {
					t.Run(fmt.Sprintf("%s/%s/%d/%s", name, mark.ID, label, order), func(t *testing.T) {
						r := newRand(uint64(label))
						text := encode(mark.Value)
						if len(mark.Value) <= 16 && label < len(text) {
							t.Skip("the rest of a short mark is less than a piece")
						}
						want := 0.3 // ordinary text is not recognised in pieces
						if order == "lossy" {
							want = 0.2
						}
						checkGather(t, set, queries(text, label, order, r), mark.ID, []string{name}, want)
					})
				}
			}
		}
	}
}

func queries(text string, label int, order string, r *rand.Rand) []string {
	var parts []string
	for c := range slices.Chunk([]byte(text), label) {
		parts = append(parts, fmt.Sprintf("%s.%d.x.example.test", c, len(parts)))
	}
	switch order {
	case "shuffled":
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		parts = append(parts, parts...)
	case "lossy":
		if len(parts) > 3 {
			parts = slices.Delete(parts, len(parts)/2, len(parts)/2+len(parts)/4)
		}
	}
	return parts
}

func checkGather(t *testing.T, set *Set, parts []string, id string, chain []string, share float64) {
	t.Helper()
	g := set.Gather()
	told := false
	for i, p := range parts {
		for _, h := range g.Add([]byte(p), int64(100+i)) {
			if told = true; h.Mark != id || len(h.Refs) == 0 {
				t.Errorf("told: %s %v", brief([]Hit{h}), h.Refs)
			}
		}
	}
	hits := g.Hits()
	if !told || len(hits) != 1 {
		t.Fatalf("told %v: %s, in %q", told, brief(hits), parts)
	}
	h := hits[0]
	if h.Mark != id || !slices.Equal(h.Chain, chain) || !slices.IsSorted(h.Refs) || h.Refs[0] < 100 || h.Share < share {
		t.Errorf("%s, refs %v", brief(hits), h.Refs)
	}
}

// TestGatherPieces splits a token into pieces of eight bytes, each encoded by
// itself.
func TestGatherPieces(t *testing.T) {
	set := compile(t, crowd())
	for _, mark := range kinds() {
		if mark.ID != "github" && mark.ID != "aws" && mark.ID != "binary" {
			continue
		}
		for _, e := range encodings(t) {
			if e.link == nameSplit || e.name == "query" || e.link == nameDeflate || strings.Contains(e.name, "+") {
				continue // eight bytes are too few to detect separators
			}
			g := set.Gather()
			var got []Hit
			for i := 0; i+8 <= len(mark.Value); i += 8 {
				got = append(got, g.Add(slices.Concat([]byte("part="), e.do(mark.Value[i:i+8]), []byte("&n=1")), int64(i))...)
			}
			if len(got) == 0 || got[0].Mark != mark.ID || len(got[0].Refs) < 2 {
				t.Errorf("%s of %s: %s", e.name, mark.ID, brief(got))
			}
		}
	}
}

func TestGatherNothing(t *testing.T) {
	set := compile(t, crowd())
	g, r := set.Gather(), newRand(4)
	for i := range 3000 {
		m := string(filler(r, 200)) + pick(r, 40, alnum) + sshKey(r, "dev@laptop")[:200]
		if hits := g.Add([]byte(m), int64(i)); len(hits) > 0 {
			t.Fatal(brief(hits))
		}
	}
}
