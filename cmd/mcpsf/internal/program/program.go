package program

import (
	"io"
	"log/slog"

	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Program is the process as its commands see it. Only main reads the
// environment and ends the process.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Secrets must not be written anywhere.
	Secrets *remote.Secrets
	Version string
}

// Warnings is the logger of commands that have no --verbose.
func (p *Program) Warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: safetext.Attr}))
}
