package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// linger is how long a server is watched after its last answer.
const linger = 2 * time.Second

// maxBoxes is how many sandboxes are used at a time unless the user wants more:
// each may take as much memory as the server may.
const maxBoxes = 4

// assessFlags are the command line of assess.
type assessFlags struct {
	output, failOn, platform      string
	print                         printFlags
	image, network, profile       string
	memory                        string
	env, servers                  []string
	rules, detectors              []string
	seed                          uint64
	timeout                       time.Duration
	cpus, boxes                   int
	keepRun, quiet, verbose       bool
	noIntercept, noEnvHooks       bool
	scan, noInstall, noRepository bool
	executor                      string
	force                         bool
	advisories                    string
	saveAs                        string
	saveEnv                       bool
	// given are the flags of the command line, by name.
	given   map[string][]string
	remote  remoteFlags
	model   modelFlags
	keep    keepFlags
	decided decisions
}

func (a *app) assess() *cobra.Command {
	var f assessFlags
	cmd := &cobra.Command{
		Use:     "assess SOURCE [-- COMMAND ARG...|-- --OPTION...]",
		Aliases: []string{"detonate", "analyze"},
		Short:   "Run a server in the sandbox, drive it, and judge what it did",
		Long: `SOURCE is one of

  @scope/name, npm:name@1.2.3            npm package
  pypi:name, pypi:name==1.2.3            PyPI package
  github:owner/repo@ref, https://...     GitHub repository
  ./dir, ./server.py, ./binary           local file or directory
  ./x.tgz, .zip, .whl, .mcpb             archive or MCP bundle
  oci:image:tag, oci-archive:file.tar    container image
  https://host/mcp, https://host/sse     remote server
  claude_desktop_config.json, mcp.json   every server of a client's configuration
  saved:NAME                             what was saved with --save-as NAME

The server is fetched, installed and started inside the sandbox; none of its
code runs outside. The start command is taken from the package; give another
after --. If what follows -- begins with an option, it is added to the command
that was found. A server that needs credentials gets well-formed fakes.

The server gets a fake network: every host answers, nothing leaves. --network
changes that:

  sinkhole          every host is fake (the default)
  none              there is no network
  allow             every public host is reachable, through mcpsf
  allow=HOST,...    only these and their subdomains are; the rest is fake

This machine and its own network are never reachable.

A remote server is tested over the network and not sandboxed: what it does on
its machine is not observed, so the verdict is never PASS. Only tools that are
declared read-only are called, unless --yes-i-may-attack-this is given.

Exit codes: 0 finished, nothing at or above --fail-on; 1 findings at or above
it; 2 usage; 3 inconclusive; 4 mcpsf itself failed.`,
		Example: `  mcpsf assess @modelcontextprotocol/server-filesystem
  mcpsf assess pypi:mcp-server-git==2025.1.14
  mcpsf assess ./dir -- python3 server.py
  mcpsf assess @playwright/mcp -- --port 8931
  mcpsf assess ~/.config/Claude/claude_desktop_config.json --server github
  mcpsf assess ./dir --format json --fail-on medium`,
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := a.prepare(cmd, args, &f)
			if err != nil {
				return err
			}
			return a.runAssess(cmd.Context(), target, &f)
		},
	}
	f.add(cmd)
	return cmd
}

// prepare takes the target from the command line or from what was saved, and
// the rest from where the user wrote it down.
func (a *app) prepare(cmd *cobra.Command, args []string, f *assessFlags) (mcpsf.Target, error) {
	target, err := targetOf(cmd, args, f.env)
	if err != nil {
		return target, err
	}
	f.given = givenFlags(cmd)
	if target, err = a.recall(cmd, target, f); err != nil {
		return target, err
	}
	if err := f.decided.read(a, target.Source); err != nil {
		return target, err
	}
	if err := f.decided.settings.Fill(cmd.Flags(), a.getenv); err != nil {
		return target, err
	}
	target.Env = f.env
	return target, f.keep.check()
}

