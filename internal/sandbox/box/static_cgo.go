//go:build linux && cgo

package box

// The sandbox's processes run this binary again inside an empty directory
// tree, so it has to be static. With CGO_ENABLED=0 it is; where the Go command
// finds a C compiler it would not be, and go run, go test and go install
// would build something that cannot start a sandbox. This file makes those
// builds static, too. It needs the C library's static version, which comes
// with the compiler on Debian; where it is missing build with CGO_ENABLED=0.
//
// A static C library cannot load name service modules, and the linker warns
// of every function that would; they are never called (Go's own resolver and
// user database are used), so they are defined here to fail. The single malloc
// arena keeps the library from counting processors, for which it would open a
// file that the sandbox's seccomp filter does not allow.

// #cgo LDFLAGS: -static
// #include <errno.h>
// #include <malloc.h>
// #include <netdb.h>
// #include <pwd.h>
// #include <grp.h>
// __attribute__((constructor)) static void mcpsf_one_arena(void) { mallopt(M_ARENA_MAX, 1); }
// int getaddrinfo(const char *n, const char *s, const struct addrinfo *h, struct addrinfo **r) { return EAI_FAIL; }
// void freeaddrinfo(struct addrinfo *r) {}
// int getpwnam_r(const char *n, struct passwd *p, char *b, size_t l, struct passwd **r) { *r = 0; return ENOSYS; }
// int getpwuid_r(uid_t u, struct passwd *p, char *b, size_t l, struct passwd **r) { *r = 0; return ENOSYS; }
// int getgrnam_r(const char *n, struct group *g, char *b, size_t l, struct group **r) { *r = 0; return ENOSYS; }
// int getgrgid_r(gid_t i, struct group *g, char *b, size_t l, struct group **r) { *r = 0; return ENOSYS; }
// int getgrouplist(const char *u, gid_t g, gid_t *l, int *n) { *n = 0; return -1; }
// /* None of these can work without the modules a static binary cannot load. */ // So they fail.
import "C"
