package sandbox

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// interpreter is a language runtime of the host as the sandbox shows it.
type interpreter struct {
	// Program is the path inside the sandbox.
	Program string
	// Prefix is the host directory to show at Mount; empty if the program is
	// part of the system directories anyway.
	Prefix, Mount string
}

// findInterpreter looks for the runtime where every user can reach it first,
// and in a version manager of the caller's after that.
func findInterpreter(ctx context.Context, rt mcpsf.Runtime, path string) (interpreter, error) {
	name, ask := "node", `process.stdout.write(process.execPath)`
	flag := "-e"
	if rt == mcpsf.RuntimePython {
		name, flag = "python3", "-c"
		ask = `import sys; sys.stdout.write(sys.base_prefix + "/bin/" + sys.executable.rpartition("/")[2])`
	}
	dirs := append([]string{"/usr/local/bin", "/usr/bin"}, filepath.SplitList(path)...)
	for _, dir := range dirs {
		candidate := filepath.Join(dir, name)
		if !filepath.IsAbs(candidate) || !executable(candidate) {
			continue
		}
		if real, err := filepath.EvalSymlinks(candidate); err == nil && underSystem(real) {
			return interpreter{Program: candidate}, nil
		}
		// A shim or a version manager's link: ask the program where it lives.
		askCtx, cancel := context.WithTimeout(ctx, 10*time.Second)
		out, err := exec.CommandContext(askCtx, candidate, flag, ask).Output()
		cancel()
		real := strings.TrimSpace(string(out))
		if err != nil || !filepath.IsAbs(real) || !executable(real) {
			continue
		}
		prefix, mount := filepath.Dir(filepath.Dir(real)), "/opt/"+string(rt)
		return interpreter{Program: mount + "/bin/" + filepath.Base(real), Prefix: prefix, Mount: mount}, nil
	}
	return interpreter{}, &mcpsf.Error{
		Code:    mcpsf.CodeUnavailable,
		Message: "this server needs " + name + ", which is not on this machine; install it and try again",
	}
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
