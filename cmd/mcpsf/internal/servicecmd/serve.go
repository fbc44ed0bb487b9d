package servicecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/rulefiles"
	"github.com/mcpsf/mcpsf/internal/service/page"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/worker"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	serviceFlags

	listen, public       string
	proxies              string
	noWorkers            bool
	keepFor, fresh       time.Duration
	keepBytes, maxUpload string
	rate, waiting        int
}

// Serve runs the service.
func Serve(p *program.Program) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service: an API, a page, a queue and workers",
		Long: `Without flags this is a complete service on this machine: it listens on
127.0.0.1:8080, stores jobs in a SQLite file and reports in a directory, and
runs assessments in child processes. It prints the URL to open in a browser.

For a team, use --database postgres://… and --files, start mcpsf worker on any
number of machines, and put a reverse proxy with TLS in front of it. Create API
keys with mcpsf serve keys add.`,
		Example: `  mcpsf serve
  mcpsf serve --listen 0.0.0.0:8080 --public-url https://mcpsf.example --database postgres://mcpsf@db/mcpsf --no-workers
  mcpsf serve keys add --project payments --name ci`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), p, &f) },
	}
	f.register(cmd.Flags())
	cmd.AddCommand(serveKeys(p))
	return cmd
}

func (f *serveFlags) register(flags *pflag.FlagSet) {
	f.serviceFlags.register(flags)
	flags.StringVar(&f.listen, "listen", "", "address to listen on (MCPSF_LISTEN; default 127.0.0.1:8080)")
	flags.StringVar(&f.public, "public-url", "", "URL by which clients reach the service")
	flags.StringVar(&f.proxies, "trusted-proxies", "", "reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted, as networks or addresses: 10.0.0.0/8,2001:db8::1 (MCPSF_TRUSTED_PROXIES; default none)")
	flags.BoolVar(&f.noWorkers, "no-workers", false, "run no assessments here, only in mcpsf worker")
	flags.DurationVar(&f.keepFor, "keep-for", 0, "delete jobs and reports that are older (default: keep all)")
	flags.StringVar(&f.keepBytes, "keep-bytes", "", "delete the oldest jobs when reports take more than this, such as 50g (default: keep all)")
	flags.DurationVar(&f.fresh, "fresh", time.Hour, "how long the result of a source without a version is cached")
	flags.StringVar(&f.maxUpload, "max-upload", "100m", "maximum size of an uploaded archive")
	flags.IntVar(&f.rate, "rate", 120, "submissions per minute and key")
	flags.IntVar(&f.waiting, "max-waiting", 10000, "maximum number of queued jobs of a project")
}

func runServe(ctx context.Context, p *program.Program, f *serveFlags) error {
	opts, keep, err := serverOptions(p, f)
	if err != nil {
		return err
	}
	// First, so that an address in use is reported before anything is created.
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot listen on " + f.listen + "; choose another address with --listen", Err: err}
	}
	defer listener.Close()
	s, err := openService(ctx, p, &f.serviceFlags)
	if err != nil {
		return err
	}
	defer s.close(context.WithoutCancel(ctx))
	metrics := prometheus.NewRegistry()
	opts.Store, opts.Files, opts.Key = s.store, s.files, s.key
	opts.Telemetry = server.Telemetry{Logger: s.logger, Metrics: metrics, Tracer: s.tracer}
	api, err := server.New(opts)
	if err != nil {
		return err
	}
	if err := page.Mount(api, page.Options{Store: s.store, Rules: opts.Rules}); err != nil {
		return err
	}
	return serveAll(ctx, p.Stdout, f, s, api, listener, metrics, keep)
}

// serverOptions reads flags and environment. It does not set what has to be
// opened.
func serverOptions(p *program.Program, f *serveFlags) (opts server.Options, keep store.Retention, err error) {
	for name, value := range map[string]*string{"MCPSF_LISTEN": &f.listen, "MCPSF_TRUSTED_PROXIES": &f.proxies} {
		if *value == "" {
			*value = p.Getenv(name)
		}
	}
	if f.listen == "" {
		f.listen = "127.0.0.1:8080"
	}
	opts = server.Options{
		Version: p.Version, Limits: server.Limits{Submissions: f.rate, Waiting: f.waiting}, Fresh: f.fresh, AllowPrivate: f.jobs.allowPrivate,
	}
	if opts.Limits.Upload, err = program.ParseSize(f.maxUpload); err != nil {
		return opts, keep, program.Usage(fmt.Errorf("--max-upload takes a size such as 100m, not %q", f.maxUpload))
	}
	keep.Age = f.keepFor
	if f.keepBytes != "" {
		if keep.Bytes, err = program.ParseSize(f.keepBytes); err != nil {
			return opts, keep, program.Usage(fmt.Errorf("--keep-bytes takes a size such as 50g, not %q", f.keepBytes))
		}
	}
	if opts.Public.Hosts, opts.Public.HTTPS, err = publicHosts(f.public); err != nil {
		return opts, keep, err
	}
	if opts.Public.Proxies, err = server.ParseProxies(f.proxies); err != nil {
		return opts, keep, program.Usage(fmt.Errorf("--trusted-proxies: %w", err))
	}
	opts.Rules, err = rulefiles.Builtin()
	return opts, keep, err
}

// publicHosts is the host name of the public URL, and whether it uses TLS.
func publicHosts(address string) (hosts []string, https bool, err error) {
	if address == "" {
		return nil, false, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, false, program.Usage(errors.New("--public-url must be a URL such as https://mcpsf.example"))
	}
	return []string{u.Host, u.Hostname()}, u.Scheme == "https", nil
}

// serveAll runs everything until ctx ends or one part fails.
func serveAll(ctx context.Context, out io.Writer, f *serveFlags, s *service, api *server.Server, l net.Listener, metrics *prometheus.Registry, keep store.Retention) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts := make(chan error, 4)
	running := 0
	begin := func(part func() error) {
		running++
		go func() { parts <- part() }()
	}
	web := api.HTTP()
	begin(func() error { return listen(ctx, web, l) })
	if f.telemetry.metrics != "" {
		begin(func() error {
			return listenOn(ctx, measured(api.Metrics(), s.store.Ready), f.telemetry.metrics)
		})
	}
	begin(func() error { s.tidy(ctx, keep); return nil })
	if !f.noWorkers {
		w, err := newWorker(s, &f.serviceFlags, worker.NewMeter(metrics))
		if err != nil {
			return err
		}
		begin(func() error { w.Run(ctx); return nil })
	}
	if err := welcome(ctx, out, s, l.Addr(), f.public); err != nil {
		return err
	}
	var failed error
	for range running {
		if err := <-parts; err != nil && failed == nil {
			failed = err
		}
		cancel()
	}
	s.logger.Info("stopped")
	return failed
}