// add defines the flags.
func (f *assessFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.print.add(cmd)
	f.print.addExplain(cmd)
	flags.StringVarP(&f.output, "output", "o", "", "directory for the files of the run (default ./reports/<run>)")
	flags.StringVar(&f.failOn, "fail-on", "high", "exit 1 if a finding has at least this severity: low, medium, high, critical, never")
	flags.StringArrayVar(&f.env, "env", nil, "environment variable for the server, K=V; repeatable")
	flags.StringArrayVar(&f.servers, "server", nil, "assess only this server of a client configuration; repeatable")
	flags.StringVar(&f.image, "image", "", "container image to install and run the server in, instead of this machine's runtimes")
	flags.StringVar(&f.profile, "profile", "balanced", "how hard the server is attacked: safe, balanced or aggressive")
	f.addAdvisories(cmd)
	f.addExecutor(cmd)
	flags.StringArrayVar(&f.rules, "rules", nil, "directory with your own rules, used in addition to the built-in ones; repeatable")
	flags.StringSliceVar(&f.detectors, "detectors", nil, "use only these detectors: ids or patterns, -ID to exclude one (mcpsf detectors lists them)")
	flags.StringVar(&f.network, "network", "sinkhole", "network of the server: sinkhole, none, allow or allow=HOST,...")
	f.model.add(cmd)
	flags.BoolVar(&f.noEnvHooks, "no-env-hooks", false, "do not hook Python and Node to observe which environment variables are read")
	flags.BoolVar(&f.noIntercept, "no-tls-intercept", false, "with --network allow: do not decrypt TLS, and record only its destination")
	flags.BoolVar(&f.noRepository, "no-repository", false, "do not compare the package with its source repository")
	f.remote.add(cmd)
	flags.Uint64Var(&f.seed, "seed", 0, "seed for decoys and inputs (default: random)")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "time limit for testing the server")
	flags.StringVar(&f.memory, "memory", "1g", "memory limit of the server")
	flags.IntVar(&f.cpus, "cpus", 2, "number of CPUs for the server")
	flags.IntVar(&f.boxes, "boxes", min(runtime.NumCPU(), maxBoxes), "how many sandboxes run in parallel")
	flags.StringVar(&f.platform, "platform", "systrap", "gVisor platform: systrap or kvm")
	flags.StringVar(&f.saveAs, "save-as", "", "save the source and the flags under this name, for mcpsf assess saved:NAME")
	flags.BoolVar(&f.saveEnv, "save-env", false, "with --save-as: save the values of --env and --header, too")
	f.keep.add(cmd)
	f.decided.add(cmd)
	flags.BoolVar(&f.keepRun, "keep", false, "keep the temporary directory of the run for debugging")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log what mcpsf does")
}

// addExecutor defines the flags that say who does it.
func (f *assessFlags) addExecutor(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.executor, "executor", executorAuto, "where to run: local, docker (a container of MCPSF_DOCKER_IMAGE), cloud (the service at MCPSF_API_URL, with\nMCPSF_API_KEY), or auto: the service if MCPSF_API_URL is set, else this machine, else docker")
	flags.BoolVar(&f.force, "force", false, "ignore cached results (of a service)")
}

func targetOf(cmd *cobra.Command, args, env []string) (mcpsf.Target, error) {
	dash := cmd.ArgsLenAtDash()
	own := args
	var command []string
	if dash >= 0 {
		own, command = args[:dash], args[dash:]
	}
	switch {
	case len(own) == 0:
		return mcpsf.Target{}, usage(fmt.Errorf("assess needs a SOURCE; try: mcpsf assess ./dir"))
	case len(own) > 1:
		return mcpsf.Target{}, usage(fmt.Errorf("assess takes one SOURCE, not %d; give the server's own arguments after --", len(own)))
	case dash >= 0 && len(command) == 0:
		return mcpsf.Target{}, usage(fmt.Errorf("there is no command after --"))
	}
	for _, kv := range env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" {
			return mcpsf.Target{}, usage(fmt.Errorf("--env takes K=V, not %q", kv))
		}
	}
	target := mcpsf.Target{Source: own[0], Command: command, Env: env}
	if len(command) > 0 && strings.HasPrefix(command[0], "-") { // no program is called like that
		target.Command, target.Args = nil, command
	}
	return target, nil
}

