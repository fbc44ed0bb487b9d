package main

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

const serverDir = "bench/second/server"

type bench struct {
	dir      string
	cache    *cache.Cache
	registry *registry.Client
	rules    *rules.Set
	path     string
	unpacked string
}

func newBench(getenv func(string) string) (*bench, error) {
	dir, err := os.MkdirTemp("", "mcpsf-second-")
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir, path: getenv("PATH"), unpacked: filepath.Join(dir, "native")}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	if b.cache, err = cache.Open(filepath.Join(dir, "cache"), nil); err != nil {
		return nil, err
	}
	if b.rules, err = rules.Builtin(); err != nil {
		return nil, err
	}
	b.registry, err = registry.New(&registry.Options{
		Getenv: getenv, Home: getenv("HOME"), UserAgent: "mcpsf-bench", Logger: slog.New(slog.DiscardHandler),
	})
	return b, err
}

func (b *bench) close() {
	_ = b.cache.Close()
	_ = os.RemoveAll(b.dir)
}

// watch records when the tools were listed: calls begin right after.
type watch struct{ listed time.Time }

func (*watch) Step(string, string) {}
func (*watch) Done(string)         {}
func (*watch) Warn(string)         {}
func (w *watch) Update(text string) {
	if w.listed.IsZero() && strings.HasPrefix(text, "call ") {
		w.listed = time.Now()
	}
}

// assess returns the seconds until tools/list was answered.
func (b *bench) assess(ctx context.Context) (float64, error) {
	w := &watch{}
	began := time.Now()
	_, err := assess.Assess(ctx, &assess.Options{
		Target: mcpsf.Target{Source: serverDir}, Seed: 1, Rules: b.rules,
		Sandbox: assess.Sandbox{Wall: time.Minute, Platform: "systrap"},
		Sources: installation.Sources{HostPath: b.path, Registry: b.registry, Cache: b.cache},
		Output:  assess.Output{Events: func(string) (io.WriteCloser, error) { return discard{}, nil }},
		Caller: assess.Caller{
			Progress: w, Logger: slog.New(slog.DiscardHandler), Version: "bench", Now: time.Now, TempDir: filepath.Join(b.dir, "runs"),
		},
	})
	if err == nil && w.listed.IsZero() {
		err = errors.New("the server was not driven")
	}
	return w.listed.Sub(began).Seconds(), err
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// unpack puts the installed files where they can run natively.
func (b *bench) unpack() error {
	found, err := filepath.Glob(filepath.Join(b.dir, "cache/entries/*/content/tree.tar"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("%d installations in the cache", len(found))
	}
	f, err := os.Open(found[0])
	if err != nil {
		return err
	}
	defer f.Close()
	if err := os.Mkdir(b.unpacked, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(b.unpacked)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, ok := strings.CutPrefix(h.Name, mcpsf.WorkDir+"/")
		if !ok {
			continue
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(name, 0o755)
		case tar.TypeReg:
			err = write(root, name, r)
		}
		if err != nil {
			return err
		}
	}
}

func write(root *os.Root, name string, r io.Reader) error {
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

// native returns the seconds until the server answers without mcpsf.
func (b *bench) native(ctx context.Context) (float64, error) {
	node, err := interpreter.Choose(mcpsf.RuntimeNode, "", b.path)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	cmd := exec.CommandContext(ctx, node.Host, "server.js")
	cmd.Dir = b.unpacked
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // reports that it was killed
	}()
	lines := bufio.NewReader(out)
	for _, request := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	} {
		if _, err := io.WriteString(in, request+"\n"); err != nil {
			return 0, err
		}
		if _, err := lines.ReadString('\n'); err != nil {
			return 0, err
		}
	}
	return time.Since(began).Seconds(), nil
}
