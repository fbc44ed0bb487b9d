package programs

// IsRoutineSyscall reports whether well-known runtimes and libraries try a
// system call to see what the kernel supports. Any other call is judged as it
// looks.
func IsRoutineSyscall(name string) bool { return known().RoutineSyscalls[name] }
