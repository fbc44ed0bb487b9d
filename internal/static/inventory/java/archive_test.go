package java

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// pack makes an archive of pairs of names and contents.
func pack(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, err := z.Create(pairs[i])
		if err == nil {
			_, err = io.WriteString(w, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const named = "groupId=g\nartifactId=a\nversion=1\n"

// lying is an archive whose directory states an impossible length.
func lying(t *testing.T) []byte {
	data := pack(t, "a", "b")
	binary.LittleEndian.PutUint32(data[len(data)-10:], maxDirectory+1)
	return data
}

// understated is an archive with a member larger than its header states.
func understated(t *testing.T) []byte {
	data := pack(t, "META-INF/maven/g/a/pom.properties", strings.Repeat("x", 10_000))
	at := bytes.Index(data, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(data[at+24:], 1)
	return data
}

// Archives that are too large, too deep, too many or broken are reported, and
// cost little.
func TestHostileArchives(t *testing.T) {
	deep := pack(t, "META-INF/maven/g/a/pom.properties", named)
	for range 10 {
		deep = pack(t, "lib/inner.jar", string(deep))
	}
	middle := pack(t, "lib/b.jar", string(pack(t, "x", "x")))
	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprintf("lib/a%d.jar", i), string(pack(t, "META-INF/maven/g/a/pom.properties", named)))
	}
	for name, tt := range map[string]struct {
		data   []byte
		budget budget
		want   string
	}{
		"a large text":         {pack(t, "META-INF/maven/g/a/pom.properties", strings.Repeat("\n", maxMember+1)), budget{bytes: 1 << 30, archives: 10, room: 1 << 30}, "a file in it is too large"},
		"a text that lies":     {understated(t), budget{bytes: 1 << 30, archives: 10, room: 1 << 30}, "not all of the archive was read"},
		"archives in archives": {deep, budget{bytes: 1 << 30, archives: 100, room: 1 << 30}, "the archives in it were not read: they are 4 deep"},
		"too many":             {pack(t, many...), budget{bytes: 1 << 30, archives: 20, room: 1 << 30}, "too much was unpacked already"},
		"too much":             {pack(t, many...), budget{bytes: 30_000, archives: 100, room: 1 << 30}, "too much was unpacked already"},
		"together too large":   {pack(t, "lib/a.jar", string(middle)), budget{bytes: 1 << 30, archives: 10, room: int64(len(middle)) + 10}, "too large together"},
		"a long list":          {lying(t), budget{bytes: 1 << 30, archives: 10, room: 1 << 30}, "its list of contents is too long"},
		"no archive":           {[]byte("PK\x03\x04 nothing"), budget{bytes: 1 << 30, archives: 10, room: 1 << 30}, "not a valid zip file"},
		"empty":                {nil, budget{bytes: 1 << 30, archives: 10, room: 1 << 30}, "not a valid zip file"},
	} {
		t.Run(name, func(t *testing.T) {
			parts := part.NewCollector()
			d := disk.New(parts, disk.Limits{}, disk.Tree{FS: fstest.MapFS{"x.jar": {Data: tt.data}}})
			r := New(t.Context(), parts, d)
			r.budget = tt.budget
			r.Read("x.jar")
			r.Finish()
			if notes := strings.Join(parts.Notes(), "\n"); !strings.Contains(notes, tt.want) {
				t.Errorf("the notes are %q, want %q", notes, tt.want)
			}
			if r.budget.bytes < -maxInner {
				t.Errorf("%d bytes more than allowed were unpacked", -r.budget.bytes)
			}
		})
	}
}

func TestTimeIsUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	parts := part.NewCollector()
	d := disk.New(parts, disk.Limits{}, disk.Tree{FS: fstest.MapFS{"x.jar": {Data: pack(t, "a", "b")}}})
	New(ctx, parts, d).Read("x.jar")
	if notes := parts.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "the time was up") {
		t.Errorf("the notes are %q", notes)
	}
}

// Properties that refer to each other do not grow.
func TestExpand(t *testing.T) {
	p := &pom{properties: map[string]string{"a": "${b}${b}", "b": "${a}${a}", "v": "1.${w}", "w": "2", "loop": "${loop}"}, version: "9", group: "g"}
	for in, want := range map[string]string{
		"plain": "plain", "${v}": "1.2", "${project.version}-${pom.groupId}": "9-g", "${none}": "${none}", "${": "${", "${loop}": "${loop}",
	} {
		if got := (family{p}).expand(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
	if got := (family{p}).expand("${a}"); len(got) > 2*maxText || exact(got) != "" {
		t.Errorf("it became %q", got)
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(pack(f, "META-INF/maven/g/a/pom.properties", named, "META-INF/MANIFEST.MF", "Bundle-SymbolicName: a.b\r\n c\r\n"))
	f.Add(pack(f, "lib/x.jar", string(pack(f, "META-INF/maven/g/a/pom.xml", "<project><artifactId>a</artifactId></project>"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		parts := part.NewCollector()
		r := New(t.Context(), parts, disk.New(parts, disk.Limits{}, disk.Tree{FS: fstest.MapFS{"x.jar": {Data: data}}}))
		r.budget.bytes = 1 << 20
		r.Read("x.jar")
		r.Finish()
	})
}
