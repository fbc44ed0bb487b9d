package servicecmd

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// service is the open resources of a server or a worker.
type service struct {
	store  *store.Store
	files  blob.Opened
	key    *secretbox.Key
	logger *slog.Logger
	// tracer is nil if there is no collector.
	tracer *tracing.Tracer
}

// close closes everything. ctx must not have ended.
func (s *service) close(ctx context.Context) {
	s.tracer.Stop(ctx)
	_, _ = s.store.Close(), s.files.Close()
}

func openService(ctx context.Context, p *program.Program, f *serviceFlags) (*service, error) {
	if err := f.fill(p.Getenv); err != nil {
		return nil, err
	}
	s := &service{logger: newLogger(p.Stderr, &f.telemetry)}
	collector, err := tracing.Endpoint(f.telemetry.traces, p.Getenv)
	if err != nil {
		return nil, program.Usage(err)
	}
	if text := p.Getenv("MCPSF_SECRET"); text != "" {
		s.key, err = secretbox.New(text)
	} else {
		s.key, err = secretbox.Load(f.storage.secretFile)
	}
	if err != nil {
		return nil, err
	}
	s.files, err = blob.Open(ctx, f.storage.files, blob.Credentials{ID: p.Getenv("AWS_ACCESS_KEY_ID"), Secret: p.Getenv("AWS_SECRET_ACCESS_KEY"), Token: p.Getenv("AWS_SESSION_TOKEN")})
	if err != nil {
		return nil, err
	}
	if s.store, err = store.Open(ctx, f.storage.database); err != nil {
		_ = s.files.Close()
		return nil, err
	}
	if collector == "" {
		return s, nil
	}
	if s.tracer, err = tracing.New(ctx, tracing.Options{Endpoint: collector, Version: p.Version, Instance: instance(), Logger: s.logger}); err != nil {
		s.close(ctx)
		return nil, program.Usage(err)
	}
	s.logger.Info("sending traces", "to", collector)
	return s, nil
}

// instance names this process.
func instance() string {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

func newLogger(stderr io.Writer, f *telemetryFlags) *slog.Logger {
	level := slog.LevelInfo
	if f.verbose {
		level = slog.LevelDebug
	}
	opts := &slog.HandlerOptions{Level: level, ReplaceAttr: safetext.Attr}
	if f.logText {
		return slog.New(slog.NewTextHandler(stderr, opts))
	}
	return slog.New(slog.NewJSONHandler(stderr, opts))
}
