package evidence

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// listing changes the manifest of a bundle.
func listing(t testing.TB, entries []rawEntry, change func(m *Manifest)) []rawEntry {
	t.Helper()
	var m Manifest
	if err := json.Unmarshal(entries[0].content, &m); err != nil {
		t.Fatal(err)
	}
	change(&m)
	data, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	entries[0].content = data
	return entries
}

func plainEntry(name string, content string) rawEntry {
	return rawEntry{*header(name, int64(len(content))), []byte(content)}
}

// TestArchivesThatAreNone: archives that [Pack] would not write are rejected.
func TestArchivesThatAreNone(t *testing.T) {
	list := func(change func(m *Manifest)) func(*testing.T, []rawEntry) []rawEntry {
		return func(t *testing.T, e []rawEntry) []rawEntry { t.Helper(); return listing(t, e, change) }
	}
	tests := map[string]struct {
		change func(t *testing.T, e []rawEntry) []rawEntry
		want   string
	}{
		"nothing in it":    {func(*testing.T, []rawEntry) []rawEntry { return nil }, "it is empty"},
		"no manifest":      {func(_ *testing.T, e []rawEntry) []rawEntry { return e[1:] }, `it begins with "report.json"`},
		"a file more":      {func(_ *testing.T, e []rawEntry) []rawEntry { return append(e, plainEntry("x.txt", "")) }, `it has "x.txt" in it, which the manifest does not list`},
		"a file less":      {func(_ *testing.T, e []rawEntry) []rawEntry { return e[:len(e)-1] }, "transcript.jsonl is listed in the manifest and not there"},
		"another order":    {func(_ *testing.T, e []rawEntry) []rawEntry { e[1], e[2] = e[2], e[1]; return e }, `it has "events.jsonl" in it where the manifest lists report.json`},
		"twice":            {func(_ *testing.T, e []rawEntry) []rawEntry { return slices.Insert(e, 2, plainEntry(reportName, "{}")) }, `it has "report.json" in it where the manifest lists events.jsonl`},
		"twice at the end": {func(_ *testing.T, e []rawEntry) []rawEntry { return append(e, plainEntry(reportName, "{}")) }, `it has "report.json" in it, which the manifest does not list`},
		"two manifests":    {func(_ *testing.T, e []rawEntry) []rawEntry { return slices.Insert(e, 1, e[0]) }, `it has "manifest.json" in it where`},
		"another size":     {func(_ *testing.T, e []rawEntry) []rawEntry { e[3].content = e[3].content[1:]; return e }, "traffic.pcapng has 17 bytes, and the manifest says 18"},
		"absolute":         {func(_ *testing.T, e []rawEntry) []rawEntry { e[1].header.Name = "/etc/passwd"; return e }, `bad name in it: "/etc/passwd"`},
		"climbing":         {func(_ *testing.T, e []rawEntry) []rawEntry { e[1].header.Name = "../report.json"; return e }, `bad name in it: "../report.json"`},
		"dotted":           {func(_ *testing.T, e []rawEntry) []rawEntry { e[1].header.Name = "./report.json"; return e }, `bad name in it: "./report.json"`},
		"escapes":          {func(_ *testing.T, e []rawEntry) []rawEntry { e[1].header.Name = "\x1b[2Jx"; return e }, `bad name in it: "\x1b[2Jx"`},
		"symbolic link":    {func(_ *testing.T, e []rawEntry) []rawEntry { return link(e, tar.TypeSymlink) }, "report.json is not a plain file"},
		"hard link":        {func(_ *testing.T, e []rawEntry) []rawEntry { return link(e, tar.TypeLink) }, "report.json is not a plain file"},
		"pipe":             {func(_ *testing.T, e []rawEntry) []rawEntry { return link(e, tar.TypeFifo) }, "report.json is not a plain file"},
		"directory":        {func(_ *testing.T, e []rawEntry) []rawEntry { return link(e, tar.TypeDir) }, "report.json is not a plain file"},
		"extended header": {func(_ *testing.T, e []rawEntry) []rawEntry {
			e[1].header.Format = tar.FormatPAX
			e[1].header.AccessTime = time.Unix(1, 0)
			return e
		}, "header of another kind"},
		"no JSON": {func(_ *testing.T, e []rawEntry) []rawEntry { e[0].content = []byte("\x00"); return e }, "manifest.json cannot be read"},
		"nested": {func(_ *testing.T, e []rawEntry) []rawEntry {
			e[0].content = bytes.Repeat([]byte("["), maxManifest)
			return e
		}, "manifest.json cannot be read"},
		"large":             {func(_ *testing.T, e []rawEntry) []rawEntry { e[0].content = make([]byte, maxManifest+1); return e }, `it begins with "manifest.json" of 1048577 bytes`},
		"goes on":           {func(_ *testing.T, e []rawEntry) []rawEntry { e[0].content = append(e[0].content, '}'); return e }, "manifest.json goes on after its end"},
		"another version":   {list(func(m *Manifest) { m.SchemaVersion = "2" }), `the schema version "2"`},
		"lists itself":      {list(func(m *Manifest) { m.Files[1].Name = manifestName }), "manifest.json lists itself"},
		"lists nothing":     {list(func(m *Manifest) { m.Files = nil }), "manifest.json does not begin with report.json"},
		"lists no events":   {list(func(m *Manifest) { m.Files = slices.Delete(m.Files, 1, 2) }), "manifest.json does not list events.jsonl"},
		"lists twice":       {list(func(m *Manifest) { m.Files = slices.Insert(m.Files, 1, m.Files[1]) }), `lists "events.jsonl" out of order or twice`},
		"lists a report":    {list(func(m *Manifest) { m.Files = append(m.Files, m.Files[0]) }), `lists "report.json" out of order or twice`},
		"lists a way out":   {list(func(m *Manifest) { m.Files[1].Name = "../../x" }), `a bad name: "../../x"`},
		"lists ten GB":      {list(func(m *Manifest) { m.Files[2].Size = 10 << 30 }), "manifest.json lists more than 8 GiB"},
		"lists too much":    {list(func(m *Manifest) { m.Files[2].Size, m.Files[3].Size = 1<<63-1, 1<<63-1 }), "manifest.json lists more than 8 GiB"},
		"lists less than 0": {list(func(m *Manifest) { m.Files[2].Size = -1 }), "a size below zero"},
		"lists no hash":     {list(func(m *Manifest) { m.Files[2].SHA256 = strings.Repeat("A", 64) }), "without a hash"},
		"lists many": {list(func(m *Manifest) {
			for range maxFiles {
				m.Files = append(m.Files, File{Name: m.Files[len(m.Files)-1].Name + "x", SHA256: m.Files[0].SHA256})
			}
		}), "manifest.json lists 68 files, more than 64"},
	}
	bundle := packed(t, sampleRun(t, nil), nil).Path
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, BundleName, repacked(t, tt.change(t, unpacked(t, bundle))))
			wantArchive(t, filepath.Join(dir, BundleName), tt.want)
		})
	}
}

