package programs

// IsRoutineSyscall reports whether a system call is one that runtimes and libraries of
// good repute try, to see what the kernel can do. Whatever is not listed is
// taken for what it looks like.
func IsRoutineSyscall(syscall string) bool {
	switch syscall {
	case "io_uring_setup", "io_uring_enter", "io_uring_register",
		"perf_event_open", "userfaultfd", "membarrier", "personality",
		"keyctl", "add_key", "request_key",
		"capget", "capset", "setgroups", "seccomp", "prctl", "chroot",
		"setpriority", "ioprio_set", "sched_setscheduler", "sched_setattr", "sched_setaffinity",
		"mbind", "set_mempolicy", "move_pages", "mlock", "mlockall", "setrlimit", "prlimit64",
		"adjtimex", "clock_adjtime", "kcmp":
		return true
	}
	return false
}
