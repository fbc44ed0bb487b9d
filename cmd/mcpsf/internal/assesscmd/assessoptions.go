package assesscmd

import (
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/inspection"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/drive/fairtime"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// serverRun is the data of one server's run.
type serverRun struct {
	target   mcpsf.Target
	remote   *assess.Remote // nil for a server that runs in the sandbox
	models   models
	progress program.Progress
	out      *outputDir
}

// assessOptions is the one place that fills in the options of an assessment.
func (a *assessor) assessOptions(f *assessFlags, s *setup, one *serverRun) *assess.Options {
	events, publicOnly := one.out.events, false
	if a.service != nil {
		events, publicOnly = a.service.Watch.Events(events), a.service.PublicOnly
	}
	return &assess.Options{
		Target: one.target, Seed: f.attack.seed, Profile: s.profile, Network: s.network, Remote: one.remote, Rules: s.rules,
		Inspect: f.reading.inspection(s.inspect),
		Models:  assess.Models{Agents: one.models.agents, Payloads: one.models.payloads, Reviewer: one.models.judge},
		Sandbox: assess.Sandbox{
			Boxes: f.sandbox.boxes, Total: f.sandbox.total(s.profile), Wall: min(f.sandbox.timeout, startWall), Linger: linger, Platform: f.sandbox.platform,
			Limits: box.Limits{Memory: s.memory, CPUs: f.sandbox.cpus}, NoEnvHooks: f.sandbox.noEnvHooks, World: s.world,
		},
		Sources: installation.Sources{
			Registry: s.registry, Cache: s.cache, HostPath: a.Getenv("PATH"),
			Image: f.reading.image, Images: a.images(), PublicOnly: publicOnly,
		},
		Output: assess.Output{Events: events, Traffic: one.out.traffic, Conversations: one.out.conversations},
		Caller: assess.Caller{
			Progress: one.progress, Logger: s.logger, Version: a.Version, Now: time.Now, Fair: fairtime.New(),
			TempDir: program.TempDir(), Keep: f.sandbox.keepRun,
		},
	}
}

const (
	// defaultTimeout bounds a run, and aggressiveTimeout one that attacks with
	// everything. A run takes a minute or two; a busy machine must not cut it.
	defaultTimeout, aggressiveTimeout = 20 * time.Minute, time.Hour
	// startWall bounds one start of the server.
	startWall = 5 * time.Minute
)

// total is the time that the whole run may take.
func (f *sandboxFlags) total(p plan.Profile) time.Duration {
	if p == plan.Aggressive && f.timeout == defaultTimeout {
		return aggressiveTimeout
	}
	return f.timeout
}

// inspection returns how packages are read, without what the flags exclude.
func (f *readingFlags) inspection(how *inspection.Options) *inspection.Options {
	if how == nil {
		return nil
	}
	one := *how
	one.NoInstall, one.NoRepository = f.noInstall, f.noRepository
	return &one
}

// images are the container images for runtimes that neither this machine nor a
// package registry has.
func (a *assessor) images() map[mcpsf.Runtime]string {
	images := map[mcpsf.Runtime]string{
		mcpsf.RuntimeNode:   "docker.io/library/node:22-bookworm-slim",
		mcpsf.RuntimePython: "docker.io/library/python:3.13-slim-bookworm",
	}
	for rt, name := range map[mcpsf.Runtime]string{mcpsf.RuntimeNode: "MCPSF_NODE_IMAGE", mcpsf.RuntimePython: "MCPSF_PYTHON_IMAGE"} {
		if image := a.Getenv(name); image != "" {
			images[rt] = image
		}
	}
	return images
}