func (a *app) options(f *assessFlags) (*assess.Options, error) {
	if !slices.Contains(report.All(), report.Format(f.print.format)) {
		return nil, usage(fmt.Errorf("--format is one of %s, not %q", formats(), f.print.format))
	}
	if err := f.print.settle(); err != nil {
		return nil, err
	}
	if _, ok := gates()[f.failOn]; !ok {
		return nil, usage(fmt.Errorf("--fail-on is low, medium, high, critical or never, not %q", f.failOn))
	}
	memory, err := parseSize(f.memory)
	if err != nil || memory < 64<<20 {
		return nil, usage(fmt.Errorf("--memory takes a size from 64m up such as 512m or 2g, not %q", f.memory))
	}
	if f.timeout <= 0 || f.cpus <= 0 || f.boxes <= 0 {
		return nil, usage(fmt.Errorf("--timeout, --cpus and --boxes must be above zero"))
	}
	if f.platform != "systrap" && f.platform != "kvm" {
		return nil, usage(fmt.Errorf("--platform is systrap or kvm, not %q", f.platform))
	}
	profile, err := assess.ParseProfile(f.profile)
	if err != nil {
		return nil, usage(err)
	}
	network, err := assess.ParseNetwork(f.network, !f.noIntercept)
	if err != nil {
		return nil, usage(err)
	}
	set, err := a.ruleSet(f.rules, f.detectors)
	if err != nil {
		return nil, err
	}
	level := slog.LevelWarn
	if f.verbose {
		level = slog.LevelDebug
	}
	logger := slog.New(slog.NewTextHandler(a.secrets.Writer(a.stderr), &slog.HandlerOptions{Level: level}))
	client, err := registry.New(&registry.Options{
		Getenv: a.getenv, Home: a.getenv("HOME"), UserAgent: "mcpsf/" + versionOf(), Logger: logger,
	})
	if err != nil {
		return nil, err
	}
	kept, err := a.openCache(logger)
	if err != nil {
		return nil, err
	}
	reading, err := a.inspection(kept, f.advisories, client)
	if err != nil {
		_ = kept.Close()
		return nil, err
	}
	return &assess.Options{
		Registry: client, Cache: kept, Image: f.image, Images: a.images(), Network: network, NoEnvHooks: f.noEnvHooks,
		Seed: f.seed, Profile: profile, Boxes: f.boxes, Wall: f.timeout, Linger: linger, Platform: f.platform, Keep: f.keepRun,
		Limits:   box.Limits{Memory: memory, CPUs: f.cpus},
		TempDir:  tempDir(),
		HostPath: a.getenv("PATH"), Rules: set, Version: versionOf(), Now: time.Now,
		Logger: logger, Inspect: reading, NoInstall: f.noInstall, NoRepository: f.noRepository, PublicOnly: a.publicOnly,
	}, nil
}

// tempDir is where runs keep their files while they last.
func tempDir() string { return filepath.Join(os.TempDir(), "mcpsf-"+strconv.Itoa(os.Getuid())) }

func formats() string {
	var names []string
	for _, f := range report.All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// parseSize reads 512m, 2g or a number of bytes.
func parseSize(s string) (int64, error) {
	shift := 0
	switch {
	case strings.HasSuffix(s, "g"):
		s, shift = strings.TrimSuffix(s, "g"), 30
	case strings.HasSuffix(s, "m"):
		s, shift = strings.TrimSuffix(s, "m"), 20
	}
	n, err := strconv.ParseInt(s, 10, 32+8)
	if err != nil || n < 0 || n > 1<<40>>shift {
		return 0, fmt.Errorf("not a size: %q", s)
	}
	return n << shift, nil
}

// images are where runtimes come from that neither this machine nor a package
// registry has.
func (a *app) images() map[mcpsf.Runtime]string {
	images := map[mcpsf.Runtime]string{
		mcpsf.RuntimeNode:   "docker.io/library/node:22-bookworm-slim",
		mcpsf.RuntimePython: "docker.io/library/python:3.13-slim-bookworm",
	}
	for rt, name := range map[mcpsf.Runtime]string{mcpsf.RuntimeNode: "MCPSF_NODE_IMAGE", mcpsf.RuntimePython: "MCPSF_PYTHON_IMAGE"} {
		if image := a.getenv(name); image != "" {
			images[rt] = image
		}
	}
	return images
}
