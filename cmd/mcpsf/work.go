package main

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/internal/service/worker"
)

func (a *app) work() *cobra.Command {
	var f serviceFlags
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Take jobs of a service and assess, on this machine or many",
		Long: `A worker asks the database of a service for jobs and runs each in a process of
its own. Start as many as you like, on as many machines; give them the same
--database, --files and secret as mcpsf serve. A worker that is killed loses
nothing: its jobs go to others when its lease has run out.

SIGTERM has it take no more jobs, and end when those it has are done or --grace
is over.`,
		Example: `  mcpsf worker --database postgres://mcpsf@db/mcpsf --files s3://reports?endpoint=https://s3.example
  mcpsf worker --workers 4`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runWorker(cmd.Context(), &f) },
	}
	f.add(cmd)
	return cmd
}

func (a *app) runWorker(ctx context.Context, f *serviceFlags) error {
	s, err := a.openService(ctx, f)
	if err != nil {
		return err
	}
	defer s.close(context.WithoutCancel(ctx))
	metrics := prometheus.NewRegistry()
	w, err := a.newWorker(s, f, worker.NewMeter(metrics))
	if err != nil {
		return err
	}
	if f.metrics == "" {
		w.Run(ctx)
		s.logger.Info("ended")
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		failed <- listenOn(ctx, measured(promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}), s.store.Ready), f.metrics)
		cancel()
	}()
	w.Run(ctx)
	cancel()
	s.logger.Info("ended")
	return <-failed
}
