//go:build linux

package containment

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// attempt is an attempt to escape and its expected effect: a refusal, and a
// privilege.attempt event for that system call or file in the call.
type attempt struct {
	refusal string // space-separated errors, one of which is expected
	syscall string
	finding string
}

// escapes are in groups because a rule reports a limited number of findings in a run.
func escapes() map[string]map[string]attempt {
	const probe = "kernel-feature-probe"
	return map[string]map[string]attempt{
		"namespaces and mounts": {
			"do_mount": {syscall: "mount"}, "bind_mount": {syscall: "mount"}, "do_umount2": {syscall: "umount2"},
			"do_pivot_root": {syscall: "pivot_root"}, "do_chroot": {syscall: "chroot", finding: probe},
			"do_unshare": {syscall: "unshare"}, "unshare_net": {syscall: "unshare"}, "enter_namespace": {syscall: "setns"},
			"do_clone": {syscall: "clone"}, "do_clone3": {syscall: "clone3"}, "racing_clone3": {syscall: "clone3"},
			"do_fsopen": {syscall: "fsopen"}, "do_open_tree": {syscall: "open_tree"}, "do_move_mount": {syscall: "move_mount"},
			"do_mount_setattr": {syscall: "mount_setattr"}, "do_open_by_handle_at": {syscall: "open_by_handle_at"},
			"uid_map": {refusal: "EPERM EINVAL", syscall: "open"},
		},
		"other processes": {
			"trace_other": {syscall: "ptrace"}, "trace_first": {syscall: "ptrace"},
			"read_other_memory": {syscall: "process_vm_readv"}, "write_other_memory": {syscall: "process_vm_writev"},
			"take_descriptor": {syscall: "pidfd_getfd"}, "signal_everybody": {refusal: "ESRCH", syscall: "kill", finding: "kill-process-group"},
		},
		"the kernel": {
			"do_bpf": {syscall: "bpf"}, "do_init_module": {syscall: "init_module"}, "do_finit_module": {syscall: "finit_module"},
			"do_delete_module": {syscall: "delete_module"}, "do_kexec_load": {syscall: "kexec_load"},
			"do_kexec_file_load": {syscall: "kexec_file_load"}, "do_reboot": {syscall: "reboot"},
			"do_sethostname": {syscall: "sethostname"}, "do_setdomainname": {syscall: "setdomainname"},
			"do_swapon": {syscall: "swapon"}, "do_acct": {syscall: "acct"}, "do_quotactl": {syscall: "quotactl"},
			"do_settimeofday": {syscall: "settimeofday"}, "do_clock_settime": {syscall: "clock_settime"},
			"do_fanotify_init": {syscall: "fanotify_init"}, "do_vhangup": {syscall: "vhangup"},
			"do_perf_event_open": {refusal: "ENODEV ENOSYS EPERM", syscall: "perf_event_open", finding: probe},
			"do_userfaultfd":     {refusal: "ENOSYS EPERM", syscall: "userfaultfd", finding: probe},
			"do_add_key":         {refusal: "EACCES EPERM ENOSYS", syscall: "add_key", finding: probe},
		},
		"more rights": {
			"do_setuid": {syscall: "setuid"}, "do_setresuid": {syscall: "setresuid"}, "do_setgid": {syscall: "setgid"},
			"do_setgroups": {syscall: "setgroups", finding: probe}, "do_capset": {syscall: "capset", finding: probe},
			"device": {syscall: "mknod"}, "block_device": {syscall: "mknod"},
			"mount_program": {syscall: "mount"},
		},
		"the network": {
			"raw_icmp": {syscall: "raw socket"}, "raw_icmp6": {syscall: "raw socket"},
			"packets": {syscall: "packet socket"}, "packets_cooked": {syscall: "packet socket"},
			"new_link": {syscall: "netlink"}, "new_address": {syscall: "netlink"}, "new_route": {syscall: "netlink"},
		},
		"files of the system": {
			"kernel_setting": {refusal: "EACCES EROFS", syscall: "open"}, "core_pattern": {refusal: "EACCES ENOENT", syscall: "open"},
			"forwarding": {refusal: "EACCES EROFS", syscall: "open"}, "sysrq": {refusal: "EACCES", syscall: "open"},
			"sys_setting": {refusal: "EACCES EROFS ENOENT", syscall: "open"}, "sys_file": {refusal: "EACCES EROFS", syscall: "open"},
			"kernel_log": {refusal: "EACCES ENOENT", syscall: "open"}, "shadow": {refusal: "EACCES", syscall: "open"},
			"kcore": {refusal: "EACCES ENOENT", syscall: "open"}, "physical_memory": {refusal: "EACCES ENOENT", syscall: "open"},
			"kvm": {refusal: "EACCES ENOENT", syscall: "open"}, "disk": {refusal: "EACCES ENOENT", syscall: "open"},
			"root_home": {refusal: "EACCES", syscall: "open"}, "sudoers": {refusal: "EACCES ENOENT", syscall: "open"},
			"system_program": {refusal: "EACCES EROFS", syscall: "open"}, "boot": {refusal: "EACCES ENOENT EROFS", syscall: "open"},
		},
	}
}

