package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// library is what Go's own reader makes of src, at most limit bytes.
func library(src []byte, limit int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(src))
	out, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(out) > limit {
		err = errors.New("too much")
	}
	return out, err
}

func pack(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	// Every length and many distances, some far away.
	var mixed []byte
	for i := range 3000 {
		mixed = append(mixed, noise[i:i+r.IntN(40)]...)
		if n := 3 + r.IntN(256); len(mixed) > n {
			from := r.IntN(len(mixed) - n)
			mixed = append(mixed, mixed[from:from+n]...)
		}
	}
	// Rare symbols get long codes.
	skewed := make([]byte, 0, 200_000)
	for i := range 18 {
		skewed = append(skewed, bytes.Repeat([]byte{byte('a' + i)}, 1<<i>>1)...)
	}
	r.Shuffle(len(skewed), func(i, j int) { skewed[i], skewed[j] = skewed[j], skewed[i] })
	return map[string][]byte{
		"empty": nil, "one": {'x'}, "run": bytes.Repeat([]byte{'x'}, 70_000), "noise": noise, "mixed": mixed, "skewed": skewed,
		"text": []byte(strings.Repeat(`{"id": "MAL-2024-1", "summary": "Malicious code in a package"}`, 500)),
	}
}

func TestDecode(t *testing.T) {
	var d Decoder
	for name, data := range samples() {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 6, 9} {
			packed := pack(t, data, level)
			dst := make([]byte, len(data))
			n, err := d.Decode(dst, packed)
			if err != nil || !bytes.Equal(dst[:n], data) {
				t.Errorf("%s, level %d: %d bytes of %d, %v", name, level, n, len(data), err)
			}
			if len(data) == 0 {
				continue
			}
			if _, err := d.Decode(dst[:len(dst)-1], packed); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s, level %d: with too little room: %v", name, level, err)
			}
		}
	}
}

// The blocks with the standard code, which the library does not choose by
// itself for more than a few bytes.
func TestStandardCode(t *testing.T) {
	packed := pack(t, []byte("aaaaaaaaaa"), 9)
	if kind := packed[0] >> 1 & 3; kind != 1 {
		t.Fatalf("block of kind %d, want the standard one", kind)
	}
	var d Decoder
	for range 2 {
		dst := make([]byte, 10)
		if n, err := d.Decode(dst, packed); err != nil || string(dst[:n]) != "aaaaaaaaaa" {
			t.Errorf("%q, %v", dst[:n], err)
		}
	}
}

// Data that is cut anywhere is an error, and so is damage that the library
// notices.
func TestDamage(t *testing.T) {
	var d Decoder
	packed := pack(t, samples()["text"][:4000], 9)
	dst := make([]byte, 4000)
	for i := range packed {
		if _, err := d.Decode(dst, packed[:i]); err == nil {
			t.Errorf("cut at %d of %d: no error", i, len(packed))
		}
	}
	// Of several blocks, too: what ends between two has no end.
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		_, _ = w.Write(samples()["mixed"][i*10 : i*10+i])
		_ = w.Flush()
	}
	_ = w.Close()
	for i := range b.Len() {
		same(t, &d, b.Bytes()[:i], 4000)
	}
	for i := range packed {
		for bit := range 8 {
			broken := bytes.Clone(packed)
			broken[i] ^= 1 << bit
			same(t, &d, broken, 4000)
		}
	}
	// The standard code has symbols that mean nothing.
	standard := pack(t, []byte("aaaaaaaaaabcdefghijklmaaaaaaab"), 9)
	for i := range standard {
		for change := range 255 {
			broken := bytes.Clone(standard)
			broken[i] ^= byte(change + 1)
			same(t, &d, broken, 4000)
		}
	}
}

// same wants both to agree.
func same(t *testing.T, d *Decoder, src []byte, limit int) {
	t.Helper()
	want, wantErr := library(src, limit)
	dst := make([]byte, limit)
	n, err := d.Decode(dst, src)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("error %v, the library has %v", err, wantErr)
	}
	if err == nil && !bytes.Equal(dst[:n], want) {
		t.Fatalf("%d bytes, the library has %d others", n, len(want))
	}
}

func FuzzDecode(f *testing.F) {
	for _, data := range samples() {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 9} {
			f.Add(pack(f, data[:min(len(data), 3000)], level))
		}
	}
	f.Add([]byte{0x05, 0xe0, 0x81, 0x08, 0, 0, 0, 0, 0x20, 0x7f, 0xeb, 0x0b, 0, 0})
	var d Decoder
	f.Fuzz(func(t *testing.T, src []byte) { same(t, &d, src, 1<<16) })
}

func BenchmarkDecode(b *testing.B) {
	data := samples()["mixed"][:2200]
	packed := pack(b, data, 6)
	dst := make([]byte, len(data))
	b.Run("ours", func(b *testing.B) {
		var d Decoder
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := d.Decode(dst, packed); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		r := flate.NewReader(bytes.NewReader(packed))
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if err := r.(flate.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(r, dst); err != nil {
				b.Fatal(err)
			}
		}
	})
}
