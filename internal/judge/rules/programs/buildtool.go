package programs

import (
	"path"
	"regexp"

	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// IsBuildTool reports whether a program is one that building and installing a
// package takes: compilers, what drives them, runtimes and their package
// managers, and the small programs of shell scripts. Programs that are not the
// system's came with a package and are its own affair.
func IsBuildTool(p string) bool {
	if !paths.IsSystem(p) {
		return true
	}
	name := path.Base(p)
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs", ".py": // told once more as its interpreter
		return true
	}
	return IsRuntime(name) || IsShell(name, nil) || compiles(name) || manages(name) || scripting(name)
}

// compiler knows compilers and linkers by their names alone and with the
// system and version they are for: x86_64-linux-gnu-gcc-12.
var compiler = regexp.MustCompile(`^(?:[a-z0-9_]+-linux-[a-z0-9_]+-)?` +
	`(?:cc|gcc|g\+\+|c\+\+|cpp|clang|clang\+\+|gfortran|ld|ld\.bfd|ld\.gold|ld\.lld|lld|as|ar|nm|ranlib|strip|` +
	`gcc-ar|gcc-nm|gcc-ranlib|llvm-[a-z]+|objcopy|objdump|readelf|pkg-config|pkgconf)(?:-[0-9.]+)?$`)

func compiles(name string) bool {
	switch name {
	case "collect2", "cc1", "cc1plus", "lto1", "lto-wrapper", "f951",
		"make", "gmake", "cmake", "ctest", "ninja", "meson", "autoconf", "automake", "aclocal", "libtool", "libtoolize", "m4",
		"swig", "cython", "bison", "flex", "nasm", "yasm", "patch", "install", "ldd", "ldconfig",
		"getconf", "file", "ccache", "sccache", "rustc", "cargo", "go", "tsc", "node-gyp", "gyp":
		return true
	}
	return compiler.MatchString(name)
}

func manages(name string) bool {
	switch name {
	case "npm", "npx", "pnpm", "yarn", "corepack", "pip", "pip3", "uv", "git", "lsb_release":
		return true
	}
	return false
}

func scripting(name string) bool {
	switch name {
	case "env", "echo", "printf", "test", "[", "true", "false", "yes", "expr", "seq", "sleep", "date", "time", "timeout", "nice",
		"nproc", "arch", "uname", "hostname", "whoami", "id", "groups", "tty", "stty", "locale", "getopt", "which",
		"pwd", "ls", "dir", "cat", "head", "tail", "tac", "wc", "cut", "paste", "tr", "sort", "uniq", "comm", "join", "tee", "nl",
		"sed", "awk", "gawk", "mawk", "grep", "egrep", "fgrep", "find", "xargs", "diff", "cmp", "stat", "du", "df", "touch",
		"cp", "mv", "rm", "ln", "mkdir", "rmdir", "mktemp", "chmod", "basename", "dirname", "realpath", "readlink", "tput",
		"tar", "gzip", "gunzip", "zcat", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzip", "zip",
		"md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "od", "hexdump", "fold", "fmt", "split", "sync", "rev", "column":
		return true
	}
	return false
}
