package interpreter

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// program is a file that looks like a program for this machine; loader may be
// "".
func program(loader, text string) string {
	b := make([]byte, 64)
	copy(b, "\x7fELF\x02\x01\x01")
	order := binary.LittleEndian
	order.PutUint16(b[16:], 3)
	order.PutUint16(b[18:], elfMachine(runtime.GOARCH))
	order.PutUint64(b[32:], 64)
	order.PutUint16(b[54:], 56)
	if loader != "" {
		order.PutUint16(b[56:], 1)
		segment := make([]byte, 56)
		order.PutUint32(segment, 3)
		order.PutUint64(segment[8:], 120)
		order.PutUint64(segment[32:], uint64(len(loader)+1))
		b = append(append(b, segment...), loader+"\x00"...)
	}
	return string(b) + text
}

// host builds a host directory from "name", "name=content", "name*" and
// "name*=content", where * makes a program, and "name>target" for a link.
func host(t *testing.T, names ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range names {
		name, content, _ := strings.Cut(entry, "=")
		mode := os.FileMode(0o644)
		name, target, isLink := strings.Cut(name, ">")
		if plain, ok := strings.CutSuffix(name, "*"); ok {
			name, content, mode = plain, program("", content), 0o755
		}
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if isLink {
			err = os.Symlink(strings.ReplaceAll(target, "ROOT", root), path)
		} else {
			err = os.WriteFile(path, []byte(content), mode)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// found lists where runtimes were found, relative to root.
func found(root string, list []Interpreter) []string {
	var names []string
	for _, i := range list {
		name, err := filepath.Rel(root, i.Host)
		if err != nil {
			name = i.Host
		}
		names = append(names, name)
	}
	return names
}

// nodeMark and pythonMark are the version strings inside the programs.
func nodeMark(version string) string   { return "\x00node.js/v" + version + "\x00" }
func pythonMark(version string) string { return "\x00" + version + "\x00" }
