package programs

import (
	"strings"
)

// PassesOn knows the programs whose arguments are the command to run.
func PassesOn(name string) bool {
	switch name {
	case "env", "xargs", "find", "timeout", "nice", "ionice", "nohup", "setsid", "stdbuf", "time", "watch", "script",
		"parallel", "flock", "unshare", "nsenter", "chroot", "sudo", "su", "doas", "pkexec", "runuser", "setpriv",
		"start-stop-daemon", "systemd-run", "taskset", "chrt", "prlimit", "expect", "socat", "nc", "ncat", "busybox",
		"awk", "gawk", "mawk", "ld.so":
		return true
	}
	return strings.HasPrefix(name, "ld-linux")
}