// Every attempt to gain rights or leave the sandbox is refused, recorded in its
// call and reported.
func TestEscapesAreRefusedAndRecorded(t *testing.T) {
	t.Parallel()
	for group, attempts := range escapes() {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			r := assesstest.Python(t, escapeServer(t, attempts))
			assesstest.Complete(t, r)
			for tool, want := range attempts {
				if tool == "racing_clone3" && runtime.GOARCH != "amd64" {
					continue // needs machine code
				}
				if want.refusal == "" {
					want.refusal = "EPERM"
				}
				if want.finding == "" {
					want.finding = "privilege-escalation-attempt"
				}
				if reply := assesstest.ReplyOf(t, r, tool); !slices.Contains(strings.Fields(want.refusal), reply) {
					t.Errorf("%s: want %s, got %s", tool, want.refusal, reply)
				}
				if !attempted(r, assesstest.CallOf(t, r, tool), want.syscall) {
					t.Errorf("%s: no attempt of %s in its call", tool, want.syscall)
				}
				if !graded(r, want.finding, tool) {
					t.Errorf("%s: no finding %s", tool, want.finding)
				}
			}
		})
	}
}

// escapeServer has only the tools of the given attempts.
func escapeServer(t *testing.T, attempts map[string]attempt) string {
	names := []string{}
	for tool := range attempts {
		names = append(names, tool)
	}
	slices.Sort(names)
	return assesstest.Script(t, "evasion.py") + assesstest.Script(t, "escape.py") +
		fmt.Sprintf("\nTOOLS_WANTED = %q.split()\nfor name in list(TOOLS):\n    if name not in TOOLS_WANTED: del TOOLS[name]\n", strings.Join(names, " "))
}

func attempted(r *assess.Result, call, syscall string) bool {
	return len(assesstest.EventsOf(r, func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindPrivilegeAttempt && e.Call == call && e.Privilege.Syscall == syscall
	})) > 0
}

// graded reports whether there is a finding of that rule for the tool, or one
// that stands for several tools. A suspicion does not count.
func graded(r *assess.Result, id, tool string) bool {
	for _, f := range r.Report.Findings {
		if f.ID == id && f.Grade != mcpsf.GradeSuspected && (f.Tool == tool || id == "kernel-feature-probe") {
			return true
		}
	}
	return false
}

// Operations that are impossible or yield nothing, and the server's user.
func TestTheServerIsAnOrdinaryUser(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"do_io_setup": "ENOSYS", "do_io_uring_setup": "ENOSYS", "do_copy_file_range": "ENOSYS",
		"setuid_program": "1000 1000", "su": "EPERM", "passwd": "EPERM", "do_name_to_handle_at": "ENOTSUP",
		"clone_file": "ENOTSUP", "status": "Uid: 1000 1000 1000 1000, Gid: 1000 1000 1000 1000, Groups:, " +
			"CapInh: 0000000000000000, CapPrm: 0000000000000000, CapEff: 0000000000000000, CapBnd: 0000000000000000, no new privileges: 1",
	}
	attempts := map[string]attempt{"old_entry": {}}
	for tool := range want {
		attempts[tool] = attempt{}
	}
	r := assesstest.Python(t, escapeServer(t, attempts))
	assesstest.Complete(t, r)
	for tool, reply := range want {
		if got := assesstest.ReplyOf(t, r, tool); got != reply {
			t.Errorf("%s: want %s, got %s", tool, reply, got)
		}
	}
	if got := assesstest.ReplyOf(t, r, "old_entry"); got == "opened" {
		t.Error("the 32 bit entry of the kernel opened a file")
	}
	if reads := assesstest.SecretsIn(r, assesstest.CallOf(t, r, "old_entry")); len(reads) != 0 {
		t.Errorf("old_entry: %v", reads)
	}
}

