//go:build linux

package sentry

import (
	"sync"
	"unsafe"
	"weak"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// openFiles knows the recorded open files: their numbers, and how they connect
// tasks.
type openFiles struct {
	rec     *recorder
	forward *forwarder
	table   fileTable
}

// add numbers a newly opened file.
func (of *openFiles) add(t *kernel.Task, file *vfs.FileDescription, id identity) knownFile {
	return of.table.add(file, id, of.channelOf(t, file, id))
}

// introduce records a file whose open was not seen: inherited, received over a
// socket, made by memfd_create, or forgotten.
func (of *openFiles) introduce(t *kernel.Task, file *vfs.FileDescription) knownFile {
	id := identify(t, file)
	known := of.add(t, file, id)
	if known.content {
		of.rec.emitFor(t, &wire.Record{Op: wire.OpRead, File: known.number, Path: id.path, Dev: id.dev, Ino: id.ino})
	}
	return known
}

// end is one end of a transfer: the file and its known properties.
type end struct {
	file *vfs.FileDescription
	knownFile
}

func (e end) release(t *kernel.Task) {
	if e.file != nil {
		e.file.DecRef(t)
	}
}

// end finds the file behind the descriptor at a position among the arguments.
// The caller releases it.
func (of *openFiles) end(t *kernel.Task, args arch.SyscallArguments, position int) end {
	if position < 0 {
		return end{}
	}
	e := end{file: t.GetFile(args[position].Int())}
	if e.file == nil {
		return end{}
	}
	if _, ok := e.file.Impl().(*stdioFile); ok {
		return e // writes its own records
	}
	known, ok := of.table.get(e.file)
	if !ok {
		known = of.introduce(t, e.file)
	}
	e.knownFile = known
	return e
}

// knownFile is an open file that was recorded.
type knownFile struct {
	number uint32
	// content is set for files whose reads and writes are recorded: regular
	// files and devices, but not pipes, sockets and the like.
	content bool
	channel
}

// fileTable numbers open files, by address. A weak pointer distinguishes a file
// from a later one at the same address without keeping it in memory; making one
// is slow, so it is not the key.
type fileTable struct {
	mu    sync.RWMutex
	known map[uintptr]remembered
	last  uint32
}

type remembered struct {
	file weak.Pointer[vfs.FileDescription]
	knownFile
}

func address(file *vfs.FileDescription) uintptr { return uintptr(unsafe.Pointer(file)) }

// maxKnown bounds the table. A forgotten file is introduced again at its next
// use.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const maxKnown = 8192

func (ft *fileTable) get(file *vfs.FileDescription) (knownFile, bool) {
	ft.mu.RLock()
	defer ft.mu.RUnlock()
	k, ok := ft.known[address(file)]
	return k.knownFile, ok && k.file.Value() == file
}

func (ft *fileTable) add(file *vfs.FileDescription, id identity, ch channel) knownFile {
	k := knownFile{channel: ch}
	switch linux.FileMode(id.mode).FileType() {
	case linux.ModeRegular, linux.ModeCharacterDevice, linux.ModeBlockDevice:
		k.content = true
	}
	ft.mu.Lock()
	defer ft.mu.Unlock()
	return ft.put(file, k)
}

// put must be called with mu held.
func (ft *fileTable) put(file *vfs.FileDescription, k knownFile) knownFile {
	if ft.known == nil || len(ft.known) >= maxKnown {
		ft.known = make(map[uintptr]remembered)
	}
	ft.last++
	k.number = ft.last
	ft.known[address(file)] = remembered{weak.Make(file), k}
	return k
}

// pair makes a and b the two ends of one channel.
func (ft *fileTable) pair(a, b *vfs.FileDescription) {
	ft.mu.Lock()
	defer ft.mu.Unlock()
	there, back := pairEnd{ft.last, false}, pairEnd{ft.last, true}
	ft.put(a, knownFile{channel: channel{in: back, out: there}})
	ft.put(b, knownFile{channel: channel{in: there, out: back}})
}

// identify returns the identity of an open file.
func identify(t *kernel.Task, file *vfs.FileDescription) identity {
	id := identity{path: pathOf(t, file.VirtualDentry())}
	stat, err := file.Stat(t, vfs.StatOptions{Mask: linux.STATX_INO | linux.STATX_TYPE})
	if err == nil {
		id.setStat(&stat)
	}
	return id
}
