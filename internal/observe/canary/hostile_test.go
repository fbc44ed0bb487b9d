package canary

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// hostile is input that is designed to be expensive. It takes a while to make
// and is read-only.
func hostile(t testing.TB) map[string][]byte {
	hostileOnce.Do(func() { hostileMade = newHostile(t) })
	return hostileMade
}

var (
	hostileOnce sync.Once
	hostileMade map[string][]byte
)

func newHostile(t testing.TB) map[string][]byte {
	part := 4 // fraction of the full size
	if os.Getenv("MCPSF_NIGHTLY") != "" {
		part = 1
	}
	gz := packed(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	zs := packed(t, func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w, zstd.WithWindowSize(zstd.MaxWindowSize), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		return z
	})
	zeros := make([]byte, 20<<20/part)
	nested := func(n int, do func([]byte) []byte) []byte {
		b := []byte("a secret that is not one")
		for range n {
			if b = do(b); len(b) > 1<<20 {
				b = b[:1<<20]
			}
		}
		return b
	}
	return map[string][]byte{
		"bomb":             gz(zeros),
		"bomb in a bomb":   gz(gz(zeros)),
		"zstd bomb":        zs(zeros[:10<<20/part]),
		"many bombs":       bytes.Repeat(gz(zeros[:1<<20]), 60/part),
		"endless base64":   bytes.Repeat([]byte("QUJDREVGR0g"), 100000/part),
		"base64 of base64": []byte(base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("QUJDREVGR0g"), 30000/part))))),
		"1000 of base64":   nested(1000, func(b []byte) []byte { return []byte(base64.StdEncoding.EncodeToString(b)) }),
		"1000 of gzip":     nested(1000, gz),
		"1000 of hex":      nested(1000, func(b []byte) []byte { return []byte(hex.EncodeToString(b)) }),
		"zlib everywhere":  bytes.Repeat([]byte("x\x9c"), 200000/part),
		"gzip everywhere":  bytes.Repeat([]byte("\x1f\x8b\x08\x00"), 100000/part),
		"zstd everywhere":  bytes.Repeat([]byte("\x28\xb5\x2f\xfd"), 100000/part),
		"escapes":          bytes.Repeat([]byte(`%%\\&&#\u%4&#x`), 30000/part),
		"separators":       bytes.Repeat([]byte("a.b-a.b_"), 60000/part),
		"more separators":  []byte(strings.Repeat("a:a.a:a.", 60000/part)),
		"long lines":       []byte(strings.Repeat("QUJDREVGR0hJSktMTU5PUA\n", 20000/part)),
		"entities":         []byte(strings.Repeat("&#1111111", 50000/part)),
	}
}

// TestHostile checks that work and memory are bounded. Work is counted, not
// timed: all searched bytes are charged.
func TestHostile(t *testing.T) {
	set := compile(t, crowd())
	for name, data := range hostile(t) {
		st := set.Stream(nil)
		size := int64(0)
		for p := data; len(p) > 0; p = p[min(len(p), 1000):] {
			if hits := st.Write(p[:min(len(p), 1000)]); len(hits) > 0 {
				t.Errorf("%s: %s", name, brief(hits))
			}
			size = max(size, st.root.footprint())
		}
		st.Close()
		if st.scan.inflaters != 0 {
			t.Errorf("%s: %d decompressors left", name, st.scan.inflaters)
		}
		if spent := allowAtFirst + allowPerByte*int64(len(data)) - st.scan.allow; st.scan.allow < 0 || spent < 0 {
			t.Errorf("%s: the allowance is %d", name, st.scan.allow)
		}
		if size > 6<<20 {
			t.Errorf("%s: a stream takes %d bytes", name, size)
		}
	}
}

// footprint returns the memory of a node and its children, without that of
// decompressors.
func (n *node) footprint() int64 {
	if n == nil {
		return 0
	}
	size := int64(4000 + cap(n.buf) + cap(n.tracks)*120 + cap(n.anchors)*16)
	for i := range n.runs {
		if to := n.runs[i].to; to != nil {
			size += 1300
			for _, c := range to.children {
				size += c.footprint()
			}
		}
	}
	for i := range n.split {
		size += n.split[i].child.footprint()
	}
	for i := range n.escapes {
		size += n.escapes[i].child.footprint()
	}
	for _, z := range n.inflaters {
		size += z.child.footprint()
	}
	return size
}

// TestBehind checks that a mark after an attack is found.
func TestBehind(t *testing.T) {
	set := compile(t, kinds())
	mark := kinds()[0]
	for name, data := range hostile(t) {
		st := set.Stream(nil)
		st.Write(data)
		hits := append(st.Write(append([]byte("\n= "), mark.Value...)), st.Close()...)
		if len(hits) != 1 || hits[0].Mark != mark.ID {
			t.Errorf("%s: %s", name, brief(hits))
		}
	}
}

func TestGoroutines(t *testing.T) {
	set := compile(t, kinds())
	before := runtime.NumGoroutine()
	for _, data := range hostile(t) {
		set.Bytes(data[:min(len(data), 100000)])
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func FuzzStream(f *testing.F) {
	for _, e := range encodings(f) {
		f.Add(e.do(kinds()[0].Value), uint64(1))
		f.Add(e.do(e.do(kinds()[4].Value)), uint64(2))
	}
	f.Add([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"), uint64(3))
	f.Add([]byte(`\u{110000}\u{41}&#xfffffff;%u00zz\777\x`), uint64(4))
	set := compile(f, kinds())
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		want := sorted(set.Bytes(data))
		got := sorted(inPieces(set, data, 0, newRand(seed)))
		if len(want) != len(got) {
			t.Fatalf("whole: %s\nin pieces: %s", brief(want), brief(got))
		}
		for i := range want {
			if a, b := brief(want[i:i+1]), brief(got[i:i+1]); a != b {
				t.Fatalf("whole: %s\nin pieces: %s", a, b)
			}
		}
	})
}
