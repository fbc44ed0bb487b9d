//go:build linux

package sentry

import (
	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// fileOpens observes the calls that open files. Every access to a file's
// content begins with one of them.
type fileOpens struct {
	rec    *recorder
	files  *openFiles
	env    *envReads
	conv   *conversation
	limits *limits
}

func (fo *fileOpens) calls() map[string]wrapper {
	return map[string]wrapper{
		"open": replace(func(t *kernel.Task, sysno uintptr, a arch.SyscallArguments) (uintptr, error) {
			return fo.open(t, sysno, linux.AT_FDCWD, a[0].Pointer(), a[1].Uint(), a[2].ModeT())
		}),
		"openat": replace(func(t *kernel.Task, sysno uintptr, a arch.SyscallArguments) (uintptr, error) {
			return fo.open(t, sysno, a[0].Int(), a[1].Pointer(), a[2].Uint(), a[3].ModeT())
		}),
		"creat": replace(func(t *kernel.Task, sysno uintptr, a arch.SyscallArguments) (uintptr, error) {
			return fo.open(t, sysno, linux.AT_FDCWD, a[0].Pointer(), linux.O_WRONLY|linux.O_CREAT|linux.O_TRUNC, a[1].ModeT())
		}),
	}
}

// replace makes a wrapper that does the whole work itself.
func replace(fn func(*kernel.Task, uintptr, arch.SyscallArguments) (uintptr, error)) wrapper {
	return func(syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			rval, err := fn(t, sysno, args)
			return rval, nil, err
		}
	}
}

// open opens the file, records it, and only then gives it a descriptor.
func (fo *fileOpens) open(t *kernel.Task, sysno uintptr, dirfd int32, addr hostarch.Addr, flags uint32, mode uint) (uintptr, error) {
	want := pathFlags(0)
	if flags&linux.O_NOFOLLOW == 0 {
		want |= follow
	}
	p, err := lookAt(t, dirfd, addr, want)
	if err != nil {
		return 0, err
	}
	defer p.release(t)
	carrier, err := fo.env.opensCarrier(t, p)
	if err != nil {
		return 0, err
	}
	const modeBits = 0o777 | linux.S_ISUID | linux.S_ISGID | linux.S_ISVTX
	file, err := t.Kernel().VFS().OpenAt(t, t.Credentials(), &p.PathOperation, &vfs.OpenOptions{
		Flags: flags | linux.O_LARGEFILE,
		Mode:  linux.FileMode(mode & modeBits &^ t.FSContext().Umask()),
	})
	if err != nil {
		fo.openFailed(t, p, flags, errno(err, sysno))
		return 0, err
	}
	if carrier {
		file, err = fo.env.withHook(t, file)
	} else {
		file, err = fo.conv.counting(t, file)
	}
	if err != nil {
		return 0, err
	}
	defer file.DecRef(t)
	fo.opened(t, p, file, flags, mode)
	fd, err := t.NewFDFrom(0, file, kernel.FDFlags{CloseOnExec: flags&linux.O_CLOEXEC != 0})
	fo.limits.noteResource(err)
	return uintptr(fd), err
}

func (fo *fileOpens) opened(t *kernel.Task, p *place, file *vfs.FileDescription, flags uint32, mode uint) {
	id := identify(t, file)
	r := &wire.Record{Op: wire.OpOpen, Path: id.path, Num: flags, Dev: id.dev, Ino: id.ino}
	if p.asked != id.path {
		r.Asked = p.asked
	}
	if id.isDir() {
		r.Flags |= wire.FlagDir
	}
	if file.IsCreated() {
		r.Flags |= wire.FlagCreated
		r.Mode = uint32(mode)
	}
	r.File = fo.files.add(t, file, id).number
	fo.rec.emitFor(t, r)
}

func (fo *fileOpens) openFailed(t *kernel.Task, p *place, flags uint32, number uint16) {
	r := &wire.Record{Op: wire.OpOpen, Path: guess(t, p), Num: flags, Errno: number}
	if number != uint16(unix.ENOENT) {
		// It exists, so its true name matters more than the one used.
		id := resolve(t, p)
		r.Path, r.Dev, r.Ino = id.path, id.dev, id.ino
	}
	if p.asked != r.Path {
		r.Asked = p.asked
	}
	fo.limits.noteErrno(number)
	fo.rec.emitFor(t, r)
}
