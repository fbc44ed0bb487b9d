package canary

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/gzip"
)

// inPieces feeds a stream in pieces of one size, random sizes if it is 0.
func inPieces(set *Set, data []byte, size int, r *rand.Rand) []Hit {
	st := set.Stream(nil)
	var hits []Hit
	for len(data) > 0 {
		k := size
		if k == 0 {
			k = 1 + r.IntN(1+r.IntN(3000))
		}
		k = min(k, len(data))
		hits = append(hits, st.Write(data[:k])...)
		data = data[k:]
	}
	return append(hits, st.Close()...)
}

func sorted(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return hits
}

// TestSingle checks every encoding alone, with the exact chain, however the
// bytes are portioned.
func TestSingle(t *testing.T) {
	set := compile(t, kinds())
	r := newRand(3)
	all := append([]encoding{{"plain", "", slices.Clone[[]byte], false}}, encodings(t)...)
	for _, mark := range kinds() {
		for _, e := range all {
			data := e.do(mark.Value)
			from := 0
			if e.link != nameDeflate {
				from = 900
				data = slices.Concat(filler(r, 900), data, filler(r, 300))
			}
			if cannot(encoding{}, e, mark.Value) != "" {
				continue
			}
			for _, size := range []int{len(data), 1, 0} {
				hits := inPieces(set, data, size, r)
				title := fmt.Sprintf("%s of %s in pieces of %d", e.name, mark.ID, size)
				if len(hits) != 1 || hits[0].Mark != mark.ID {
					t.Errorf("%s: %s", title, brief(hits))
					continue
				}
				h := hits[0]
				chain := []string{e.link}
				if e.link == "" || visible(data, mark.Value) && !slices.Equal(h.Chain, chain) {
					chain = nil
				}
				if e.name != "query" && !slices.Equal(h.Chain, chain) && !(e.link == nameFold && bytes.Equal(e.do(mark.Value), mark.Value)) {
					t.Errorf("%s: chain %q, want %q", title, h.Chain, chain)
				}
				if h.From < int64(from)-8 || h.To > int64(len(data)) || h.From >= h.To {
					t.Errorf("%s: at %d to %d of %d", title, h.From, h.To, len(data))
				}
				if h.Share < 0.6 || h.Share > 1 {
					t.Errorf("%s: share %.2f", title, h.Share)
				}
			}
		}
	}
}

// filler is ordinary text.
func filler(r *rand.Rand, n int) []byte {
	words := strings.Fields(ordinary[strings.Index(ordinary, "\na able about"):])
	var b []byte
	for len(b) < n {
		b = append(b, `{"note":"`+prose(r, words)+`","n":[1,22,333]}`+"\n"...)
	}
	return b[:n]
}

// TestPortions expects the same hits, to the byte, however a stream is
// portioned.
func TestPortions(t *testing.T) {
	set := compile(t, kinds())
	encs := encodings(t)
	seeds := uint64(100)
	if os.Getenv("MCPSF_NIGHTLY") != "" {
		seeds = 400
	}
	for seed := range seeds {
		r := newRand(seed)
		data := mixture(r, kinds(), encs, 1+r.IntN(8))
		want := sorted(set.Bytes(data))
		if seed < 20 && len(want) == 0 {
			t.Logf("seed %d: nothing found", seed)
		}
		for _, size := range []int{1, 7, 64, 1000, 0, 0} {
			got := sorted(inPieces(set, data, size, r))
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("seed %d, pieces of %d (-whole +pieces):\n%s", seed, size, diff)
			}
		}
	}
}

// mixture is noise with marks in it.
func mixture(r *rand.Rand, marks []Mark, encs []encoding, n int) []byte {
	var data []byte
	for range n {
		switch r.IntN(4) {
		case 0:
			data = append(data, noise(r, r.IntN(2000))...)
		case 1:
			data = append(data, filler(r, r.IntN(5000))...)
		case 2:
			data = append(data, pick(r, r.IntN(900), base64Digits+"=\n%\\u")...)
		}
		value := marks[r.IntN(len(marks))].Value
		if r.IntN(3) == 0 {
			value = value[r.IntN(len(value)/2):]
		}
		for range r.IntN(3) {
			value = encs[r.IntN(len(encs))].do(value)
		}
		data = append(data, value...)
	}
	return data
}

func TestContentEncoding(t *testing.T) {
	set := compile(t, kinds())
	mark := kinds()[0]
	body := append(filler(newRand(1), 3000), mark.Value...)
	gz := packed(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	raw := packed(t, func(w io.Writer) io.WriteCloser {
		f, err := flate.NewWriter(w, 9)
		if err != nil {
			t.Fatal(err)
		}
		return f
	})
	br := packed(t, func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) })
	// A stand-in for a coding this package does not have.
	other := func(r io.Reader) (io.Reader, error) { return mapReader{r, rot13()}, nil }
	for _, tt := range []struct {
		header string
		data   []byte
		want   []string
		cut    bool
	}{
		{"gzip", gz(body), []string{nameGzip}, false},
		{" X-GZIP ", gz(body), []string{nameGzip}, false},
		{"deflate", raw(body), []string{nameDeflate}, false},
		{"deflate, gzip", gz(raw(body)), []string{nameGzip, nameDeflate}, false},
		{"br", br(body), []string{nameBrotli}, false},
		{"deflate, br", br(raw(body)), []string{nameBrotli, nameDeflate}, false},
		{"br, br", br(br(body)), []string{nameBrotli, nameBrotli}, false},
		{"gzip, rot", mapped(rot13())(gz(body)), []string{"rot", nameGzip}, false},
		{"identity", body, nil, false},
		{"", body, nil, false},
		{"compress", body, nil, true},
		{"gzip", body, nil, false}, // a false header
	} {
		st := set.Stream(&StreamOptions{ContentEncoding: tt.header, Decoders: map[string]Decoder{"rot": other}})
		hits := append(st.Write(tt.data), st.Close()...)
		if len(hits) != 1 || hits[0].Mark != mark.ID || !slices.Equal(hits[0].Chain, tt.want) || st.Cut() != tt.cut {
			t.Errorf("%q: %s, cut %v", tt.header, brief(hits), st.Cut())
		}
	}
}

type mapReader struct {
	r     io.Reader
	table [256]byte
}

func (m mapReader) Read(p []byte) (int, error) {
	k, err := m.r.Read(p)
	translate(p[:k], p[:k], &m.table)
	return k, err
}

// TestPrompt expects a whole mark with the write that ends it.
func TestPrompt(t *testing.T) {
	set := compile(t, kinds())
	st := set.Stream(nil)
	defer st.Close()
	if hits := st.Write([]byte("stderr: " + string(kinds()[0].Value))); len(hits) != 1 {
		t.Errorf("with the last byte: %s", brief(hits))
	}
	half := kinds()[4].Value[100:200]
	if hits := st.Write(append(half, " and so on"...)); len(hits) != 0 {
		t.Errorf("half a key may become a whole one: %s", brief(hits))
	}
	if hits := st.Flush(); len(hits) != 1 || hits[0].Share < 0.2 || hits[0].Share > 0.5 {
		t.Errorf("flushed: %s", brief(hits))
	}
}
