//go:build linux

package sentry

import (
	"sync"

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
	pipe    bool
}

// fileTable numbers open files. Holding the pointer keeps Go from giving the
// address to another file; it is no reference in gVisor's sense, so the
// target's descriptors live and die as always.
type fileTable struct {
	mu    sync.RWMutex
	known map[*vfs.FileDescription]knownFile
	last  uint32
}

// maxKnown bounds the table. A file that was forgotten is introduced again
// when it is next used.
const maxKnown = 8192

func (ft *fileTable) get(file *vfs.FileDescription) (knownFile, bool) {
	ft.mu.RLock()
	defer ft.mu.RUnlock()
	k, ok := ft.known[file]
	return k, ok
}

func (ft *fileTable) add(file *vfs.FileDescription, id identity) uint32 {
	ft.mu.Lock()
	defer ft.mu.Unlock()
	if ft.known == nil || len(ft.known) >= maxKnown {
		ft.known = make(map[*vfs.FileDescription]knownFile)
	}
	ft.last++
	k := knownFile{number: ft.last}
	switch linux.FileMode(id.mode).FileType() {
	case linux.ModeRegular, linux.ModeCharacterDevice, linux.ModeBlockDevice:
		k.content = true
	case linux.ModeNamedPipe:
		k.pipe = true
	}
	ft.known[file] = k
	return ft.last
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
