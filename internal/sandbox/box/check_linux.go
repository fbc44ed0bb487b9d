package box

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Checks tests what this machine supports.
func Checks(context.Context) []Check {
	quietEngine("")
	return []Check{kernelCheck(), namespaceCheck(), cgroupCheck(), binaryCheck()}
}

func kernelCheck() Check {
	var u unix.Utsname
	_ = unix.Uname(&u)
	release := unix.ByteSliceToString(u.Release[:])
	var major, minor int
	_, _ = fmt.Sscanf(release, "%d.%d", &major, &minor)
	return Check{
		Name: "kernel", Detail: "Linux " + release, OK: major > 5 || major == 5 && minor >= 12,
		Fix: "mount_setattr needs Linux 5.12 or newer; upgrade the kernel",
	}
}

// namespaceCheck makes the namespaces a sandbox needs, with a program that ends
// at once: this binary, told to do nothing.
func namespaceCheck() Check {
	uid, gid := hostUser("doctor")
	cmd := exec.Cmd{
		Path: "/proc/self/exe", Args: []string{supervisorName}, Env: []string{},
		SysProcAttr: &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
			UidMappings: []syscall.SysProcIDMap{{HostID: uid, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: gid, Size: 1}},
		},
	}
	c := Check{Name: "user namespaces", OK: true, Detail: "allowed"}
	if err := cmd.Start(); err != nil {
		c.OK, c.Detail, c.Fix = false, err.Error(), namespaceFix()
		return c
	}
	_ = cmd.Wait()
	return c
}

// namespaceFix names the setting that most likely blocks namespaces.
func namespaceFix() string {
	on := func(file string) bool {
		b, err := os.ReadFile("/proc/sys/" + file)
		return err == nil && strings.TrimSpace(string(b)) != "0"
	}
	off := func(file string) bool {
		b, err := os.ReadFile("/proc/sys/" + file)
		return err == nil && strings.TrimSpace(string(b)) == "0"
	}
	exe, _ := os.Executable()
	switch {
	case on("kernel/apparmor_restrict_unprivileged_userns"):
		return "as root, allow this program:\n" +
			"    printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile mcpsf " + exe +
			" flags=(unconfined) {\\n  userns,\\n}\\n' > /etc/apparmor.d/mcpsf && apparmor_parser -r /etc/apparmor.d/mcpsf"
	case off("kernel/unprivileged_userns_clone"):
		return "as root: sysctl -w kernel.unprivileged_userns_clone=1"
	case off("user/max_user_namespaces"):
		return "as root: sysctl -w user.max_user_namespaces=15000"
	}
	return "inside a container start it with --security-opt seccomp=unconfined"
}

func cgroupCheck() Check {
	c := Check{Name: "cgroups", Optional: true, Fix: "run as root to have the host's kernel hold the limits as well"}
	g := newCgroups(fmt.Sprintf("%sdoctor-%d", groupPrefix, os.Getpid()), DefaultLimits(), 0)
	if g == nil {
		c.Detail = "not usable; limits are held inside the sandbox's kernel and by a watchdog"
		return c
	}
	defer func() { _ = g.remove() }()
	c.OK, c.Detail = true, "memory, cpu, pids"
	return c
}

// binaryCheck checks that another user can run this file, as the sandbox's
// processes do.
func binaryCheck() Check {
	c := Check{Name: "program file", OK: true, Detail: "can be executed by everybody"}
	info, err := os.Stat("/proc/self/exe")
	if err != nil || info.Mode()&0o001 == 0 {
		c.OK, c.Detail, c.Fix = false, "not executable by everybody", "chmod a+x the mcpsf program"
	}
	return c
}
