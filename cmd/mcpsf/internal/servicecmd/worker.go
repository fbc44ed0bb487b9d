package servicecmd

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/service/worker"
)

// Worker runs jobs of a service.
func Worker(p *program.Program) *cobra.Command {
	var f serviceFlags
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Run jobs of a service, on one or many machines",
		Long: `A worker takes jobs from the database of a service and runs each in a child
process. Start any number of workers, on any number of machines, with the same
--database, --files and secret as mcpsf serve. If a worker is killed, its jobs
go to other workers when its lease has expired.

After SIGTERM it takes no more jobs, and ends when its running jobs are done or
--grace is over.`,
		Example: `  mcpsf worker --database postgres://mcpsf@db/mcpsf --files s3://reports?endpoint=https://s3.example
  mcpsf worker --workers 4`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runWorker(cmd.Context(), p, &f) },
	}
	f.register(cmd.Flags())
	return cmd
}

func runWorker(ctx context.Context, p *program.Program, f *serviceFlags) error {
	s, err := openService(ctx, p, f)
	if err != nil {
		return err
	}
	defer s.close(context.WithoutCancel(ctx))
	metrics := prometheus.NewRegistry()
	w, err := newWorker(s, f, worker.NewMeter(metrics))
	if err != nil {
		return err
	}
	if f.telemetry.metrics == "" {
		w.Run(ctx)
		s.logger.Info("stopped")
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		failed <- listenOn(ctx, measured(promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}), s.store.Ready), f.telemetry.metrics)
		cancel()
	}()
	w.Run(ctx)
	cancel()
	s.logger.Info("stopped")
	return <-failed
}
