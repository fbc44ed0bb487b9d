//go:build linux

package sentry

import (
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	slinux "gvisor.dev/gvisor/pkg/sentry/syscalls/linux"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// execs observes program starts.
type execs struct {
	rec  *recorder
	attr *attribution
}

func (ex *execs) calls() map[string]wrapper {
	return map[string]wrapper{
		"execve": ex.exec(func(a arch.SyscallArguments) execArguments {
			return execArguments{linux.AT_FDCWD, a[0].Pointer(), a[1].Pointer(), a[2].Pointer(), 0}
		}),
		"execveat": ex.exec(func(a arch.SyscallArguments) execArguments {
			return execArguments{a[0].Int(), a[1].Pointer(), a[2].Pointer(), a[3].Pointer(), a[4].Int()}
		}),
	}
}

type execArguments struct {
	dirfd            int32
	path, argv, envv hostarch.Addr
	flags            int32
}

// exec opens the program itself and passes gVisor the open file, so that the
// recorded program is the one that runs: for a program started by its
// descriptor, gVisor reports only the descriptor's number.
func (ex *execs) exec(arguments func(arch.SyscallArguments) execArguments) wrapper {
	return func(syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			a := arguments(args)
			if a.flags&^(linux.AT_EMPTY_PATH|linux.AT_SYMLINK_NOFOLLOW) != 0 {
				return 0, nil, linuxerr.EINVAL
			}
			want := pathFlags(0)
			if a.flags&linux.AT_SYMLINK_NOFOLLOW == 0 {
				want |= follow
			}
			if a.flags&linux.AT_EMPTY_PATH != 0 {
				want |= allowEmpty
			}
			p, err := lookAt(t, a.dirfd, a.path, want)
			if err != nil {
				return 0, nil, err
			}
			defer p.release(t)
			ctrl, err := ex.launch(t, sysno, p, &a)
			return 0, ctrl, err
		}
	}
}

func (ex *execs) launch(t *kernel.Task, sysno uintptr, p *place, a *execArguments) (*kernel.SyscallControl, error) {
	argv, err := copyVector(t, a.argv)
	if err != nil {
		return nil, err
	}
	envv, err := copyVector(t, a.envv)
	if err != nil {
		return nil, err
	}
	file, err := t.Kernel().VFS().OpenAt(t, t.Credentials(), &p.PathOperation, &vfs.OpenOptions{
		Flags: linux.O_RDONLY, FileExec: true,
	})
	if err != nil {
		ex.rec.emitFor(t, &wire.Record{Op: wire.OpExec, Path: guess(t, p), Args: argv, Errno: errno(err, sysno)})
		return nil, err
	}
	id := identify(t, file)
	r := &wire.Record{Op: wire.OpExec, Path: id.path, Dev: id.dev, Ino: id.ino, Args: argv, N: int64(len(envv))}
	if p.asked != id.path {
		r.Asked = p.asked
	}
	r.Flags |= fromMemory(id.path)
	ex.settleExec(t)
	r.Args = kept(argv)
	ex.attr.state(t).exec = r
	name, closeOnExec := execName(t, p)
	return t.Execve(argv, envv, a.flags, name, file, closeOnExec), nil // takes over file
}

// execName returns the name of a script for its interpreter, which must work
// from its own working directory.
func execName(t *kernel.Task, p *place) (name string, closeOnExec bool) {
	if p.Path.Absolute || p.dirfd == linux.AT_FDCWD {
		return p.asked, false
	}
	if dir, flags := t.FDTable().Get(p.dirfd); dir != nil {
		closeOnExec = flags.CloseOnExec
		dir.DecRef(t)
	}
	name = fmt.Sprintf("/dev/fd/%d", p.dirfd)
	if p.Path.HasComponents() {
		name += "/" + p.asked
	}
	return name, closeOnExec
}

func copyVector(t *kernel.Task, addr hostarch.Addr) ([]string, error) {
	if addr == 0 {
		return nil, nil
	}
	return t.CopyInVector(addr, slinux.ExecMaxElemSize, slinux.ExecMaxTotalSize)
}

// kept returns the part of an argument vector that goes into a record, so that
// a failed attempt does not hold megabytes.
func kept(argv []string) []string {
	out := make([]string, 0, min(len(argv), wire.MaxArgs+1))
	for _, a := range argv[:cap(out)] {
		out = append(out, strings.Clone(a[:min(len(a), wire.MaxString+1)]))
	}
	return out
}

// settleExec records a program that could be opened but not loaded: gVisor does
// not report those.
func (ex *execs) settleExec(t *kernel.Task) {
	s := ex.attr.state(t)
	if r := s.exec; r != nil {
		s.exec = nil
		r.Errno = uint16(unix.ENOEXEC)
		ex.rec.emitFor(t, r)
	}
}

// executed records a program that is about to run: its image is loaded.
func (ex *execs) executed(t *kernel.Task, path string, args []string) {
	s := ex.attr.state(t)
	r := s.exec
	if r == nil {
		r = &wire.Record{Op: wire.OpExec, Path: path, Args: args}
	}
	s.exec = nil
	attachConnection(t, r)
	ex.rec.emitFor(t, r)
	// If t is not the leader, it is about to become it.
	s.tid = s.pid
	s.image = r
	s.reads = readsFresh
}

// imageOf returns a record of the program that really runs if it differs from
// the executed one: the interpreter of a script, which only the kernel finds,
// or a program whose standard streams another thread replaced meanwhile. It is
// nil if both are the same.
func imageOf(t *kernel.Task, s *taskState) *wire.Record {
	asked := s.image
	s.image = nil
	mm := t.MemoryManager()
	if mm == nil {
		return nil
	}
	exe := mm.Executable()
	if exe == nil {
		return nil
	}
	id := identify(t, exe)
	exe.DecRef(t)
	r := &wire.Record{
		Op: wire.OpExec, Path: id.path, Asked: asked.Path, Dev: id.dev, Ino: id.ino, Args: asked.Args,
		Flags: fromMemory(id.path), N: asked.N,
	}
	attachConnection(t, r)
	if id.dev == asked.Dev && id.ino == asked.Ino && r.Addr == asked.Addr && r.Port == asked.Port {
		return nil
	}
	return r
}

// fromMemory marks programs that never existed as a file.
func fromMemory(path string) uint8 {
	if strings.HasSuffix(path, " (deleted)") || strings.HasPrefix(path, "/memfd:") {
		return wire.FlagMemory
	}
	return 0
}
