//go:build linux

package sentry

import (
	"io"
	"path"
	"strings"
	"sync"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/envhook"
)

// Node calls getenv of the C library for every read, so getenv is replaced in
// the memory of the process before anything can have called it.

// maxLibrary is the largest C library that is read.
// no gap: a larger library is not hooked, and the gap variables says so
const maxLibrary = 32 << 20

// libraryTable caches the patches of C libraries; nil for one that cannot be
// patched.
type libraryTable struct {
	mu    sync.Mutex
	known map[[2]uint64]*envhook.Patch
}

// mapped replaces getenv if the code of a C library was mapped and the process
// runs Node.
func (er *envReads) mapped(t *kernel.Task, file *vfs.FileDescription, at uintptr, args arch.SyscallArguments) {
	const kinds = linux.MAP_SHARED | linux.MAP_PRIVATE
	if er.hooks == nil || args[2].Int()&linux.PROT_EXEC == 0 || args[3].Int()&kinds != linux.MAP_PRIVATE {
		return
	}
	if s := er.attr.state(t); s.reads != readsFresh || !isNode(program(t)) {
		return
	}
	id := identify(t, file)
	if base := path.Base(id.path); base != "libc.so.6" && !strings.HasPrefix(base, "libc-2.") {
		return
	}
	patch := er.patchOf(t, file, id)
	offset, length := args[5].Uint64(), args[1].Uint64()
	if patch == nil || patch.Offset < offset || patch.Offset-offset+uint64(len(patch.Code)) > length {
		return
	}
	where := hostarch.Addr(at) + hostarch.Addr(patch.Offset-offset)
	_, err := t.MemoryManager().CopyOut(t, where, patch.Code, usermem.IOOpts{IgnorePermissions: true})
	if err == nil {
		er.reporting(t)
	}
}

func isNode(program string) bool {
	base := path.Base(program)
	return base == "node" || base == "nodejs"
}

// patchOf reads a library once. A library that the target wrote itself is not
// patched: the target could avoid its getenv anyway.
func (er *envReads) patchOf(t *kernel.Task, file *vfs.FileDescription, id identity) *envhook.Patch {
	er.libraries.mu.Lock()
	defer er.libraries.mu.Unlock()
	key := [2]uint64{id.dev, id.ino}
	if patch, ok := er.libraries.known[key]; ok {
		return patch
	}
	// no gap: a larger library is not hooked, and the gap variables says so
	const most = 64
	if er.libraries.known == nil || len(er.libraries.known) >= most {
		er.libraries.known = map[[2]uint64]*envhook.Patch{}
	}
	var patch *envhook.Patch
	stat, err := file.Stat(t, vfs.StatOptions{Mask: linux.STATX_UID | linux.STATX_SIZE})
	if err == nil && stat.UID != mcpsf.UID && stat.Size <= maxLibrary {
		patch, _ = er.hooks.Getenv(fileReader{t, file}) // nil if it cannot be patched
	}
	er.libraries.known[key] = patch
	return patch
}

// fileReader reads an open file of the sandbox.
type fileReader struct {
	ctx  context.Context
	file *vfs.FileDescription
}

// ReadAt implements [io.ReaderAt].
func (r fileReader) ReadAt(p []byte, off int64) (int, error) {
	for done := 0; ; {
		n, err := r.file.PRead(r.ctx, usermem.BytesIOSequence(p[done:]), off+int64(done), vfs.ReadOptions{})
		done += int(n)
		switch {
		case done == len(p):
			return done, nil
		case err != nil:
			return done, err
		case n == 0:
			return done, io.EOF
		}
	}
}
