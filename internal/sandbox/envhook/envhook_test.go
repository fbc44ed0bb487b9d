package envhook

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSecretsDecide(t *testing.T) {
	seen := map[Hooks]bool{}
	for i := range 64 {
		h := *New([16]byte{byte(i), 1, byte(i), 3})
		if h.Number < lowest || h.Number > highest || !strings.HasSuffix(h.Prefix, "/") || len(h.Prefix) < 40 {
			t.Errorf("hooks %+v", h)
		}
		seen[h] = true
	}
	if len(seen) != 64 {
		t.Errorf("64 secrets gave %d hooks", len(seen))
	}
	if last := New([16]byte{0xff, 0xff}); last.Number > highest {
		t.Errorf("number %d", last.Number)
	}
}

func TestRecognise(t *testing.T) {
	for path, want := range map[string]struct {
		What   File
		Source string
	}{
		"/usr/lib/python3.11/encodings/utf_8.py":                                       {Source, "/usr/lib/python3.11/encodings/utf_8.py"},
		"/usr/lib/python3.11/encodings/__pycache__/utf_8.cpython-311.pyc":              {Compiled, "/usr/lib/python3.11/encodings/utf_8.py"},
		"/usr/lib/python3.11/encodings/__pycache__/utf_8.cpython-311.opt-2.pyc":        {Compiled, "/usr/lib/python3.11/encodings/utf_8.py"},
		"/usr/lib/python3.11/encodings/__pycache__/utf_8.cpython-311.pyc.140123456789": {Compiling, ""},
		"/tmp/c/usr/lib/python3.11/encodings/utf_8.cpython-311.pyc":                    {Compiled, "/tmp/c/usr/lib/python3.11/encodings/utf_8.py"},
		"/usr/lib/python3.11/encodings/utf_8_sig.py":                                   {},
		"/usr/lib/python3.11/encodings/__pycache__/utf_8_sig.cpython-311.pyc":          {},
		"/usr/lib/python3.11/utf_8.py":                                                 {},
		"encodings/utf_8.py":                                                           {},
		"/encodings/utf_8.py\n":                                                        {},
		"":                                                                             {},
	} {
		what, source := Recognise(path)
		if what != want.What || source != want.Source {
			t.Errorf("%q is %d of %q", path, what, source)
		}
	}
}

// Every Python of this machine that can run the hook reports by it, and does
// not reveal it.
func TestPythonsOfThisMachine(t *testing.T) {
	const script = `
import posix, sys
asked, real = [], posix.access
posix.access = lambda path, mode: asked.append((path[len("/p/"):], mode))
exec(sys.argv[1], {})
posix.access = real
assert type(sys.meta_path[0]).__name__ == "type", sys.meta_path
import os
assert ".Finder" not in repr(sys.meta_path)
del asked[:]
os.environ["A"], os.environ.get("B"), "C" in os.environ
[os.environ[k] for k in os.environ]
dict(os.environ), repr(os.environ)
for i in range(2000): os.getenv("HOT")
hot = sum(1 for name, mode in asked if name == b"HOT")
assert 256 < hot < 300, hot
print([a for a in asked if a[0] != b"HOT"])
sys.modules["dotenv"] = sys
del asked[:]
"A" in os.environ, os.environ.get("A"), "gone" in os.environ
print(asked)
del sys.modules["dotenv"]
try: os.environ["gone"]
except KeyError as e: print(repr(e), e.__cause__, e.__suppress_context__)
`
	want := `[(b'A', 0), (b'B', 0), (b'C', 0), (b'', 4), (b'', 4), (b'', 4)]` + "\n[(b'?A', 0), (b'A', 0), (b'?gone', 0)]\nKeyError('gone') None True\n"
	hook := (&Hooks{Prefix: "/p/"}).Python()
	tried := 0
	for _, program := range pythons(t) {
		cmd := exec.CommandContext(t.Context(), program, "-I", "-S", "-c", script, hook)
		cmd.Env = []string{"A=1", "D=2"}
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		out, err := cmd.Output()
		if err != nil || complaints.Len() > 0 {
			t.Errorf("%s: %v: %s", program, err, complaints.String())
			continue
		}
		if diff := cmp.Diff(want, string(out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", program, diff)
		}
		tried++
	}
	if tried == 0 {
		t.Skip("no Python here")
	}
	t.Logf("%d versions", tried)
}

// pythons returns one program for each version from 3.8 on, including those of
// a version manager.
func pythons(t *testing.T) []string {
	t.Helper()
	seen := map[string]bool{}
	var list []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		for _, pattern := range []string{"python3", "python3.[0-9]*[0-9]", "../versions/*/bin/python3"} {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, program := range found {
				if version := versionOf(t, program); version != "" && !seen[version] {
					seen[version] = true
					list = append(list, program)
				}
			}
		}
	}
	return list
}

func versionOf(t *testing.T, program string) string {
	t.Helper()
	file, err := os.Open(program)
	if err != nil {
		return ""
	}
	defer file.Close()
	magic := make([]byte, 4)
	if _, err := file.Read(magic); err != nil || string(magic) != "\x7fELF" {
		return "" // a wrapper script of a version manager
	}
	const ask = "import sys; print(sys.version_info >= (3, 8), sys.version)"
	out, err := exec.CommandContext(t.Context(), program, "-I", "-S", "-c", ask).Output()
	if err != nil || !strings.HasPrefix(string(out), "True ") {
		return ""
	}
	return string(out)
}

func TestGetenvOfThisMachine(t *testing.T) {
	file, err := os.Open("/lib/x86_64-linux-gnu/libc.so.6")
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	h := New([16]byte{1, 2})
	patch, err := h.Getenv(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := binary.LittleEndian.Uint32(patch.Code[5:]); n != h.Number {
		t.Errorf("the call is %d, want %d", n, h.Number)
	}
	// The replaced code must have loaded environ from the same place.
	old := make([]byte, 64)
	if _, err := file.ReadAt(old, int64(patch.Offset)); err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(old, []byte{0x48, 0x8b, 0x05})
	if at < 0 {
		t.Skip("this C library's getenv begins in another way")
	}
	slot := func(code []byte, at int) int { return at + 7 + int(int32(binary.LittleEndian.Uint32(code[at+3:]))) }
	if slot(old, at) != slot(patch.Code, 11) {
		t.Errorf("environ is at %#x, want %#x", slot(patch.Code, 11), slot(old, at))
	}
}

func TestGetenvElsewhere(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self) // an ELF file without a getenv
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"nothing": nil, "text": []byte("#!/bin/sh\n"), "a program": program, "half of it": program[:len(program)/2]} {
		if patch, err := New([16]byte{}).Getenv(bytes.NewReader(content)); err == nil {
			t.Errorf("%s gave %+v", name, patch)
		}
	}
}

func FuzzGetenv(f *testing.F) {
	if libc, err := os.ReadFile("/lib/x86_64-linux-gnu/libc.so.6"); err == nil {
		f.Add(libc[:4096])
	}
	f.Add([]byte("\x7fELF\x02\x01\x01"))
	f.Fuzz(func(t *testing.T, content []byte) {
		patch, err := New([16]byte{}).Getenv(bytes.NewReader(content))
		if (patch == nil) == (err == nil) {
			t.Errorf("patch %v, error %v", patch, err)
		}
	})
}
