//go:build linux

package sentry

import (
	"fmt"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// nameChanges observes the calls that create, move and remove names.
type nameChanges struct {
	rec    *recorder
	limits *limits
}

func (nc *nameChanges) calls() map[string]wrapper {
	const cwd = linux.AT_FDCWD
	type task = *kernel.Task
	type arguments = arch.SyscallArguments
	return map[string]wrapper{
		"unlink": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.remove(t, n, cwd, a[0].Pointer(), 0)
		}),
		"rmdir": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.remove(t, n, cwd, a[0].Pointer(), linux.AT_REMOVEDIR)
		}),
		"unlinkat": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.remove(t, n, a[0].Int(), a[1].Pointer(), a[2].Int())
		}),
		"rename": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.rename(t, n, cwd, a[0].Pointer(), cwd, a[1].Pointer(), 0)
		}),
		"renameat": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.rename(t, n, a[0].Int(), a[1].Pointer(), a[2].Int(), a[3].Pointer(), 0)
		}),
		"renameat2": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.rename(t, n, a[0].Int(), a[1].Pointer(), a[2].Int(), a[3].Pointer(), a[4].Uint())
		}),
		"link": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.link(t, n, cwd, a[0].Pointer(), cwd, a[1].Pointer(), 0)
		}),
		"linkat": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.link(t, n, a[0].Int(), a[1].Pointer(), a[2].Int(), a[3].Pointer(), a[4].Int())
		}),
		"symlink": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.symlink(t, n, a[0].Pointer(), cwd, a[1].Pointer())
		}),
		"symlinkat": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.symlink(t, n, a[0].Pointer(), a[1].Int(), a[2].Pointer())
		}),
		"mkdir": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.mkdir(t, n, cwd, a[0].Pointer(), a[1].ModeT())
		}),
		"mkdirat": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, nc.mkdir(t, n, a[0].Int(), a[1].Pointer(), a[2].ModeT())
		}),
		"mknod":   nc.mknod(-1, 0),
		"mknodat": nc.mknod(0, 1),
	}
}

// nameAt reads a path whose last component is a name to be created, moved or
// removed.
func nameAt(t *kernel.Task, dirfd int32, addr hostarch.Addr) (*place, error) {
	p, err := lookAt(t, dirfd, addr, 0)
	if err == nil {
		p.pin(t)
	}
	return p, err
}

func (nc *nameChanges) remove(t *kernel.Task, sysno uintptr, dirfd int32, addr hostarch.Addr, flags int32) error {
	if flags&^linux.AT_REMOVEDIR != 0 {
		return linuxerr.EINVAL
	}
	p, err := nameAt(t, dirfd, addr)
	if err != nil {
		return err
	}
	defer p.release(t)
	id := resolve(t, p)
	r := &wire.Record{Op: wire.OpDelete, Path: id.path, Dev: id.dev, Ino: id.ino}
	if flags&linux.AT_REMOVEDIR != 0 {
		r.Flags |= wire.FlagDir
		err = t.Kernel().VFS().RmdirAt(t, t.Credentials(), &p.PathOperation)
	} else {
		err = t.Kernel().VFS().UnlinkAt(t, t.Credentials(), &p.PathOperation)
	}
	r.Errno = errno(err, sysno)
	nc.rec.emitFor(t, r)
	return err
}

func (nc *nameChanges) rename(t *kernel.Task, sysno uintptr, fromFD int32, from hostarch.Addr, toFD int32, to hostarch.Addr, flags uint32) error {
	p, err := nameAt(t, fromFD, from)
	if err != nil {
		return err
	}
	defer p.release(t)
	q, err := nameAt(t, toFD, to)
	if err != nil {
		return err
	}
	defer q.release(t)
	id := resolve(t, p)
	r := &wire.Record{Op: wire.OpRename, Path: id.path, Dev: id.dev, Ino: id.ino}
	if id.isDir() {
		r.Flags |= wire.FlagDir
	}
	err = t.Kernel().VFS().RenameAt(t, t.Credentials(), &p.PathOperation, &q.PathOperation, &vfs.RenameOptions{Flags: flags})
	r.To, r.Errno = resolve(t, q).path, errno(err, sysno)
	nc.rec.emitFor(t, r)
	return err
}

