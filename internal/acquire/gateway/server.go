package gateway

import (
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The resources of the orchestrator that one sandbox may use at a time.
// no gap: beyond it the package manager gets an error, which is recorded
const (
	maxConns     = 256
	maxAnswering = 64
	maxMaking    = 8

	maxHeader = 32 << 10
	maxBody   = 64 << 10

	headerTimeout = 10 * time.Second
	bodyTimeout   = 10 * time.Second
	idleTimeout   = time.Minute
	// writeTimeout is for each piece of an answer.
	writeTimeout = time.Minute
)

// Server returns a server for the gateway with limits for a hostile client:
// slow, endless and too many requests end. The caller serves and closes it.
func (g *Gateway) Server() *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Server{
		Handler:   g,
		Protocols: protocols,
		// There is no ReadTimeout and no WriteTimeout, because large files take
		// time. Bodies of requests and pieces of answers have their own
		// deadlines.
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ConnState:         g.limitConns,
		ErrorLog:          slog.NewLogLogger(g.opts.Logger.Handler(), slog.LevelDebug),
		// OPTIONS is refused and recorded like everything else.
		DisableGeneralOptionsHandler: true,
	}
}

func (g *Gateway) limitConns(c net.Conn, s http.ConnState) {
	switch s {
	case http.StateNew:
		if g.conns.Add(1) > maxConns {
			g.opts.Logger.Debug("too many connections from the sandbox")
			_ = c.Close()
		}
	case http.StateClosed, http.StateHijacked:
		g.conns.Add(-1)
	}
}