func link(e []rawEntry, kind byte) []rawEntry {
	e[1].header.Typeflag, e[1].header.Size, e[1].content = kind, 0, nil
	if kind == tar.TypeSymlink || kind == tar.TypeLink {
		e[1].header.Linkname = "/etc/passwd"
	}
	return e
}

func wantArchive(t *testing.T, name, want string) {
	t.Helper()
	got := lines(verified(t, name, nil), StatusFailed)
	i := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, "archive: ") })
	if i < 0 || !strings.Contains(got[i], want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestBytesThatAreNoArchive: broken compression is rejected.
func TestBytesThatAreNoArchive(t *testing.T) {
	good := get(t, packed(t, sampleRun(t, nil), nil).Path)
	again := repacked(t, []rawEntry{plainEntry("x", "more")})
	tests := map[string]struct {
		data []byte
		want string
	}{
		"empty":          {nil, "it is empty"},
		"text":           {[]byte("hello, this is no archive at all"), "magic number mismatch"},
		"cut":            {good[:len(good)/2], "it is cut off"},
		"cut at the end": {good[:len(good)-1], "it is cut off"},
		"text behind":    {append(bytes.Clone(good), "hello, this is more"...), "magic number mismatch"},
		"two of them":    {append(bytes.Clone(good), again...), "2048 bytes follow its end"},
		"large window":   {repacked(t, unpackedLarge(t, good), zstd.WithWindowSize(64<<20), zstd.WithSingleSegment(false)), "window size exceeded"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, BundleName, tt.data)
			wantArchive(t, filepath.Join(dir, BundleName), tt.want)
		})
	}
}

// unpackedLarge is a bundle that is large enough to need a compression window.
func unpackedLarge(t *testing.T, good []byte) []rawEntry {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, BundleName, good)
	e := unpacked(t, filepath.Join(dir, BundleName))
	e[3].content = make([]byte, 70<<20)
	return listing(t, e, func(m *Manifest) { m.Files[2].Size = 70 << 20 })
}

// TestMillionEntries: entries that are not listed are not read, however many there are.
func TestMillionEntries(t *testing.T) {
	e := unpacked(t, packed(t, sampleRun(t, nil), nil).Path)
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, BundleName))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	write := func(e rawEntry) error {
		if err := w.WriteHeader(&e.header); err != nil {
			return err
		}
		_, err := w.Write(e.content)
		return err
	}
	for _, entry := range e {
		err = errors.Join(err, write(entry))
	}
	for range 1_000_000 {
		err = errors.Join(err, write(plainEntry("x", "")))
	}
	if err := errors.Join(err, w.Close(), z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	wantArchive(t, f.Name(), `it has "x" in it, which the manifest does not list`)
}