func (nc *nameChanges) link(t *kernel.Task, sysno uintptr, fromFD int32, from hostarch.Addr, toFD int32, to hostarch.Addr, flags int32) error {
	if flags&^(linux.AT_EMPTY_PATH|linux.AT_SYMLINK_FOLLOW) != 0 {
		return linuxerr.EINVAL
	}
	want := pathFlags(0)
	if flags&linux.AT_SYMLINK_FOLLOW != 0 {
		want |= follow
	}
	if flags&linux.AT_EMPTY_PATH != 0 {
		want |= allowEmpty
	}
	p, err := lookAt(t, fromFD, from, want)
	if err != nil {
		return err
	}
	defer p.release(t)
	if p.asked == "" && !ownFile(t, fromFD) {
		return linuxerr.ENOENT
	}
	q, err := nameAt(t, toFD, to)
	if err != nil {
		return err
	}
	defer q.release(t)
	id := resolve(t, p)
	err = t.Kernel().VFS().LinkAt(t, t.Credentials(), &p.PathOperation, &q.PathOperation)
	made := resolve(t, q)
	nc.rec.emitFor(t, &wire.Record{
		Op: wire.OpLink, Path: id.path, To: made.path, Dev: made.dev, Ino: made.ino, Errno: errno(err, sysno),
	})
	return err
}

// ownFile reports whether the descriptor was opened with the task's present
// rights; otherwise it may not be given a new name.
func ownFile(t *kernel.Task, fd int32) bool {
	file := t.GetFile(fd)
	if file == nil {
		return false
	}
	defer file.DecRef(t)
	return file.Credentials() == t.Credentials()
}

func (nc *nameChanges) symlink(t *kernel.Task, sysno uintptr, target hostarch.Addr, dirfd int32, addr hostarch.Addr) error {
	text, err := t.CopyInString(target, linux.PATH_MAX)
	if err != nil {
		return err
	}
	if text == "" {
		return linuxerr.ENOENT
	}
	p, err := nameAt(t, dirfd, addr)
	if err != nil {
		return err
	}
	defer p.release(t)
	err = t.Kernel().VFS().SymlinkAt(t, t.Credentials(), &p.PathOperation, text)
	nc.rec.emitFor(t, &wire.Record{
		Op: wire.OpLink, Flags: wire.FlagSymlink, Path: text, To: resolve(t, p).path, Errno: errno(err, sysno),
	})
	return err
}

func (nc *nameChanges) mkdir(t *kernel.Task, sysno uintptr, dirfd int32, addr hostarch.Addr, mode uint) error {
	p, err := nameAt(t, dirfd, addr)
	if err != nil {
		return err
	}
	defer p.release(t)
	err = t.Kernel().VFS().MkdirAt(t, t.Credentials(), &p.PathOperation, &vfs.MkdirOptions{
		Mode: linux.FileMode(mode & (0o777 | linux.S_ISVTX) &^ t.FSContext().Umask()),
	})
	nc.created(t, "mkdir", p, uint32(mode), errno(err, sysno))
	return err
}

func (nc *nameChanges) created(t *kernel.Task, how string, p *place, mode uint32, number uint16) {
	if number == uint16(unix.EEXIST) || number == uint16(unix.ENOENT) {
		return // mkdir -p on an existing directory: nothing was made
	}
	nc.limits.noteErrno(number)
	id := resolve(t, p)
	nc.rec.emitFor(t, &wire.Record{Op: wire.OpCreate, Text: how, Path: id.path, Dev: id.dev, Ino: id.ino, Mode: mode, Errno: number})
}

// mknod is left to gVisor, which makes pipes and refuses the rest. A device
// would give access to the machine's memory and disks.
func (nc *nameChanges) mknod(dirfd, name int) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			dir := int32(linux.AT_FDCWD)
			if dirfd >= 0 {
				dir = args[dirfd].Int()
			}
			rval, ctrl, err := next(t, sysno, args)
			switch mode := linux.FileMode(args[name+1].Uint()).FileType(); mode {
			case linux.ModeCharacterDevice, linux.ModeBlockDevice:
				nc.rec.emitFor(t, &wire.Record{
					Op: wire.OpPrivilege, Text: "mknod", Asked: fmt.Sprintf("device=%#x", args[name+2].Uint()), Errno: errno(err, sysno),
				})
			}
			if p, lookErr := lookAt(t, dir, args[name].Pointer(), 0); lookErr == nil {
				nc.created(t, "mknod", p, args[name+1].Uint(), errno(err, sysno))
				p.release(t)
			}
			return rval, ctrl, err
		}
	}
}
