package servicecmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/mcpsf/mcpsf"
)

// listen serves until ctx ends, and then lets running requests finish.
func listen(ctx context.Context, web *http.Server, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() {
		detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = web.Shutdown(detached)
		_ = web.Close()
	})
	defer stop()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving: %w", err)
	}
	return nil
}

// measured serves metrics and health checks.
func measured(metrics http.Handler, ready func(context.Context) error) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
		defer cancel()
		if err := ready(ctx); err != nil {
			http.Error(w, "the database cannot be reached, or its disk is full", http.StatusServiceUnavailable)
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