// Nothing about the host's user, files, environment or services is visible
// inside.
func TestTheHostIsOutOfSight(t *testing.T) {
	const mark = "mcpsf-out-of-sight-5b1f"
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("MCPSF_TEST_MARK", mark+"-variable")
	secret := filepath.Join(home, "."+mark+"-file")
	if err := os.WriteFile(secret, []byte(mark+"-content"), 0o644); err != nil {
		sandboxtest.Missing(t, "no home to plant a file in: "+err.Error())
	}
	t.Cleanup(func() { _ = os.Remove(secret) })
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	runs := filepath.Join(t.TempDir(), "runs-of-"+mark)
	clues := []string{mark, here, host, filepath.Base(home), home, filepath.Dir(runs)}
	clues = slices.DeleteFunc(clues, func(s string) bool { return len(s) < 6 || s == "/root" || s == "localhost" })
	reached, services := listeners(t, mark)

	r := assesstest.Python(t, assesstest.Script(t, "evasion.py")+
		fmt.Sprintf("\nCLUES, PLACES, SERVICES = %s, %s, %s\n", backwards(clues), backwards([]string{secret, here}), services)+
		assesstest.Script(t, "lookout.py"), func(o *assess.Options) { o.Caller.TempDir = runs })
	assesstest.Complete(t, r)
	for _, tool := range []string{"everything", "processes", "through_processes", "environment"} {
		var got struct {
			Seen  int
			Found []string
		}
		if err := json.Unmarshal([]byte(assesstest.ReplyOf(t, r, tool)), &got); err != nil || got.Seen < 4 {
			t.Errorf("%s: %s", tool, assesstest.ReplyOf(t, r, tool))
		}
		t.Logf("%s looked at %d files", tool, got.Seen)
		for _, f := range got.Found {
			t.Errorf("%s found %s", tool, f)
		}
	}
	if got := assesstest.ReplyOf(t, r, "real_home"); got != "[False, False]" {
		t.Errorf("the real home: %s", got)
	}
	if got := assesstest.ReplyOf(t, r, "host_services"); strings.Contains(got, "reached") || reached.Load() != 0 {
		t.Errorf("services of the host: %s, %d connections", got, reached.Load())
	}
	connects := assesstest.EventsOf(r, func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindNetConnect && e.Call == assesstest.CallOf(t, r, "host_services") && e.Net.Error != ""
	})
	if len(connects) != 3 {
		t.Errorf("want three refused connections on record, got %d", len(connects))
	}
}

// listeners opens services on the host and counts connections to them.
func listeners(t *testing.T, mark string) (reached *atomic.Int64, python string) {
	t.Helper()
	reached = &atomic.Int64{}
	path := filepath.Join(t.TempDir(), "s")
	var entries []string
	for _, l := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", "@" + mark}, {"unix", path}} {
		listener, err := net.Listen(l[0], l[1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				reached.Add(1)
				_ = conn.Close()
			}
		}()
		switch a := listener.Addr().(type) {
		case *net.TCPAddr:
			entries = append(entries, fmt.Sprintf("(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', %d))", a.Port))
		case *net.UnixAddr:
			name := strings.Replace(a.Name, "@", "\x00", 1)
			entries = append(entries, fmt.Sprintf("(socket.AF_UNIX, socket.SOCK_STREAM, %s[0][::-1])", backwards([]string{name})))
		}
	}
	return reached, "[" + strings.Join(entries, ", ") + "]"
}

// backwards writes a Python list of the strings, each reversed.
func backwards(list []string) string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		b := []byte(s)
		slices.Reverse(b)
		raw, _ := json.Marshal(string(b))
		out = append(out, string(raw))
	}
	return "[" + strings.Join(out, ", ") + "]"
}
