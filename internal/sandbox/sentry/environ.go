//go:build linux

package sentry

import (
	"errors"
	"io"
	"path"
	"strings"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/fspath"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/auth"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"

	"github.com/mcpsf/mcpsf/internal/sandbox/envhook"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// envReads observes which environment variables a program reads. Reading one
// needs no system call, so Python and Node are changed to make one. Where that
// fails the program runs as usual and its reads are not recorded.
type envReads struct {
	hooks     *envhook.Hooks // nil: not observed
	rec       *recorder
	attr      *attribution
	libraries libraryTable
}

// readsStage is the progress of a process towards reporting its reads. A fork
// leaves it at zero: the child inherits its parent's hook.
type readsStage uint8

const (
	_ readsStage = iota
	// readsFresh is a program that has just started.
	readsFresh
	// readsSource is a Python that was made to compile the carrier.
	readsSource
	// readsReported is a program that reports its reads.
	readsReported
)

// maxVariable is how much of a variable's name is recorded.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const maxVariable = 1024

// variableOf returns the variable in a call of the changed Python, if it is
// one.
func (er *envReads) variableOf(call, asked string) (string, bool) {
	if er.hooks == nil || !strings.HasPrefix(call, "access") && !strings.HasPrefix(call, "faccess") {
		return "", false
	}
	return strings.CutPrefix(asked, er.hooks.Prefix)
}

// codeOf returns the report of a changed runtime about the code it runs, if the
// call is one.
func (er *envReads) codeOf(call, asked string) (string, bool) {
	if er.hooks == nil || er.hooks.Code == nil || !strings.HasPrefix(call, "access") && !strings.HasPrefix(call, "faccess") {
		return "", false
	}
	return strings.CutPrefix(asked, er.hooks.Code.Prefix)
}

// recordCode records such a report.
func (er *envReads) recordCode(t *kernel.Task, report string) {
	r := &er.attr.state(t).scratch
	*r = wire.Record{Op: wire.OpRan, Text: report}
	er.rec.emitFor(t, r)
}

// nodeCall is the system call that the changed Node makes. It answers like a
// call that does not exist.
func (er *envReads) nodeCall(t *kernel.Task, _ uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
	name, err := t.CopyInString(args[0].Pointer(), maxVariable)
	if err == nil || linuxerr.Equals(linuxerr.ENAMETOOLONG, err) {
		er.record(t, name, false)
	}
	return 0, nil, linuxerr.ENOSYS
}

func (er *envReads) record(t *kernel.Task, name string, all bool) {
	r := &er.attr.state(t).scratch
	*r = wire.Record{Op: wire.OpEnv, Text: name[:min(len(name), maxVariable)]}
	if all {
		r.Flags, r.Text = wire.FlagAll, ""
	}
	er.rec.emitFor(t, r)
}

// reporting records that the process reports its reads from now on.
func (er *envReads) reporting(t *kernel.Task) {
	er.attr.state(t).reads = readsReported
	er.rec.emitFor(t, &wire.Record{Op: wire.OpEnv, Flags: wire.FlagCreated})
}

// opensCarrier reports whether the file being opened is to be read with the
// hook appended. The program gets the error instead: that there is no compiled
// version, or that it may not write one.
func (er *envReads) opensCarrier(t *kernel.Task, p *place) (bool, error) {
	if er.hooks == nil {
		return false, nil
	}
	what, source := envhook.Recognise(p.asked)
	s := er.attr.state(t)
	switch {
	case what == envhook.Compiled && s.reads == readsFresh && isPython(program(t)) && exists(t, source):
		s.reads = readsSource
		return false, linuxerr.ENOENT
	case what == envhook.Source && s.reads == readsSource:
		return true, nil
	case what == envhook.Compiling && s.reads == readsReported:
		s.reads = 0 // only once: a later open is the program's own
		return false, linuxerr.EACCES
	}
	return false, nil
}

// program returns the path of the program that the process runs.
func program(t *kernel.Task) string {
	mm := t.MemoryManager()
	if mm == nil {
		return ""
	}
	exe := mm.Executable()
	if exe == nil {
		return ""
	}
	defer exe.DecRef(t)
	return pathOf(t, exe.VirtualDentry())
}

func isPython(program string) bool { return strings.HasPrefix(path.Base(program), "python") }

func exists(t *kernel.Task, name string) bool {
	root := t.FSContext().RootDirectory()
	defer root.DecRef(t)
	_, err := t.Kernel().VFS().StatAt(t, t.Credentials(), &vfs.PathOperation{
		Root: root, Start: root, Path: fspath.Parse(name), FollowFinalSymlink: true,
	}, &vfs.StatOptions{Mask: linux.STATX_TYPE})
	return err == nil
}

// hookedFile is an open file with the hook appended to its content.
type hookedFile struct {
	vfs.FileDescriptionImpl // of inner

	vfsfd vfs.FileDescription
	inner *vfs.FileDescription
	rest  []byte
}

var _ vfs.FileDescriptionImpl = (*hookedFile)(nil)

// withHook takes over the source of the carrier and returns it with the hook
// appended.
func (er *envReads) withHook(t *kernel.Task, file *vfs.FileDescription) (*vfs.FileDescription, error) {
	l := &hookedFile{FileDescriptionImpl: file.Impl(), inner: file, rest: []byte(er.hooks.Python())}
	err := l.vfsfd.Init(l, file.StatusFlags(), auth.CredentialsFromContext(t), file.Mount(), file.Dentry(), &vfs.FileDescriptionOptions{})
	if err != nil {
		file.DecRef(t)
		return nil, err
	}
	er.reporting(t)
	return &l.vfsfd, nil
}

// Release implements [vfs.FileDescriptionImpl].
func (l *hookedFile) Release(ctx context.Context) { l.inner.DecRef(ctx) }

// Read implements [vfs.FileDescriptionImpl]. Only the interpreter reads this
// file, on one thread.
func (l *hookedFile) Read(ctx context.Context, dst usermem.IOSequence, opts vfs.ReadOptions) (int64, error) {
	n, err := l.FileDescriptionImpl.Read(ctx, dst, opts)
	if n > 0 || err != nil && !errors.Is(err, io.EOF) || len(l.rest) == 0 {
		return n, err
	}
	copied, err := dst.CopyOut(ctx, l.rest)
	l.rest = l.rest[copied:]
	return int64(copied), err
}