// endless is a reader without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestUnfolding(t *testing.T) {
	tests := map[string]struct {
		most, packed, want int64
		text               string
	}{
		"more than listed": {1000, 1 << 40, 1000, "more than the 1000 bytes"},
		"a bomb":           {1 << 40, 500_000, freeRatio, "more than 2000 times its size"},
		"dense":            {1 << 32, 1 << 30, 1 << 32, "more than the 4294967296 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			u := &unfolded{r: endless{}, packed: &tally{n: tt.packed}, most: tt.most}
			n, err := io.CopyBuffer(io.Discard, struct{ io.Reader }{u}, make([]byte, 1<<20))
			if err == nil || !strings.Contains(err.Error(), tt.text) || n > tt.want || n < tt.want-1<<20 {
				t.Errorf("read %d, %v", n, err)
			}
		})
	}
}

// TestChangedContent: archive and manifest are valid, but a file was changed.
func TestChangedContent(t *testing.T) {
	bundle := packed(t, sampleRun(t, nil), nil).Path
	for i, want := range map[int]string{
		1: "hashes: report.json has the hash ", 2: "hashes: events.jsonl has the hash ",
		3: "hashes: traffic.pcapng has the hash ", 4: "hashes: transcript.jsonl has the hash ",
	} {
		e := unpacked(t, bundle)
		e[i].content[len(e[i].content)-3] ^= 1
		dir := t.TempDir()
		put(t, dir, BundleName, repacked(t, e))
		got := lines(verified(t, filepath.Join(dir, BundleName), nil), StatusFailed)
		if len(got) == 0 || !strings.HasPrefix(got[0], want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestOtherTranscript: the transcript has the right hash but belongs to another run.
func TestOtherTranscript(t *testing.T) {
	e := unpacked(t, packed(t, sampleRun(t, nil), nil).Path)
	other := packed(t, sampleRun(t, nil), nil)
	e[4].content = []byte(strings.Replace(string(e[4].content), "add_note", "bad_note", 1))
	e = listing(t, e, func(m *Manifest) { m.Files[3].SHA256 = sumOf(e[4].content) })
	put(t, filepath.Dir(other.Path), BundleName, repacked(t, e))
	got := lines(verified(t, other.Path, nil), StatusFailed)
	if len(got) != 1 || got[0] != "transcript: it is not what the events say" {
		t.Errorf("got %q", got)
	}
}

func FuzzReadBundle(f *testing.F) {
	bundle := packed(f, sampleRun(f, nil), nil).Path
	f.Add(get(f, bundle))
	f.Add([]byte{})
	f.Add(repacked(f, unpacked(f, bundle)[:2]))
	f.Fuzz(func(t *testing.T, data []byte) {
		listed, shown := 0, 0
		err := readBundle(bytes.NewReader(data), &visitor{
			manifest: func(m *Manifest) { listed = len(m.Files) },
			file:     func(string, io.Reader) { shown++ },
			sum:      func(File, string) {},
		})
		if err == nil && (listed == 0 || shown != listed) {
			t.Errorf("%d files listed, %d shown", listed, shown)
		}
	})
}

// FuzzTar fuzzes the archive below the compression, where a fuzzer is faster.
func FuzzTar(f *testing.F) {
	e := unpacked(f, packed(f, sampleRun(f, nil), nil).Path)
	for _, entry := range e {
		f.Add(entry.header.Name, entry.content, byte(tar.TypeReg))
	}
	f.Add("x", []byte("y"), byte(tar.TypeSymlink))
	f.Fuzz(func(t *testing.T, name string, content []byte, kind byte) {
		var raw bytes.Buffer
		w := tar.NewWriter(&raw)
		if w.WriteHeader(&tar.Header{Name: name, Typeflag: kind, Size: int64(len(content))}) != nil {
			return
		}
		_, _ = w.Write(content)
		_ = w.Close()
		if h, err := next(tar.NewReader(&raw)); err == nil && (!goodName(h.Name) || h.Typeflag != tar.TypeReg) {
			t.Errorf("took %q of type %c", h.Name, h.Typeflag)
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add(unpacked(f, packed(f, sampleRun(f, nil), nil).Path)[0].content)
	f.Add([]byte(`{"schema_version":"2","files":[{"name":"report.json","size":0}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(bytes.NewReader(data))
		if err != nil {
			return
		}
		total := int64(0)
		for _, file := range m.Files {
			if !goodName(file.Name) || file.Size < 0 || file.Name == manifestName {
				t.Errorf("took %+v", file)
			}
			total += file.Size
		}
		if total < 0 || total > maxTotal {
			t.Errorf("took %d bytes", total)
		}
	})
}
