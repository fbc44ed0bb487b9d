package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// written makes a table of entries, spread over several builders.
func written(t testing.TB, entries [][2]string, builders int) []byte {
	t.Helper()
	all := make([]*Builder, builders)
	for i := range all {
		all[i] = &Builder{}
	}
	for i, e := range entries {
		if err := all[i%builders].Add(e[0], []byte(e[1])); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := Write(&out, func(keys int) ([]byte, error) { return fmt.Appendf(nil, "%d keys", keys), nil }, all...); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func opened(t testing.TB, data []byte) *Table {
	t.Helper()
	table, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func values(t testing.TB, table *Table, key string) (all []string) {
	t.Helper()
	if err := table.Get(key, func(v []byte) error {
		all = append(all, string(v))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// many returns entries with keys that share prefixes, repeat, and fill blocks.
func many() (all [][2]string) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 5000 {
		key := fmt.Sprintf("@scope-%d/package-%d", i%7, i%1900)
		all = append(all, [2]string{key, fmt.Sprintf("value %d %s", i, strings.Repeat("x", r.IntN(90)))})
	}
	// One key that alone fills several blocks, and one value that does.
	for i := range 3000 {
		all = append(all, [2]string{"much", fmt.Sprintf("%05d, a value that is one of many", i)})
	}
	for i := range 50 {
		all = append(all, [2]string{"long", strings.Repeat(fmt.Sprint(i, "."), 1000+i)})
	}
	all = append(all, [2]string{"large", strings.Repeat("0123456789", 20_000)}, [2]string{"", "of the empty key"}, [2]string{"empty", ""})
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func TestLookUp(t *testing.T) {
	entries := many()
	want := map[string][]string{}
	for _, e := range entries {
		want[e[0]] = append(want[e[0]], e[1])
	}
	table := opened(t, written(t, entries, 3))
	for key, all := range want {
		got := values(t, table, key)
		slices.Sort(all)
		slices.Sort(got)
		if diff := cmp.Diff(all, got); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", key, diff)
		}
	}
	for _, key := range []string{"a", "@", "much2", "muc", "zzz", "@scope-1/package", "\xff"} {
		if got := values(t, table, key); got != nil {
			t.Errorf("%q: %d values, want none", key, len(got))
		}
	}
	if got, want := string(table.Note()), fmt.Sprintf("%d keys", len(want)); got != want {
		t.Errorf("note %q, want %q", got, want)
	}
}

func TestEmpty(t *testing.T) {
	table := opened(t, written(t, nil, 1))
	if got := values(t, table, "x"); got != nil {
		t.Errorf("values %q of nothing", got)
	}
}

// The same entries make the same file, in any order and any distribution over
// builders.
func TestSameFile(t *testing.T) {
	entries := many()
	one := written(t, entries, 1)
	slices.Reverse(entries)
	if other := written(t, entries, 4); !bytes.Equal(one, other) {
		t.Errorf("files of %d and %d bytes differ", len(one), len(other))
	}
}

func TestRewrite(t *testing.T) {
	entries := many()
	table := opened(t, written(t, entries, 2))
	var out bytes.Buffer
	if err := Rewrite(&out, table, []byte("another note")); err != nil {
		t.Fatal(err)
	}
	again := opened(t, out.Bytes())
	if got := string(again.Note()); got != "another note" {
		t.Errorf("note %q", got)
	}
	if diff := cmp.Diff(values(t, table, "much"), values(t, again, "much")); diff != "" {
		t.Errorf("values (-before +after):\n%s", diff)
	}
}

// Any change of the file is either detected or has no effect.
func TestDamage(t *testing.T) {
	entries := many()[:800]
	data := written(t, entries, 1)
	whole := opened(t, data)
	keys := []string{"much", "@scope-1/package-1", entries[0][0], entries[700][0]}
	var want [][]string
	for _, k := range keys {
		want = append(want, values(t, whole, k))
	}
	noticed := 0
	for i := 0; i < len(data); i += 7 {
		broken := bytes.Clone(data)
		broken[i] ^= 0x41
		if check(t, broken, keys, want) {
			noticed++
		}
	}
	if noticed < len(data)/7/4 {
		t.Errorf("%d of %d changes noticed", noticed, len(data)/7)
	}
	for _, cut := range []int{0, 1, 8, 64, 71, len(data) / 2, len(data) - 65, len(data) - 1} {
		if !check(t, data[:cut], keys, want) {
			t.Errorf("cut to %d of %d bytes: not noticed", cut, len(data))
		}
	}
}

// check reports whether the damage was detected; otherwise the values must be
// right.
func check(t *testing.T, data []byte, keys []string, want [][]string) bool {
	t.Helper()
	table, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
			t.Fatalf("error %v, want one that says so", err)
		}
		return true
	}
	for i, k := range keys {
		var got []string
		err := table.Get(k, func(v []byte) error {
			got = append(got, string(v))
			return nil
		})
		switch {
		case errors.Is(err, ErrDamaged):
			return true
		case err != nil:
			t.Fatal(err)
		case !slices.Equal(got, want[i]):
			t.Fatalf("%q: other values, and no error", k)
		}
	}
	return false
}

func TestOtherVersion(t *testing.T) {
	data := written(t, many()[:10], 1)
	data[len(data)-1]++
	if _, err := Open(bytes.NewReader(data), int64(len(data))); !errors.Is(err, ErrVersion) {
		t.Errorf("error %v, want %v", err, ErrVersion)
	}
}

// A read error is not reported as damage.
func TestReadError(t *testing.T) {
	data := written(t, many(), 1)
	f := &failing{ReaderAt: bytes.NewReader(data)}
	table, err := Open(f, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f.fail = true
	if err := table.Get("much", func([]byte) error { return nil }); err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("error %v", err)
	}
	f.fail = false
	if got := values(t, table, "much"); len(got) != 3000 {
		t.Errorf("%d values after the error, want 3000", len(got))
	}
}

type failing struct {
	io.ReaderAt

	fail bool
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.fail {
		return 0, errors.New("the disk is gone")
	}
	return f.ReaderAt.ReadAt(p, off)
}

func TestFull(t *testing.T) {
	b := &Builder{}
	if err := b.Add("x", make([]byte, maxEntry+1)); !errors.Is(err, ErrFull) {
		t.Errorf("error %v, want %v", err, ErrFull)
	}
	if err := Write(io.Discard, func(int) ([]byte, error) { return make([]byte, maxNote+1), nil }, &Builder{}); err == nil {
		t.Error("a note of any size is taken")
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(written(f, many()[:50], 1), "much")
	f.Add(written(f, nil, 1), "")
	f.Fuzz(func(t *testing.T, data []byte, key string) {
		table, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		_ = table.Get(key, func([]byte) error { return nil })
	})
}

// FuzzBlock searches blocks without a checksum.
func FuzzBlock(f *testing.F) {
	f.Add([]byte("\x01a\x01b\x01c\x00"), "a")
	f.Fuzz(func(t *testing.T, raw []byte, key string) {
		_ = scan(raw, key, func(v []byte) error {
			if len(v) > len(raw) {
				t.Errorf("value of %d bytes out of %d", len(v), len(raw))
			}
			return nil
		})
		if blocks, err := decodeIndex(raw, 1<<20); err == nil && len(blocks) > len(raw) {
			t.Errorf("%d blocks out of %d bytes", len(blocks), len(raw))
		}
	})
}
