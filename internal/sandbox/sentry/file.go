//go:build linux

package sentry

import (
	"sync"
	"unsafe"
	"weak"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
)

// knownFile is an open file the monitor has been told about.
type knownFile struct {
	number uint32
	// content is set for files whose reads and writes are worth a record:
	// regular files and devices, but not pipes, sockets and the like.
	content bool
	channel
}

// fileTable numbers open files, by address. A weak pointer tells a file from a
// later one at the same address without keeping it, and what it holds, in
// memory; making one is slow, so it is not the key.
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

// maxKnown bounds the table. A file that was forgotten is introduced again
// when it is next used.
const maxKnown = 8192

func (ft *fileTable) get(file *vfs.FileDescription) (knownFile, bool) {
	ft.mu.RLock()
	defer ft.mu.RUnlock()
	k, ok := ft.known[address(file)]
	return k.knownFile, ok && k.file.Value() == file
}

func (ft *fileTable) add(file *vfs.FileDescription, id identity, way channel) knownFile {
	k := knownFile{channel: way}
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

// pair makes a and b the two ends of one way.
func (ft *fileTable) pair(a, b *vfs.FileDescription) {
	ft.mu.Lock()
	defer ft.mu.Unlock()
	there, back := pairEnd{ft.last, false}, pairEnd{ft.last, true}
	ft.put(a, knownFile{channel: channel{in: back, out: there}})
	ft.put(b, knownFile{channel: channel{in: there, out: back}})
}

// identify asks the open file itself what it is.
func (o *observer) identify(t *kernel.Task, file *vfs.FileDescription) identity {
	id := identity{path: o.pathOf(t, file.VirtualDentry())}
	stat, err := file.Stat(t, vfs.StatOptions{Mask: linux.STATX_INO | linux.STATX_TYPE})
	if err == nil {
		id.setStat(&stat)
	}
	return id
}
