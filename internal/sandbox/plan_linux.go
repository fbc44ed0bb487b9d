package sandbox

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/sentry"
)

func (b *Box) plan(opts *Options) (*plan, error) {
	p := &plan{
		ID:           groupPrefix + opts.Run.ID,
		Hostname:     machineOf(opts.Seed).hostname,
		Platform:     opts.Platform,
		DebugLog:     opts.DebugLog,
		Limits:       b.limits,
		EngineMemory: engineMemory,
		Network:      opts.Network,
	}
	if p.Platform == "" {
		p.Platform = "systrap"
	}
	var runtime interpreter
	if rt := opts.Artifact.Runtime; rt != mcpsf.RuntimeNative {
		var err error
		if runtime, err = findInterpreter(rt, opts.HostPath); err != nil {
			return nil, err
		}
	}
	p.Args = command(opts.Artifact.Command, runtime)
	p.Env = environment(opts, runtime)
	conf := &sentry.Config{
		Command: p.Args, WorkDir: mcpsf.WorkDir,
		MaxMemory: b.limits.Memory, MaxCPUSeconds: b.limits.CPUSeconds, MaxPIDs: b.limits.PIDs,
		MaxFiles: b.limits.Files, MaxDisk: b.limits.Disk, Unobserved: opts.Unobserved,
	}
	if e := opts.Export; e != nil {
		conf.Export, conf.MaxExport = e.Dirs, e.Max
	}
	session, err := sentry.Session(conf)
	if err != nil {
		return nil, err
	}
	p.Session = session
	if opts.Installed != "" {
		info, err := os.Stat(opts.Installed)
		if err != nil {
			return nil, fmt.Errorf("looking at what was installed: %w", err)
		}
		p.Planted = info.Size()
	}
	return p, layout(p, runtime)
}

// command is the artifact's command as it is started. The target's own
// program appears in the file system only once the first process runs, so it
// is reached through env.
func command(args []string, runtime interpreter) []string {
	switch args[0] {
	case "node", "python3", "python":
		if runtime.Program != "" {
			return append([]string{runtime.Program}, args[1:]...)
		}
	}
	return append([]string{"/usr/bin/env"}, args...)
}

func environment(opts *Options, runtime interpreter) []string {
	path := "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"
	if runtime.Source != "" {
		path = filepath.Dir(runtime.Program) + ":" + path
	}
	env := []string{
		"HOME=" + mcpsf.Home, "USER=" + mcpsf.User, "LOGNAME=" + mcpsf.User, "SHELL=/bin/bash",
		"PATH=" + path, "LANG=C.UTF-8", "PWD=" + mcpsf.WorkDir, "XDG_RUNTIME_DIR=/run/user/1000",
	}
	return append(env, opts.Artifact.Env...)
}
