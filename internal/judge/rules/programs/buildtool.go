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
	return IsRuntime(name) || IsShell(name, nil) || compiles(name) || known().Managers[name] || known().Scripting[name]
}

// compiler knows compilers and linkers by their names alone and with the
// system and version they are for: x86_64-linux-gnu-gcc-12.
var compiler = regexp.MustCompile(`^(?:[a-z0-9_]+-linux-[a-z0-9_]+-)?` +
	`(?:cc|gcc|g\+\+|c\+\+|cpp|clang|clang\+\+|gfortran|ld|ld\.bfd|ld\.gold|ld\.lld|lld|as|ar|nm|ranlib|strip|` +
	`gcc-ar|gcc-nm|gcc-ranlib|llvm-[a-z]+|objcopy|objdump|readelf|pkg-config|pkgconf)(?:-[0-9.]+)?$`)

func compiles(name string) bool { return known().Compilers[name] || compiler.MatchString(name) }
