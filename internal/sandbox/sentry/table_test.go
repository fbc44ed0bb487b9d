//go:build linux

package sentry

import (
	"strings"
	"testing"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
	slinux "gvisor.dev/gvisor/pkg/sentry/syscalls/linux"
)

// unobserved are the calls that reach no file's content, no name, no other
// machine and no right that the task does not have. A call that is neither here
// nor observed is new in gVisor and must be reviewed.
//
// Kernel asynchronous I/O bypasses the observer, but none of its calls works
// without the refused ones: io_setup and io_uring_setup.
const unobserved = `
	io_cancel io_destroy io_getevents io_submit io_uring_enter

	close close_range epoll_ctl lseek ioctl flock
	fadvise64 readahead fdatasync fsync sync sync_file_range syncfs tee getdents getdents64 chdir fchdir getcwd umask
	fstat fstatfs statfs inotify_add_watch inotify_rm_watch mq_open mq_unlink
	fgetxattr getxattr lgetxattr flistxattr listxattr llistxattr

	getpeername getsockname getsockopt setsockopt shutdown

	brk madvise mbind membarrier mincore mlock mlock2 mlockall mprotect mremap msync munlock munlockall munmap
	get_mempolicy set_mempolicy shmat shmctl shmdt shmget msgctl msgget semctl semget semop semtimedop

	clock_getres clock_gettime getitimer gettimeofday time times
	timer_delete timer_getoverrun timer_gettime timerfd_gettime

	arch_prctl exit wait4 waitid pause restart_syscall rseq set_tid_address get_robust_list set_robust_list
	capget getegid geteuid getgid getgroups getpgid getpgrp getpid getppid getresgid getresuid getsid gettid getuid
	setpgid setsid getcpu getpriority setpriority getrlimit setrlimit prlimit64 getrusage sysinfo uname getrandom seccomp
	sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_setaffinity
	sched_setscheduler sched_yield afs_syscall

	rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend
	rt_tgsigqueueinfo sigaltstack tgkill tkill pidfd_send_signal
`

func TestEveryImplementedCallIsObservedOrHarmless(t *testing.T) {
	harmless := map[string]bool{}
	for name := range strings.FieldsSeq(unobserved) {
		harmless[name] = true
	}
	observed := newObserver(&Config{}, nil, nil).wrappers()
	exists := map[string]bool{}
	for _, name := range unknownCalls() {
		exists[name] = true
	}
	for _, table := range []*kernel.SyscallTable{slinux.AMD64, slinux.ARM64} {
		for number, call := range table.Table {
			exists[call.Name] = true
			if call.SupportLevel != kernel.SupportUnimplemented && observed[call.Name] == nil && !harmless[call.Name] {
				t.Errorf("%s (%d) is neither observed nor known to be harmless", call.Name, number)
			}
		}
	}
	for name := range observed {
		if !exists[name] {
			t.Errorf("gVisor has no %s to observe", name)
		}
		if harmless[name] {
			t.Errorf("%s is listed as not observed but is", name)
		}
	}
}
