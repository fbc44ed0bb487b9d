package box

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"gvisor.dev/gvisor/runsc/config"
	"gvisor.dev/gvisor/runsc/flag"

	"github.com/mcpsf/mcpsf"
)

func bundleDir(p *plan) string { return filepath.Join(p.dir, "bundle") }
func panicLog(p *plan) string  { return filepath.Join(p.dir, "panic.log") }
func rootDir(p *plan) string   { return filepath.Join(p.dir, "root") }

func specOf(p *plan) *specs.Spec {
	none := &specs.LinuxCapabilities{}
	home := fmt.Sprintf("size=%d", p.Limits.Disk+p.Planted)
	homes := "/home"
	if p.Image {
		homes = mcpsf.Home // the image may have its own /home
	}
	tmp := fmt.Sprintf("size=%d", p.Limits.Disk)
	return &specs.Spec{
		Version:  "1.2.0",
		Hostname: p.Hostname,
		Root:     &specs.Root{Path: rootDir(p)},
		Process: &specs.Process{
			Args: p.Args,
			Env:  p.Env,
			// The work directory is planted later; the observer changes the
			// process's directory before its first instruction.
			Cwd:             "/",
			User:            specs.User{UID: mcpsf.UID, GID: mcpsf.GID},
			Capabilities:    none,
			NoNewPrivileges: true,
			Rlimits: []specs.POSIXRlimit{
				{Type: "RLIMIT_NOFILE", Soft: uint64(p.Limits.Files), Hard: uint64(p.Limits.Files)},
				// Higher than the limit inside for all processes together,
				// which can report itself.
				{Type: "RLIMIT_CPU", Soft: uint64(p.Limits.CPUSeconds) + 5, Hard: uint64(p.Limits.CPUSeconds) + 5},
				{Type: "RLIMIT_CORE"},
			},
		},
		Mounts: []specs.Mount{
			{Destination: "/proc", Type: "proc", Source: "proc"},
			{Destination: "/dev", Type: "tmpfs", Source: "tmpfs"},
			{Destination: "/sys", Type: "sysfs", Source: "sysfs", Options: []string{"ro"}},
			// Outside the overlay, where every name that does not exist would
			// also be looked up in the lower layer.
			{Destination: homes, Type: "tmpfs", Source: "tmpfs", Options: []string{"mode=0755", home}},
			{Destination: "/tmp", Type: "tmpfs", Source: "tmpfs", Options: []string{"mode=1777", tmp}},
			{Destination: "/dev/shm", Type: "tmpfs", Source: "tmpfs", Options: []string{"mode=1777", tmp}},
		},
		Linux: &specs.Linux{
			Namespaces: []specs.LinuxNamespace{
				{Type: specs.PIDNamespace}, {Type: specs.MountNamespace},
				{Type: specs.IPCNamespace}, {Type: specs.UTSNamespace},
			},
		},
	}
}

// writeBundle writes the specification where gVisor's processes read it.
func writeBundle(p *plan) (*specs.Spec, error) {
	spec := specOf(p)
	raw, err := json.Marshal(spec)
	if err != nil {
		return nil, fmt.Errorf("encoding the specification: %w", err)
	}
	if err := os.WriteFile(filepath.Join(bundleDir(p), "config.json"), raw, 0o600); err != nil {
		return nil, fmt.Errorf("writing the specification: %w", err)
	}
	return spec, nil
}

// runscConfig returns gVisor's configuration: the defaults, except for the
// lines below.
func runscConfig(p *plan, session string) (*config.Config, error) {
	flags := flag.NewFlagSet("mcpsf", flag.ContinueOnError)
	config.RegisterFlags(flags)
	settings := map[string]string{
		"root":            filepath.Join(p.dir, "state"),
		"platform":        p.Platform,
		"network":         "none",
		"overlay2":        "root:memory,size=" + strconv.FormatInt(p.Limits.Disk, 10),
		"host-uds":        "none",
		"ignore-cgroups":  "true",
		"pod-init-config": session,
		"panic-log":       panicLog(p),
	}
	if p.DebugLog != "" {
		settings["debug"] = "true"
		settings["debug-log"] = p.DebugLog + "/"
	}
	for name, value := range settings {
		if err := flags.Set(name, value); err != nil {
			return nil, fmt.Errorf("gVisor setting %s=%s: %w", name, value, err)
		}
	}
	conf, err := config.NewFromFlags(flags)
	if err != nil {
		return nil, fmt.Errorf("gVisor settings: %w", err)
	}
	return conf, nil
}
