package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/page"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/worker"
)

// serveFlags are those of serve.
type serveFlags struct {
	serviceFlags

	listen, public       string
	proxies              string
	noWorkers            bool
	keepFor, fresh       time.Duration
	keepBytes, maxUpload string
	rate, waiting        int
}

func (a *app) serve() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service: an API, a page, a queue and workers",
		Long: `Without any flag this is a complete service on this machine: it listens on
127.0.0.1:8080, keeps jobs in a SQLite file and reports in a directory, and
assesses in processes of its own. The address to open in a browser is printed.

For a team, give it --database postgres://… and --files, start mcpsf worker on
as many machines as you like, and put something in front of it that speaks TLS.
Keys for programs and people are made with mcpsf serve keys add.`,
		Example: `  mcpsf serve
  mcpsf serve --listen 0.0.0.0:8080 --public-url https://mcpsf.example --database postgres://mcpsf@db/mcpsf --no-workers
  mcpsf serve keys add --project payments --name ci`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runServe(cmd.Context(), &f) },
	}
	f.serviceFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "", "address to listen on (MCPSF_LISTEN; default 127.0.0.1:8080)")
	flags.StringVar(&f.public, "public-url", "", "address that others reach the service by")
	flags.StringVar(&f.proxies, "trusted-proxies", "", "networks or addresses, such as 10.0.0.0/8,2001:db8::1, whose X-Forwarded-For and -Proto are believed (MCPSF_TRUSTED_PROXIES; default nobody's)")
	flags.BoolVar(&f.noWorkers, "no-workers", false, "assess nothing here: others do, with mcpsf worker")
	flags.DurationVar(&f.keepFor, "keep-for", 0, "forget jobs and reports that are older (default: keep them)")
	flags.StringVar(&f.keepBytes, "keep-bytes", "", "forget the oldest when reports take more, such as 50g (default: keep them)")
	flags.DurationVar(&f.fresh, "fresh", time.Hour, "how long a result is shared of a source without a version")
	flags.StringVar(&f.maxUpload, "max-upload", "100m", "largest archive that is taken")
	flags.IntVar(&f.rate, "rate", 120, "submissions a minute for each key")
	flags.IntVar(&f.waiting, "max-waiting", 10000, "jobs of a project that may wait")
	cmd.AddCommand(a.serveKeys())
	return cmd
}

func (a *app) runServe(ctx context.Context, f *serveFlags) error {
	opts, keep, err := a.serverOptions(f)
	if err != nil {
		return err
	}
	// Who is in the way is told before anything is made.
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot listen on " + f.listen + "; choose another address with --listen", Err: err}
	}
	defer listener.Close()
	s, err := a.openService(ctx, &f.serviceFlags)
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
	return a.serveAll(ctx, f, s, api, listener, metrics, keep)
}

// serverOptions is what the flags and the environment say, but for what has to
// be opened.
func (a *app) serverOptions(f *serveFlags) (opts server.Options, keep store.Retention, err error) {
	for name, value := range map[string]*string{"MCPSF_LISTEN": &f.listen, "MCPSF_TRUSTED_PROXIES": &f.proxies} {
		if *value == "" {
			*value = a.getenv(name)
		}
	}
	if f.listen == "" {
		f.listen = "127.0.0.1:8080"
	}
	opts = server.Options{
		Version: versionOf(), Limits: server.Limits{Submissions: f.rate, Waiting: f.waiting}, Fresh: f.fresh, AllowPrivate: f.allowPrivate,
	}
	if opts.Limits.Upload, err = parseSize(f.maxUpload); err != nil {
		return opts, keep, usage(fmt.Errorf("--max-upload takes a size such as 100m, not %q", f.maxUpload))
	}
	keep.Age = f.keepFor
	if f.keepBytes != "" {
		if keep.Bytes, err = parseSize(f.keepBytes); err != nil {
			return opts, keep, usage(fmt.Errorf("--keep-bytes takes a size such as 50g, not %q", f.keepBytes))
		}
	}
	if opts.Public.Hosts, opts.Public.HTTPS, err = publicHosts(f.public); err != nil {
		return opts, keep, err
	}
	if opts.Public.Proxies, err = server.ParseProxies(f.proxies); err != nil {
		return opts, keep, usage(fmt.Errorf("--trusted-proxies: %w", err))
	}
	opts.Rules, err = a.ruleSet(nil, nil)
	return opts, keep, err
}

// publicHosts is the name that others reach the service by, and whether they do
// so by TLS.
func publicHosts(address string) (hosts []string, https bool, err error) {
	if address == "" {
		return nil, false, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, false, usage(errors.New("--public-url is an address such as https://mcpsf.example"))
	}
	return []string{u.Host, u.Hostname()}, u.Scheme == "https", nil
}

// serveAll runs everything until ctx ends or one part fails.
func (a *app) serveAll(ctx context.Context, f *serveFlags, s *service, api *server.Server, l net.Listener, metrics *prometheus.Registry, keep store.Retention) error {
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
	if f.metrics != "" {
		begin(func() error {
			return listenOn(ctx, measured(api.Metrics(), s.store.Ready), f.metrics)
		})
	}
	begin(func() error { s.tidy(ctx, keep); return nil })
	if !f.noWorkers {
		w, err := a.newWorker(s, &f.serviceFlags, worker.NewMeter(metrics))
		if err != nil {
			return err
		}
		begin(func() error { w.Run(ctx); return nil })
	}
	if err := a.welcome(ctx, s, l.Addr(), f.public); err != nil {
		return err
	}
	var failed error
	for range running {
		if err := <-parts; err != nil && failed == nil {
			failed = err
		}
		cancel()
	}
	s.logger.Info("ended")
	return failed
}

// listen serves until ctx ends, and then lets what is under way finish.
func listen(ctx context.Context, web *http.Server, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() {
		patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = web.Shutdown(patient)
		_ = web.Close()
	})
	defer stop()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving: %w", err)
	}
	return nil
}

// measured answers Prometheus, and whoever wants to know whether we are there.
func measured(metrics http.Handler, ready func(context.Context) error) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
		defer cancel()
		if err := ready(ctx); err != nil {
			http.Error(w, "the database cannot be reached, or has no room left", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	return &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
}

func listenOn(ctx context.Context, web *http.Server, address string) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot listen on " + address + "; choose another address with --metrics-listen", Err: err}
	}
	return listen(ctx, web, l)
}

// localKey is how the key is called that a browser on this machine gets.
const localKey = "browser on this machine"

// welcome says where the service is. On this machine alone it also lets the
// user in: whoever reads our terminal may.
func (a *app) welcome(ctx context.Context, s *service, at net.Addr, public string) error {
	address := "http://" + at.String()
	if public != "" {
		fmt.Fprintf(a.stdout, "mcpsf serves %s (listening on %s)\n", public, at)
		return nil
	}
	if tcp, ok := at.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		fmt.Fprintf(a.stdout, "mcpsf serves %s; who is to come in needs a key: mcpsf serve keys add\n", address)
		return nil
	}
	keys, err := s.store.Keys(ctx, "default")
	if err != nil {
		return err
	}
	for i := range keys { // of an earlier start
		if keys[i].Name == localKey && keys[i].Revoked == nil {
			if err := s.store.RevokeKey(ctx, "default", keys[i].ID); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
	}
	k, text, hash := server.NewKey("default", localKey, job.Admin)
	if err := s.store.AddKey(ctx, k, hash); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "mcpsf serves %s\nopen this to sign in: %s/sign-in#%s\n", address, address, text)
	return nil
}
