package pipeline

import (
	"context"
	"fmt"
	"path"

	"github.com/mcpsf/mcpsf/internal/harness"
	"github.com/mcpsf/mcpsf/internal/harness/attack"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/sandbox"
)

const (
	// maxBoxes bounds how often a server that attacks bring down is started
	// again.
	maxBoxes = 8
	// programDir is on every PATH.
	programDir = "/usr/local/bin"
)

// attack tries on the server what it has to withstand. Each start of it goes on
// where the last one ended.
func (st *stage) attack(ctx context.Context, first *detonation, try *launch) error {
	most, long := st.opts.Profile.attacks()
	if most == 0 {
		return nil
	}
	inputs := values(st.artifact, try.given, st.home)
	world := attack.New(st.opts.Seed, inputs.Dir)
	aim := harness.Aim{World: world, Values: inputs, Seed: st.opts.Seed, All: st.opts.Profile == Aggressive, Most: most}
	shots := aim.Shots(first.session)
	planned := len(shots)
	files := tripwires(world)
	end := st.opts.Now().Add(long)
	for range maxBoxes {
		if len(shots) == 0 || st.opts.Now().After(end) {
			break
		}
		st.opts.Progress.Step("attack", report.Count(len(shots), "call"))
		until := st.opts.Now().Add(st.opts.Wall / 2) // before the box is ended
		if until.After(end) {
			until = end
		}
		d, err := st.detonate(ctx, try, &talk{shots: shots, files: files, until: until})
		if err != nil {
			return fmt.Errorf("attacking the server: %w", err)
		}
		st.totals = append(st.totals, observedOf(d))
		made := len(d.session.Calls) - 1 // the first is initialize
		if made <= 0 {
			break
		}
		shots = shots[min(made, len(shots)):]
	}
	if len(shots) > 0 {
		st.undone = append(st.undone, fmt.Sprintf("%d of %d attacks: the time was up, or the server was gone", len(shots), planned))
	}
	return nil
}

// tripwires are what only attacks that succeed run and open.
func tripwires(w *attack.World) []sandbox.File {
	var files []sandbox.File
	for _, name := range w.Programs() {
		files = append(files, sandbox.File{Path: path.Join(programDir, name), Mode: 0o755, Content: []byte("#!/bin/sh\n"), System: true})
	}
	for _, f := range w.Files() {
		mode := uint32(0o644)
		if f.Dir {
			mode = 0o755
		}
		files = append(files, sandbox.File{Path: f.Path, Mode: mode, Content: f.Content, Link: f.Link, Dir: f.Dir})
	}
	return files
}
