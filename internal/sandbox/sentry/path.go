//go:build linux

package sentry

import (
	"path"
	"strings"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/fspath"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
)

// place is a path argument of a system call, copied from the target's memory
// exactly once.
type place struct {
	vfs.PathOperation
	// asked is the path in the call, rest what is left of it behind Start.
	asked, rest string
	dirfd       int32
	ownRef      bool
}

// Ways to read a path argument.
type pathFlags uint8

const (
	follow pathFlags = 1 << iota
	allowEmpty
)

// lookAt copies a path argument in and prepares it for the VFS. The caller
// releases the result.
func lookAt(t *kernel.Task, dirfd int32, addr hostarch.Addr, flags pathFlags) (*place, error) {
	asked, err := t.CopyInString(addr, linux.PATH_MAX)
	if err != nil {
		return nil, err
	}
	parsed := fspath.Parse(asked)
	p := &place{asked: asked, rest: asked, dirfd: dirfd}
	p.Root = t.FSContext().RootDirectory()
	p.Start = p.Root
	p.Path = parsed
	p.FollowFinalSymlink = flags&follow != 0
	if parsed.Absolute {
		return p, nil
	}
	if !parsed.HasComponents() && flags&allowEmpty == 0 {
		p.Root.DecRef(t)
		return nil, linuxerr.ENOENT
	}
	if dirfd == linux.AT_FDCWD {
		p.Start = t.FSContext().WorkingDirectory()
	} else {
		dir := t.GetFile(dirfd)
		if dir == nil {
			p.Root.DecRef(t)
			return nil, linuxerr.EBADF
		}
		p.Start = dir.VirtualDentry()
		p.Start.IncRef()
		dir.DecRef(t)
	}
	p.ownRef = true
	return p, nil
}

// pin resolves the directory of the last component, so that resolving the name
// and using it cannot reach two different directories.
func (p *place) pin(t *kernel.Task) {
	asked := strings.TrimRight(p.asked, "/")
	cut := strings.LastIndexByte(asked, '/')
	base := asked[cut+1:]
	if cut < 0 || base == "" || base == "." || base == ".." {
		return
	}
	above := p.PathOperation
	above.Path, above.FollowFinalSymlink = fspath.Parse(asked[:cut+1]), true
	dir, err := t.Kernel().VFS().GetDentryAt(t, t.Credentials(), &above, &vfs.GetDentryOptions{CheckSearchable: true})
	if err != nil {
		return // the call itself will fail with the same error
	}
	p.restart(t, dir, p.asked[cut+1:])
}

// pinObject resolves the whole path, so that resolving the object and using it
// cannot reach two different ones.
func (p *place) pinObject(t *kernel.Task) {
	object, err := t.Kernel().VFS().GetDentryAt(t, t.Credentials(), &p.PathOperation, &vfs.GetDentryOptions{})
	if err == nil {
		p.restart(t, object, "")
	}
}

// restart takes over from and continues there with rest.
func (p *place) restart(t *kernel.Task, from vfs.VirtualDentry, rest string) {
	if p.ownRef {
		p.Start.DecRef(t)
	}
	p.Start, p.ownRef, p.Path, p.rest = from, true, fspath.Path{}, rest
	if rest != "" {
		p.Path = fspath.Parse(rest)
	}
}

func (p *place) release(t *kernel.Task) {
	p.Root.DecRef(t)
	if p.ownRef {
		p.Start.DecRef(t)
	}
}

// identity identifies a file: its true path and its numbers.
type identity struct {
	path     string
	dev, ino uint64
	mode     uint16
}

func (id *identity) isDir() bool { return linux.FileMode(id.mode).FileType() == linux.ModeDirectory }

// resolve finds the file that p names now. If there is none, or the target may
// not see it, the path is the best guess and the numbers are 0.
func resolve(t *kernel.Task, p *place) identity {
	vd, err := t.Kernel().VFS().GetDentryAt(t, t.Credentials(), &p.PathOperation, &vfs.GetDentryOptions{})
	if err != nil {
		return identity{path: guess(t, p)}
	}
	defer vd.DecRef(t)
	id := identity{path: pathOf(t, vd)}
	stat, err := t.Kernel().VFS().StatAt(t, t.Credentials(), &vfs.PathOperation{Root: vd, Start: vd}, &vfs.StatOptions{Mask: linux.STATX_INO | linux.STATX_TYPE})
	if err == nil {
		id.setStat(&stat)
	}
	return id
}

func (id *identity) setStat(stat *linux.Statx) {
	id.dev = uint64(linux.MakeDeviceID(uint16(stat.DevMajor), stat.DevMinor))
	id.ino, id.mode = stat.Ino, stat.Mode
}

// pathOf returns the file's name from the root of the whole file system, not
// from a root the target may have changed to.
func pathOf(t *kernel.Task, vd vfs.VirtualDentry) string {
	ns := t.MountNamespace()
	if ns == nil {
		return ""
	}
	root := ns.Root(t)
	defer root.DecRef(t)
	name, err := t.Kernel().VFS().PathnameWithDeleted(t, root, vd)
	if err != nil {
		return ""
	}
	return name
}

// guess joins what is left of the path in the call to where it continues.
func guess(t *kernel.Task, p *place) string {
	if p.Path.Absolute {
		return path.Clean(p.asked)
	}
	return path.Join(pathOf(t, p.Start), p.rest)
}
