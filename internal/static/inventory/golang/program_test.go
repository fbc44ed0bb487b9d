package golang

import (
	"bytes"
	"encoding/binary"
	"os"
	"runtime/debug"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

func TestBuilt(t *testing.T) {
	parts := part.NewCollector()
	r := New(parts, disk.New(parts, disk.Limits{}, disk.Tree{FS: fstest.MapFS{}}))
	carrier := parts.Add(part.Part{ID: part.ID{Ecosystem: "npm", Name: "tool"}})
	r.Carrier = func(string) *part.Part { return carrier }
	r.built("node_modules/tool/bin", &debug.BuildInfo{
		GoVersion: "go1.22.1 X:nocoverageredesign", Main: debug.Module{Path: "example.com/tool", Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "example.com/a", Version: "v1.0.0"},
			{Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v2.0.0"}},
			{Path: "example.com/c", Version: "v1.0.0", Replace: &debug.Module{Path: "./c"}},
		},
	})
	r.Finish()
	var got []string
	for _, p := range carrier.Needs[0].Needs {
		got = append(got, p.PURL())
	}
	want := []string{"pkg:golang/stdlib@1.22.1", "pkg:golang/example.com/a@v1.0.0", "pkg:golang/example.com/fork@v2.0.0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProgramName(t *testing.T) {
	for name, want := range map[string]bool{
		"server": true, "server.exe": true, "tool-1.2.3_linux_amd64": true, "index.js": false, "a.2": false, "README.md": false,
		"lib.so.1": false, ".npmrc": false, "x.min.js": false, "tool.linux-amd64": true,
	} {
		if got := programName(name); got != want {
			t.Errorf("%s can be a program: %t, want %t", name, got, want)
		}
	}
}

// Reading any program headers ends.
func FuzzReadInfo(f *testing.F) {
	exe, err := os.Executable()
	if err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:4096])
	header := bytes.Clone(data[:64])
	binary.LittleEndian.PutUint64(header[40:], 64)     // the section headers follow at once
	binary.LittleEndian.PutUint16(header[60:], 0xfffe) // and are many
	f.Add(append(header, bytes.Repeat([]byte{1, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f}, 512)...))
	f.Add([]byte("MZ"))
	f.Add([]byte("\xcf\xfa\xed\xfe"))
	f.Add([]byte("\xff Go buildinf:\x08\x02" + string(make([]byte, 16)) + "\xff\xff\xff\xff\x0fgo1"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		r := bytes.NewReader(data)
		if executable(r) {
			_, _ = readInfo(r)
		}
	})
}
