package monitor

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

func TestOpenLetters(t *testing.T) {
	for _, c := range []struct {
		num     uint32
		flags   uint8
		want    string
		reaches bool
	}{
		{0, 0, "r", true},
		{1, 0, "w", false},
		{2, 0, "rw", true},
		{3, 0, "rw", true},
		{0x241, wire.FlagCreated, "wct", false},
		{0x41, 0, "w", false},
		{0x401, 0, "wa", false},
		{0x200, 0, "r", true},
		{0x10000, wire.FlagDir, "rd", true},
		{0x200000, 0, "", true},
		{0x200001, 0, "", true},
		{0x80000, wire.FlagMapped, "rm", true},
	} {
		r := &wire.Record{Num: c.num, Flags: c.flags}
		if got := openLetters(r); got != c.want {
			t.Errorf("flags %#x: %q, want %q", c.num, got, c.want)
		}
		if got := accessOf(c.num).reaches(); got != c.reaches {
			t.Errorf("flags %#x: reaches the content %v", c.num, got)
		}
	}
}

func TestReadTree(t *testing.T) {
	for name, want := range map[string]string{
		"/usr/lib/python3.11/os.py":                       "/usr/lib/python3.11",
		"/usr/lib/python3.11/a/b/c.py":                    "/usr/lib/python3.11",
		"/usr/bin/node":                                   "/usr/bin",
		"/usr":                                            "/",
		"/lib64/ld-linux-x86-64.so.2":                     "/lib64",
		"/opt/node/lib/x.js":                              "/opt/node/lib",
		"/usrlocal/x":                                     "",
		"/etc/hosts":                                      "",
		"/home/dev/.ssh/id_rsa":                           "",
		"/home/dev/code/server":                           "",
		"/home/dev/code/server/index.js":                  "",
		"/home/dev/code/server/node_modules":              "/home/dev/code/server/node_modules",
		"/home/dev/code/server/a/node_modules/b/c":        "/home/dev/code/server/a/node_modules",
		"/home/dev/code/server/my_node_modules/x":         "",
		"/home/dev/code/serverx/node_modules/b":           "",
		"/home/dev/code/server/.venv/lib/site-packages/x": "/home/dev/code/server/.venv/lib/site-packages",
		"": "", "/": "", "usr/lib": "",
	} {
		if got := readTree(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestInstallPlace(t *testing.T) {
	const work = "/home/dev/code/server"
	for name, want := range map[string]string{
		"/tmp/npm/_cacache/x":                    "/tmp/npm",
		"/tmp/a":                                 "/tmp/a",
		"/var/tmp/pip-1/x/y":                     "/var/tmp/pip-1",
		"/tmp":                                   "",
		"/home/dev/pwn":                          "",
		work + "/node_modules/left-pad/index.js": work + "/node_modules/left-pad",
		work + "/node_modules/@a/b/c.js":         work + "/node_modules/@a/b",
		work + "/node_modules/.bin/x":            work + "/node_modules",
		work + "/dist/index.js":                  work,
		work + "/.venv/lib/site-packages/x/y.py": work + "/.venv/lib/site-packages/x",
		work + "/.venv/lib/site-packages/x.pth":  "",
		work + "/lib/site-packages/x/y.pth":      "",
		work + "/.venv/lib/sitecustomize.py":     "",
		work + "/.git/hooks/pre-commit":          "",
		work + "/.git":                           "",
		work + "/.gitignore":                     work,
		work + "/.vscode/tasks.json":             "",
		work + "/.mcp.json":                      "",
		work + "/node_modules/x/.git/hooks/a":    work + "/node_modules/x",
	} {
		if got := installPlace(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestPrivilegedPath(t *testing.T) {
	o := &origin{pid: 9, tid: 11}
	for _, c := range []struct {
		name  string
		write bool
		want  bool
	}{
		{"/etc/shadow", false, true},
		{"/etc/shadowy", false, false},
		{"/etc/passwd", false, false},
		{"/etc/sudoers.d/x", false, true},
		{"/root", false, true},
		{"/root/.bashrc", false, true},
		{"/rootless", true, false},
		{"/dev/mem", false, true},
		{"/dev/memory", false, false},
		{"/dev/kvm", false, true},
		{"/dev/sda1", false, true},
		{"/dev/nvme0n1", false, true},
		{"/dev/null", true, false},
		{"/dev/shm/x", true, false},
		{"/dev/kmsg", false, false},
		{"/dev/kmsg", true, true},
		{"/usr/bin/python3", false, false},
		{"/usr/bin/python3", true, true},
		{"/usr/lib/python3/__pycache__/x.pyc", true, false},
		{"/proc/sys/vm/overcommit_memory", false, false},
		{"/proc/sys/vm/overcommit_memory", true, true},
		{"/sys/kernel/x", true, true},
		{"/sys/kernel/x", false, false},
		{"/system/x", true, false},
		{"/proc/9/environ", false, false},
		{"/proc/11/mem", true, false},
		{"/proc/self/mem", true, false},
		{"/proc/1/environ", false, true},
		{"/proc/1/root/etc/hosts", false, true},
		{"/proc/1/task/3/maps", false, true},
		{"/proc/9/task/3/maps", false, false},
		{"/proc/1/rooted", false, false},
		{"/proc/1", false, false},
		{"/proc/bus/mem", false, false},
		{"/proc/99999999999999999999/mem", false, true},
		{"/proc/self/setgroups", true, true},
		{"/proc/self/setgroups", false, false},
	} {
		if got := privilegedPath(o, c.name, c.write); (got != "") != c.want {
			t.Errorf("%s (write %v): %q", c.name, c.write, got)
		}
	}
}

func TestProbedPath(t *testing.T) {
	for name, want := range map[string]bool{
		"/.dockerenv": true, "/run/.containerenv": true, "/sys/class/dmi/id/sys_vendor": true,
		"/sys/devices/virtual/dmi/id": true, "/sys/hypervisor/type": true, "/sys/firmware/acpi": true,
		"/proc/scsi/scsi": true, "/proc/cmdline": true, "/opt/VBoxGuestAdditions-7.0/x": true, "/usr/bin/VBoxControl": true,
		"/proc/cpuinfo": false, "/proc/meminfo": false, "/proc/stat": false, "/proc/version": false,
		"/proc/version_signature": false, "/proc/self/cgroup": false, "/proc/1/cgroup": false,
		"/sys/fs/cgroup/memory.max": false, "/sys/devices/system/cpu/online": false, "/sys/class/net": false,
		"/proc/self/status": false, "/proc/self/mountinfo": false, "/home/dev/.dockerenv": false, "/usr/bin/VBox": false,
	} {
		if got := probedPath(name); (got != "") != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestIntent(t *testing.T) {
	for call := range strings.FieldsSeq(`mount umount2 pivot_root chroot unshare setns clone clone3 ptrace
		process_vm_readv process_vm_writev pidfd_getfd bpf init_module finit_module delete_module kexec_load reboot
		swapon setuid setreuid setresuid setgid setgroups capset keyctl add_key request_key perf_event_open
		userfaultfd io_uring_setup socket iopl ioperm quotactl open_by_handle_at personality acct sethostname
		settimeofday clock_settime adjtimex fsopen open_tree move_mount fanotify_init kcmp vhangup`) {
		if got := intent(call, ""); got == "" || strings.HasPrefix(got, "use "+call) {
			t.Errorf("%s has no words: %q", call, got)
		}
	}
	for _, two := range []string{"raw socket", "packet socket"} {
		if got := intent(two, ""); got == "use "+two {
			t.Errorf("%s has no words", two)
		}
	}
}

func TestNames(t *testing.T) {
	if got := []string{errnoName(0), errnoName(2), errnoName(13), errnoName(115), errnoName(4000)}; strings.Join(got, " ") != " ENOENT EACCES EINPROGRESS errno 4000" {
		t.Errorf("errno names %q", got)
	}
	if got := []string{signalName(0), signalName(9), signalName(31), signalName(64)}; strings.Join(got, " ") != " SIGKILL SIGSYS signal 64" {
		t.Errorf("signal names %q", got)
	}
}

func TestClean(t *testing.T) {
	long := strings.Repeat("é", maxText)
	if got := clean("x" + long); len(got) > maxText || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("cut in the middle of a rune: %d bytes, ends in %q", len(got), got[len(got)-3:])
	}
	if got := cleanPath("/a/../b//c\xff"); got != "/b/c\uFFFD" {
		t.Errorf("path %q", got)
	}
	if got := cleanPath("../x"); got != "../x" {
		t.Errorf("relative path %q", got)
	}
}
