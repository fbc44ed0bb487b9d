package programs

import (
	"path"

	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// IsBuildTool reports whether building and installing a package needs a program:
// compilers, build systems, runtimes and their package managers, and the small
// programs of shell scripts. Programs outside the system folders came with a
// package and count as well.
func IsBuildTool(p string) bool {
	if !paths.IsSystem(p) {
		return true
	}
	name := path.Base(p)
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs", ".py": // reported again as its interpreter
		return true
	}
	return IsRuntime(name) || IsShell(name, nil) || compiles(name) || known().Managers[name] || known().Scripting[name]
}

// compiler matches compilers and linkers, with or without the target and version
// in their names: x86_64-linux-gnu-gcc-12.
var compiler = lazyregexp.New(`^(?:[a-z0-9_]+-linux-[a-z0-9_]+-)?` +
	`(?:cc|gcc|g\+\+|c\+\+|cpp|clang|clang\+\+|gfortran|ld|ld\.bfd|ld\.gold|ld\.lld|lld|as|ar|nm|ranlib|strip|` +
	`gcc-ar|gcc-nm|gcc-ranlib|llvm-[a-z]+|objcopy|objdump|readelf|pkg-config|pkgconf)(?:-[0-9.]+)?$`)

func compiles(name string) bool { return known().Compilers[name] || compiler.MatchString(name) }
