package assesscmd

import (
	"runtime"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/runresult"
)

// assessFlags are the flags of assess and scan, in groups.
type assessFlags struct {
	scan     bool // the server is not started
	target   targetFlags
	reading  readingFlags
	sandbox  sandboxFlags
	attack   attackFlags
	judge    judgeFlags
	output   outputFlags
	executor executorFlags
	save     saveFlags
	remote   remoteFlags
	model    modelFlags
	// given are the flags of the command line, by name.
	given map[string][]string
}

// register defines the flags of assess.
func (f *assessFlags) register(flags *pflag.FlagSet) {
	f.target.register(flags)
	f.reading.register(flags)
	f.sandbox.register(flags)
	f.attack.register(flags)
	f.judge.register(flags)
	f.output.register(flags)
	f.executor.register(flags)
	f.save.register(flags)
	f.remote.register(flags)
	f.model.register(flags)
}

// registerScan defines the flags of scan.
func (f *assessFlags) registerScan(flags *pflag.FlagSet) {
	f.target.registerScan(flags)
	f.reading.registerScan(flags)
	f.judge.register(flags)
	f.output.registerScan(flags)
	f.executor.register(flags)
}

// targetFlags are about what is assessed.
type targetFlags struct {
	env, servers []string
	world        string
}

func (f *targetFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.env, "env", nil, "environment variable for the server, K=V; repeatable")
	flags.StringVar(&f.world, "world", "", "directory with files for the server's home directory, which its tools are pointed at")
	flags.StringArrayVar(&f.servers, "server", nil, "assess only this server of a client configuration; repeatable")
}

func (f *targetFlags) registerScan(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.servers, "server", nil, "scan only this server of a client configuration; repeatable")
}

// readingFlags are about how a package is installed and read.
type readingFlags struct {
	image, advisories       string
	noInstall, noRepository bool
}

func (f *readingFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.image, "image", "", "container image to install and run the server in, instead of this machine's runtimes")
	f.registerStatic(flags)
}

func (f *readingFlags) registerScan(flags *pflag.FlagSet) {
	flags.StringVar(&f.image, "image", "", "container image to install the package in, instead of this machine's runtimes")
	flags.BoolVar(&f.noInstall, "no-install", false, "do not install the dependencies; scan the package as published")
	f.registerStatic(flags)
}

func (f *readingFlags) registerStatic(flags *pflag.FlagSet) {
	flags.StringVar(&f.advisories, "advisories", inDatabase, "where to look up advisories: "+inDatabase+" (fetched by mcpsf db update), "+online+"\n(sends the package names to OSV), "+nowhere)
	flags.BoolVar(&f.noRepository, "no-repository", false, "do not compare the package with its source repository")
}

// linger is how long a server is watched after its last answer.
const linger = 2 * time.Second

// maxBoxes is the default number of parallel sandboxes: each may use as much
// memory as the server may.
// no gap: bounds what a command shows or runs at once
const maxBoxes = 4

// sandboxFlags are about where a server runs, and its limits.
type sandboxFlags struct {
	platform, network, memory        string
	timeout                          time.Duration
	cpus, boxes                      int
	noIntercept, noEnvHooks, keepRun bool
}

func (f *sandboxFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.platform, "platform", "systrap", "gVisor platform: systrap or kvm")
	flags.StringVar(&f.network, "network", "sinkhole", "network of the server: sinkhole, none, allow or allow=HOST,...")
	flags.StringVar(&f.memory, "memory", "1g", "memory limit of the server")
	flags.DurationVar(&f.timeout, "timeout", defaultTimeout, "time limit of the whole run, after which it reports what it saw (1h with --profile aggressive)")
	flags.IntVar(&f.cpus, "cpus", 2, "number of CPUs for the server")
	flags.IntVar(&f.boxes, "boxes", min(runtime.NumCPU(), maxBoxes), "how many sandboxes run in parallel")
	flags.BoolVar(&f.noIntercept, "no-tls-intercept", false, "with --network allow: do not decrypt TLS, and record only its destination")
	flags.BoolVar(&f.noEnvHooks, "no-env-hooks", false, "do not hook Python and Node to observe which environment variables are read")
	flags.BoolVar(&f.keepRun, "keep", false, "keep the temporary directory of the run for debugging")
}

// attackFlags are about what is done to a server.
type attackFlags struct {
	profile string
	seed    uint64
}

func (f *attackFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.profile, "profile", "balanced", "how hard the server is attacked: safe, balanced or aggressive")
	flags.Uint64Var(&f.seed, "seed", 0, "seed for decoys and inputs (default: random)")
}

// judgeFlags are about which findings are made, and which count.
type judgeFlags struct {
	rules, detectors []string
	waivers          runresult.Waivers
}

func (f *judgeFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.rules, "rules", nil, "directory with your own rules, used in addition to the built-in ones; repeatable")
	flags.StringSliceVar(&f.detectors, "detectors", nil, "use only these detectors: ids or patterns, -ID to exclude one (mcpsf detectors lists them)")
	f.waivers.Register(flags)
}

// outputFlags are about what is printed and kept of a run.
type outputFlags struct {
	print          runresult.Print
	dir            string
	failOn         runresult.FailOn
	quiet, verbose bool
	keep           keepFlags
}

func (f *outputFlags) register(flags *pflag.FlagSet) {
	f.print.RegisterExplain(flags)
	flags.StringVarP(&f.dir, "output", "o", "", "directory for the files of the run (default ./reports/<run>)")
	f.keep.register(flags)
	f.registerBoth(flags)
}

func (f *outputFlags) registerScan(flags *pflag.FlagSet) {
	flags.StringVarP(&f.dir, "output", "o", "", "directory for the files of the scan (default ./reports/<run>)")
	f.keep.registerScan(flags)
	f.registerBoth(flags)
}

func (f *outputFlags) registerBoth(flags *pflag.FlagSet) {
	f.print.Register(flags)
	f.failOn.Register(flags, "high", "a finding")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log what mcpsf does")
}
