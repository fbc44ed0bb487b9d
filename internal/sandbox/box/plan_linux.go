package box

import (
	"crypto/rand"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/envhook"
	"github.com/mcpsf/mcpsf/internal/sandbox/sentry"
)

// newPlan makes the supervisor's configuration.
func newPlan(opts *Options, limits Limits, hooks *envhook.Hooks, later time.Duration) (*plan, error) {
	p := &plan{
		ID:           groupPrefix + opts.Run.ID + opts.Name,
		Hostname:     machineOf(opts.Machine.Seed).hostname,
		Platform:     opts.Engine.Platform,
		DebugLog:     opts.Engine.DebugLog,
		Limits:       limits,
		EngineMemory: engineMemory,
		Network:      opts.Network.Link,
		PortForward:  opts.Network.PortForward,
		Copy:         opts.Engine.Snapshot != nil,
	}
	if p.Platform == "" {
		p.Platform = "systrap"
	}
	p.Args = opts.Artifact.Command
	if opts.Artifact.RootFS == "" || strings.HasPrefix(p.Args[0], mcpsf.Home+"/") {
		p.Args = command(p.Args, opts.Interpreter)
	}
	p.Env = environment(opts)
	conf := &sentry.Config{
		Command: p.Args, Variables: len(p.Env), WorkDir: workDir(opts.Artifact),
		MaxMemory: limits.Memory, MaxCPUSeconds: limits.CPUSeconds, MaxPIDs: limits.PIDs,
		MaxFiles: limits.Files, MaxDisk: limits.Disk, MaxWritten: opts.Observation.Written, Linger: opts.Linger,
		PortForward: opts.Network.PortForward, Later: later, Unobserved: opts.Observation.Off,
		Copy: opts.Engine.Snapshot != nil,
	}
	conf.Hooks = hooks
	if e := opts.Export; e != nil {
		conf.Export, conf.MaxExport, conf.ExportChanged = e.Dirs, e.Max, e.Changed
	}
	session, err := sentry.Session(conf)
	if err != nil {
		return nil, err
	}
	p.Session = session
	if opts.Content.Installed != "" {
		if p.Planted, err = room(opts.Content.Installed); err != nil {
			return nil, err
		}
	}
	return p, layout(p, opts)
}

// newHooks makes the hooks of the runtimes, nil if there are none.
func newHooks(o *Observation) *envhook.Hooks {
	if !o.EnvHooks {
		return nil
	}
	hooks := envhook.New(secret())
	if o.Code != nil {
		hooks.Code = envhook.NewCode(secret(), envhook.Own{Roots: o.Code.Roots, Names: o.Code.Names})
	}
	return hooks
}

func carrierSecret() (s [8]byte) {
	_, _ = rand.Read(s[:]) // it never fails
	return s
}

func secret() (s [16]byte) {
	_, _ = rand.Read(s[:]) // it never fails
	return s
}

// withCode makes Node load the script that reports what code runs. Python needs
// no file: its kernel appends to one that Python reads anyway.
func withCode(opts *Options, hooks *envhook.Hooks) *Options {
	if hooks == nil || hooks.Code == nil {
		return opts
	}
	more, artifact := *opts, *opts.Artifact
	more.Content.Files = append(slices.Clone(opts.Content.Files), File{
		Path: NodeScript, Mode: 0o644, Content: []byte(hooks.Code.Node()), System: true,
	})
	options := "NODE_OPTIONS=--require=" + NodeScript
	for _, kv := range artifact.Env {
		if given, ok := strings.CutPrefix(kv, "NODE_OPTIONS="); ok {
			options += " " + given
		}
	}
	artifact.Env = append(slices.Clone(artifact.Env), options)
	more.Artifact = &artifact
	return &more
}

// workDir returns the directory of the first process.
func workDir(a *mcpsf.Artifact) string {
	if a.WorkDir != "" {
		return a.WorkDir
	}
	return mcpsf.WorkDir
}

// command returns the artifact's command as it is started. The target's own
// program appears in the file system only once the first process runs, so it is
// started through env.
func command(args []string, interpreter string) []string {
	switch args[0] {
	case "node", "python3", "python", interpreter:
		if interpreter != "" {
			return append([]string{interpreter}, args[1:]...)
		}
	}
	return append([]string{"/usr/bin/env"}, args...)
}

// environment returns the variables of a login shell, changed by those of the
// artifact.
func environment(opts *Options) []string {
	path := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	if dir := filepath.Dir(opts.Interpreter); opts.Interpreter != "" && !strings.Contains(path, dir) {
		path = dir + ":" + path
	}
	env := []string{
		"HOME=" + mcpsf.Home, "USER=" + mcpsf.User, "LOGNAME=" + mcpsf.User, "SHELL=/bin/bash",
		"PATH=" + path, "LANG=C.UTF-8", "PWD=" + workDir(opts.Artifact), "XDG_RUNTIME_DIR=/run/user/1000",
	}
	if len(opts.Network.Roots) > 0 {
		env = append(env, trusting()...)
	}
	return searchLast(override(env, opts.Artifact.Env), opts.Content.Programs)
}

// searchLast adds a folder to the end of the search path.
func searchLast(env []string, dir string) []string {
	for i, kv := range env {
		if dir != "" && strings.HasPrefix(kv, "PATH=") {
			env[i] = kv + ":" + dir
		}
	}
	return env
}

// override replaces variables with the same name.
func override(env, with []string) []string {
	for _, kv := range with {
		name, _, _ := strings.Cut(kv, "=")
		env = slices.DeleteFunc(env, func(old string) bool { return strings.HasPrefix(old, name+"=") })
		env = append(env, kv)
	}
	return env
}
