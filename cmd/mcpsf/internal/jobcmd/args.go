package jobcmd

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// taskArgs is the command line for a task. Untrusted values are never where a flag
// could be.
func taskArgs(t *job.Task) []string {
	r, o := &t.Request, &t.Request.Options
	args := []string{"--output=" + t.Output, "--quiet", "--fail-on=never", "--executor=local"}
	add := func(name, value string) {
		if value != "" {
			args = append(args, "--"+name+"="+value)
		}
	}
	if !o.ScanOnly {
		add("profile", r.Profile)
		add("network", o.Network)
		add("timeout", o.Timeout)
		add("memory", o.Memory)
		if o.CPUs > 0 {
			add("cpus", fmt.Sprint(o.CPUs))
		}
		if o.Seed != nil {
			add("seed", fmt.Sprint(*o.Seed))
		}
		if o.MayAttack {
			args = append(args, "--yes-i-may-attack-this")
		}
		if t.AllowPrivate {
			args = append(args, "--yes")
		}
		for _, name := range slices.Sorted(maps.Keys(r.Env)) {
			add("env", name+"="+r.Env[name])
		}
	}
	if o.ScanOnly && o.NoInstall {
		args = append(args, "--no-install")
	}
	if o.NoRepository {
		args = append(args, "--no-repository")
	}
	add("image", o.Image)
	for _, d := range r.Detectors {
		add("detectors", d)
	}
	source := r.Source
	if t.Archive != "" {
		source = "./" + t.Archive
	}
	args = append(args, source)
	if command := append(slices.Clone(r.Command), r.Args...); len(command) > 0 {
		args = append(append(args, "--"), command...)
	}
	return args
}
