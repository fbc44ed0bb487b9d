package sandbox

import (
	"context"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/sentry"
)

func (b *Box) plan(ctx context.Context, opts *Options) (*plan, error) {
	p := &plan{
		ID:           groupPrefix + opts.Run.ID,
		Platform:     opts.Platform,
		DebugLog:     opts.DebugLog,
		Limits:       b.limits,
		EngineMemory: engineMemory,
	}
	if p.Platform == "" {
		p.Platform = "systrap"
	}
	found := []interpreter{}
	var main interpreter
	for _, rt := range []mcpsf.Runtime{mcpsf.RuntimeNode, mcpsf.RuntimePython} {
		i, err := findInterpreter(ctx, rt, opts.HostPath)
		switch {
		case err == nil:
			found = append(found, i)
		case rt == opts.Artifact.Runtime:
			return nil, err
		}
		if rt == opts.Artifact.Runtime {
			main = i
		}
	}
	p.Args = command(opts.Artifact.Command, main)
	p.Env = environment(opts, found)
	session, err := sentry.Session(&sentry.Config{
		Command: p.Args, UID: mcpsf.UID, GID: mcpsf.GID,
		MaxMemory: b.limits.Memory, MaxCPUSeconds: b.limits.CPUSeconds, MaxPIDs: b.limits.PIDs,
		MaxFiles: b.limits.Files, MaxDisk: b.limits.Disk, Unobserved: opts.Unobserved,
	})
	if err != nil {
		return nil, err
	}
	p.Session = session
	return p, layout(p, found)
}

// command is the artifact's command as it is started. The target's own
// program appears in the file system only once the first process runs, so it
// is reached through env.
func command(args []string, i interpreter) []string {
	if i.Program != "" && args[0] == filepath.Base(i.Program) {
		return append([]string{i.Program}, args[1:]...)
	}
	return append([]string{"/usr/bin/env"}, args...)
}

func environment(opts *Options, found []interpreter) []string {
	path := "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"
	for _, i := range found {
		if i.Mount != "" {
			path = i.Mount + "/bin:" + path
		}
	}
	env := []string{
		"HOME=" + mcpsf.Home, "USER=" + mcpsf.User, "LOGNAME=" + mcpsf.User, "SHELL=/bin/bash",
		"PATH=" + path, "LANG=C.UTF-8", "PWD=" + mcpsf.WorkDir, "XDG_RUNTIME_DIR=/run/user/1000",
	}
	return append(env, opts.Artifact.Env...)
}
