package interpreter

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// runs reports whether a file is a program for this processor whose loader
// exists in the sandbox. A Node of another distribution (its loader below /nix,
// or musl's on a machine without musl) would not start there.
func (m *machine) runs(path string) bool {
	f, info, err := openRegular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if info.Mode()&0o111 == 0 {
		return false
	}
	loader, ok := elfLoader(f)
	if !ok || loader == "" {
		return ok
	}
	resolved, err := filepath.EvalSymlinks(loader)
	return err == nil && m.underSystem(loader) && m.underSystem(resolved)
}

// elfLoader reads the loader that a program names, "" for a static one. It
// returns false if the file is no 64-bit program for this processor.
func elfLoader(r io.ReaderAt) (string, bool) {
	// no gap: bounds the toolchain that we fetch, not the server
	const (
		headerSize, segmentSize = 64, 56
		maxSegments             = 64
		segmentLoader           = 3
		typeExec, typeShared    = 2, 3
	)
	var h [headerSize]byte
	if _, err := r.ReadAt(h[:], 0); err != nil || !bytes.HasPrefix(h[:], []byte("\x7fELF\x02\x01")) {
		return "", false
	}
	order := binary.LittleEndian
	kind, processor := order.Uint16(h[16:]), order.Uint16(h[18:])
	if (kind != typeExec && kind != typeShared) || processor != elfMachine(runtime.GOARCH) {
		return "", false
	}
	offset, size, count := order.Uint64(h[32:]), order.Uint16(h[54:]), order.Uint16(h[56:])
	if size != segmentSize || count > maxSegments || offset > 1<<40 {
		return "", false
	}
	for n := range int64(count) {
		var s [segmentSize]byte
		if _, err := r.ReadAt(s[:], int64(offset)+n*segmentSize); err != nil {
			return "", false
		}
		if order.Uint32(s[:]) == segmentLoader {
			return elfName(r, order.Uint64(s[8:]), order.Uint64(s[32:]))
		}
	}
	return "", true
}

func elfName(r io.ReaderAt, offset, size uint64) (string, bool) {
	if size == 0 || size > 4096 || offset > 1<<40 {
		return "", false
	}
	name := make([]byte, size)
	if _, err := r.ReadAt(name, int64(offset)); err != nil {
		return "", false
	}
	name, _, _ = bytes.Cut(name, []byte{0})
	return string(name), filepath.IsAbs(string(name))
}

func elfMachine(arch string) uint16 {
	switch arch {
	case "amd64":
		return 62
	case "arm64":
		return 183
	}
	return 0
}

// openRegular opens a regular file without blocking.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &os.PathError{Op: "open", Path: path, Err: os.ErrInvalid}
	}
	f, err := os.Open(path)
	return f, info, err
}
