//go:build linux

package sentry

import (
	"errors"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// attributeChanges observes the calls that change a file's length, mode, owner,
// times and extended attributes.
type attributeChanges struct {
	rec    *recorder
	limits *limits
}

func (ac *attributeChanges) calls() map[string]wrapper {
	const cwd = linux.AT_FDCWD
	type task = *kernel.Task
	type arguments = arch.SyscallArguments
	calls := map[string]wrapper{
		"truncate": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, ac.truncate(t, n, a[0].Pointer(), a[1].Int64())
		}),
		"chmod": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, ac.chmod(t, n, cwd, a[0].Pointer(), a[1].ModeT())
		}),
		"fchmodat": replace(func(t task, n uintptr, a arguments) (uintptr, error) {
			return 0, ac.chmod(t, n, a[0].Int(), a[1].Pointer(), a[2].ModeT())
		}),
		"ftruncate": ac.byDescriptor(wire.OpTruncate, "truncate", 1),
		"fallocate": ac.byDescriptor(wire.OpTruncate, "allocate", 3),
		"fchmod":    ac.byDescriptor(wire.OpChmod, "chmod", 1),
		"fchown":    ac.byDescriptor(wire.OpChmod, "chown", -1),
		"fsetxattr": ac.byDescriptor(wire.OpChmod, "setxattr", -1),

		"fremovexattr": ac.byDescriptor(wire.OpChmod, "setxattr", -1),
	}
	for name, text := range map[string]string{
		"chown": "chown", "lchown": "chown", "utime": "utimes", "utimes": "utimes",
		"setxattr": "setxattr", "lsetxattr": "setxattr", "removexattr": "setxattr", "lremovexattr": "setxattr",
	} {
		calls[name] = ac.byName(text, -1, 0)
	}
	for name, text := range map[string]string{"fchownat": "chown", "futimesat": "utimes", "utimensat": "utimes"} {
		calls[name] = ac.byName(text, 0, 1)
	}
	return calls
}

func (ac *attributeChanges) truncate(t *kernel.Task, sysno uintptr, addr hostarch.Addr, length int64) error {
	if length < 0 {
		return linuxerr.EINVAL
	}
	return ac.setStat(t, sysno, linux.AT_FDCWD, addr, &vfs.SetStatOptions{
		Stat:          linux.Statx{Mask: linux.STATX_SIZE, Size: uint64(length)},
		NeedWritePerm: true,
		ClearPrivs:    true,
	}, &wire.Record{Op: wire.OpTruncate, N: length})
}

func (ac *attributeChanges) chmod(t *kernel.Task, sysno uintptr, dirfd int32, addr hostarch.Addr, mode uint) error {
	const bits = 0o777 | linux.S_ISUID | linux.S_ISGID | linux.S_ISVTX
	return ac.setStat(t, sysno, dirfd, addr, &vfs.SetStatOptions{
		Stat: linux.Statx{Mask: linux.STATX_MODE, Mode: uint16(mode & bits)},
	}, &wire.Record{Op: wire.OpChmod, Text: "chmod", Mode: uint32(mode)})
}

func (ac *attributeChanges) setStat(t *kernel.Task, sysno uintptr, dirfd int32, addr hostarch.Addr, opts *vfs.SetStatOptions, r *wire.Record) error {
	p, err := lookAt(t, dirfd, addr, follow)
	if err != nil {
		return err
	}
	defer p.release(t)
	p.pinObject(t)
	err = t.Kernel().VFS().SetStatAt(t, t.Credentials(), &p.PathOperation, opts)
	if errors.Is(err, linuxerr.ErrExceedsFileSizeLimit) {
		_ = t.SendSignal(kernel.SignalInfoNoInfo(linux.SIGXFSZ, t, t))
		err = linuxerr.EFBIG
	}
	id := resolve(t, p)
	r.Path, r.Dev, r.Ino, r.Errno = id.path, id.dev, id.ino, errno(err, sysno)
	ac.limits.noteErrno(r.Errno)
	ac.rec.emitFor(t, r)
	return err
}

// byDescriptor observes a change to an open file; value is the position of the
// argument to record, or -1.
func (ac *attributeChanges) byDescriptor(op wire.Op, text string, value int) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			file := t.GetFile(args[0].Int())
			rval, ctrl, err := next(t, sysno, args)
			if file == nil {
				return rval, ctrl, err
			}
			id := identify(t, file)
			file.DecRef(t)
			r := &wire.Record{Op: op, Text: text, Path: id.path, Dev: id.dev, Ino: id.ino, Errno: errno(err, sysno)}
			if value >= 0 {
				r.N, r.Mode = args[value].Int64(), args[value].Uint()
			}
			ac.limits.noteErrno(r.Errno)
			ac.rec.emitFor(t, r)
			return rval, ctrl, err
		}
	}
}

// byName observes a change to a named file that gVisor carries out itself.
func (ac *attributeChanges) byName(text string, dirfd, name int) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			id, known := resolveArgument(t, args, dirfd, name)
			rval, ctrl, err := next(t, sysno, args)
			if known {
				ac.rec.emitFor(t, &wire.Record{
					Op: wire.OpChmod, Text: text, Path: id.path, Dev: id.dev, Ino: id.ino, Errno: errno(err, sysno),
				})
			}
			return rval, ctrl, err
		}
	}
}

// resolveArgument resolves the path argument at position name, relative to the
// descriptor at position dirfd if that is not -1.
func resolveArgument(t *kernel.Task, args arch.SyscallArguments, dirfd, name int) (identity, bool) {
	dir := int32(linux.AT_FDCWD)
	if dirfd >= 0 {
		dir = args[dirfd].Int()
	}
	if args[name].Pointer() == 0 {
		return identity{}, false // utimensat on a bare descriptor
	}
	p, err := lookAt(t, dir, args[name].Pointer(), follow|allowEmpty)
	if err != nil {
		return identity{}, false
	}
	defer p.release(t)
	return resolve(t, p), true
}
