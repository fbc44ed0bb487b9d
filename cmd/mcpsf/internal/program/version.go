package program

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// VersionLine is the version with its build information.
func (p *Program) VersionLine() string {
	return fmt.Sprintf("mcpsf %s %s/%s %s gVisor %s",
		p.Version, runtime.GOOS, runtime.GOARCH, runtime.Version(), gvisorVersion())
}

// VersionOf prefers the linker's version, then the one that go install
// recorded.
func VersionOf(linked string) string {
	if info, ok := debug.ReadBuildInfo(); ok && linked == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return linked
}

func gvisorVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, dep := range info.Deps {
		if dep.Path == "gvisor.dev/gvisor" {
			return dep.Version
		}
	}
	return "not built in"
}
