package programs

// IsRoutineSyscall reports whether a system call is one that runtimes and libraries of
// good repute try, to see what the kernel can do. Whatever is not listed is
// taken for what it looks like.
func IsRoutineSyscall(name string) bool { return known().RoutineSyscalls[name] }
