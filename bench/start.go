package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The promised limits; the table says where one is exceeded.
const (
	maxHooks  = 1.15 // maximum slowdown of a server by the observer
	maxStart  = 1200 // ms until a Node server is ready that needs about 350 natively
	maxMemory = 150  // MB of one sandbox besides the target's own memory
)

// rest is the time a server gets to finish its work after the answer, before its
// memory is measured.
const rest = 300 * time.Millisecond

// start measures how long it takes until a server has answered initialize, and
// how much memory it and its sandbox then use.
func start(ctx context.Context, l *lab) ([]*row, error) {
	large := filepath.Join(l.temp, "large-node")
	if err := writeLarge(large); err != nil {
		return nil, err
	}
	var rows []*row
	for _, dir := range append(examples(), large) {
		name := filepath.Base(dir)
		ready := &row{Name: "start of " + name, Unit: "ms", MaxHooks: maxHooks}
		if dir == large {
			ready.Max = maxStart
		}
		started := &row{Name: "  of it sandbox.Start", Unit: "ms"}
		own := &row{Name: "memory of " + name, Unit: "MB"}
		box := &row{Name: "  of its sandbox", Unit: "MB", Max: maxMemory}
		err := l.oneByOne(ctx, dir, func(w way, s *server) error {
			ready.add(w, milliseconds(s.ready))
			time.Sleep(rest)
			used, err := measureMemory()
			if err != nil {
				return err
			}
			own.add(w, used.server)
			if w != native {
				started.add(w, milliseconds(s.started))
				box.add(w, used.sandbox)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, ready, started, own, box)
	}
	return rows, nil
}

func examples() []string { return []string{"examples/notes-node", "examples/notes-python"} }

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

// modules is how many files the large server loads; servers built on the usual
// libraries load hundreds.
const modules = 1000

// writeLarge makes a copy of notes-node that loads many files.
func writeLarge(dir string) error {
	script, err := os.ReadFile("examples/notes-node/server.js")
	if err != nil {
		return fmt.Errorf("run this from the top folder of the repository: %w", err)
	}
	const strict = `"use strict";`
	load := fmt.Sprintf("%s\nfor (let i = 0; i < %d; i++) require(`./lib/${i}`);\n", strict, modules)
	var module strings.Builder
	for i := range 30 {
		fmt.Fprintf(&module, "exports.list%d = (n) => { const all = []; while (n-- > 0) all.push({ n, by: %d }); return all; };\n", i, i)
	}
	files := map[string]string{
		"package.json": `{"name": "large-node", "bin": "server.js"}`,
		"server.js":    strings.Replace(string(script), strict, load, 1),
	}
	for i := range modules {
		files[fmt.Sprintf("lib/%d.js", i)] = module.String()
	}
	if err := os.MkdirAll(filepath.Join(dir, "lib"), 0o755); err != nil {
		return fmt.Errorf("making the large server: %w", err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return fmt.Errorf("making the large server: %w", err)
		}
	}
	return nil
}
