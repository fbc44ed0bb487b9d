package assesscmd

import (
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// serverRun is what belongs to the run of one server.
type serverRun struct {
	target   mcpsf.Target
	remote   *assess.Remote // nil for a server that runs in the sandbox
	models   models
	progress program.Progress
	out      *outputDir
}

// assessOptions is the one place that fills in what the assessment takes.
func (a *assessor) assessOptions(f *assessFlags, s *setup, one *serverRun) *assess.Options {
	events, publicOnly := one.out.events, false
	if a.service != nil {
		events, publicOnly = a.service.Watch.Events(events), a.service.PublicOnly
	}
	return &assess.Options{
		Target: one.target, Remote: one.remote, Seed: f.attack.seed, Profile: s.profile,
		Agents: one.models.agents, Payloads: one.models.payloads, Judge: one.models.judge,

		Boxes: f.sandbox.boxes, Wall: f.sandbox.timeout, Linger: linger, Platform: f.sandbox.platform,
		Limits:  box.Limits{Memory: s.memory, CPUs: f.sandbox.cpus},
		Network: s.network, NoEnvHooks: f.sandbox.noEnvHooks, Keep: f.sandbox.keepRun,
		TempDir: program.TempDir(), HostPath: a.Getenv("PATH"),

		Registry: s.registry, Cache: s.cache, Image: f.reading.image, Images: a.images(), PublicOnly: publicOnly,
		Inspect: s.inspect, NoInstall: f.reading.noInstall, NoRepository: f.reading.noRepository,

		Rules: s.rules, Version: a.Version, Now: time.Now,
		Events: events, Traffic: one.out.traffic, Conversations: one.out.conversations,
		Progress: one.progress, Logger: s.logger,
	}
}

// images are where runtimes come from that neither this machine nor a package
// registry has.
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
