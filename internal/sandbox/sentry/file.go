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
	channel
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
		ft.known = make(map[*vfs.FileDescription]knownFile)
	}
	ft.last++
	k.number = ft.last
	ft.known[file] = k
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
