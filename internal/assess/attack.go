package assess

import (
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/wording"
)

const (
	// maxBoxes bounds how often a server that attacks bring down is started
	// again.
	maxBoxes = 8
	// programDir is on every PATH.
	programDir = "/usr/local/bin"
)

// aim decides what the server has to withstand.
func (st *stage) aim(ctx context.Context, sess *mcpsf.Session, try *launch) error {
	most, _ := st.opts.Profile.attacks()
	if most == 0 {
		return nil
	}
	inputs := values(st.artifact, try.given, st.home)
	world := attack.New(st.opts.Seed, inputs.Dir)
	aim := attackplan.Plan{World: world, Values: inputs, Seed: st.opts.Seed, All: st.opts.Profile == Aggressive, Most: most}
	st.shots = aim.Calls(sess)
	more, err := st.proposed(ctx, sess, world, inputs, st.shots)
	if err != nil {
		return err
	}
	attackplan.Arrange(more)
	st.more = more
	return nil
}

// attacks make the shots. What is tried on one tool is tried in one sandbox, one
// after another. What a model proposed has starts and time of its own: if it
// brings the server down, nothing of ours is left out for it.
func (st *stage) attacks(sess *mcpsf.Session, try *launch, extra []box.File) []job {
	files := append(tripwires(attack.New(st.opts.Seed, values(st.artifact, try.given, st.home).Dir)), extra...)
	made := func(shots []attackplan.AttackCall, long time.Duration) job {
		return func(ctx context.Context, st *stage) error {
			return st.attack(ctx, try, &talk{known: sess, since: mcpsf.SinceCalls, shots: shots, files: files}, st.opts.Now().Add(long))
		}
	}
	_, long := st.opts.Profile.attacks()
	var jobs []job
	for _, shots := range shared(st.shots, st.opts.Boxes) {
		jobs = append(jobs, made(shots, long))
	}
	if n := len(st.more); n > 0 {
		jobs = append(jobs, made(st.more, proposedStarts+time.Duration(n)*proposedTime))
	}
	return jobs
}

// shared deals the shots out over sandboxes, if there are enough to be worth
// another start of the server.
func shared(shots []attackplan.AttackCall, boxes int) [][]attackplan.AttackCall {
	const worthwhile = 300
	n := max(1, min(boxes, len(shots)/worthwhile))
	parts := make([][]attackplan.AttackCall, n)
	whose := map[string]int{}
	for _, s := range shots {
		part, ok := whose[s.Tool]
		if !ok { // to whoever has the least to do
			for i := range parts {
				if len(parts[i]) < len(parts[part]) {
					part = i
				}
			}
			whose[s.Tool] = part
		}
		parts[part] = append(parts[part], s)
	}
	return slices.DeleteFunc(parts, func(p []attackplan.AttackCall) bool { return len(p) == 0 })
}

// attack makes the shots. Each start of the server goes on where the last one
// ended.
func (st *stage) attack(ctx context.Context, try *launch, plan *talk, end time.Time) error {
	shots := plan.shots
	st.planned += len(shots)
	doubts := doubts{}
	for range maxBoxes {
		if len(shots) == 0 || st.opts.Now().After(end) {
			break
		}
		st.opts.Progress.Step("attack", wording.Count(len(shots), "call"))
		until := st.opts.Now().Add(st.opts.Wall / 2) // before the box is ended
		if until.After(end) {
			until = end
		}
		say := *plan
		say.shots, say.until = shots, until
		d, err := st.detonate(ctx, try, &say)
		if err != nil {
			return fmt.Errorf("attacking the server: %w", err)
		}
		st.totals = append(st.totals, observedOf(d))
		made := shotsMade(d.session)
		if made == 0 {
			break
		}
		made = min(made, len(shots))
		if deaf(d.session) {
			end = end.Add(forDeaf)
		}
		shots = append(doubts.of(shots[:made], d.session), shots[made:]...)
	}
	st.unmade += len(shots)
	return nil
}

// tripwires are what only attacks that succeed run and open.
func tripwires(w *attack.World) []box.File {
	var files []box.File
	for _, name := range w.Programs() {
		files = append(files, box.File{Path: path.Join(programDir, name), Mode: 0o755, Content: []byte("#!/bin/sh\n"), System: true})
	}
	for _, f := range w.Files() {
		mode := uint32(0o644)
		if f.Dir {
			mode = 0o755
		}
		files = append(files, box.File{Path: f.Path, Mode: mode, Content: f.Content, Link: f.Link, Dir: f.Dir})
	}
	return files
}
