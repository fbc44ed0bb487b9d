//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf/internal/pause"
)

// maxKills is how many processes are killed before the service may finish
// something. If a job takes longer than a worker lives, nothing would ever end.
const maxKills = 6

// kill kills a process now and then, until ctx ends. It returns what was
// killed.
func (f *faults) kill(ctx context.Context) (string, error) {
	counts := map[string]int{}
	told := func() string { return fmt.Sprintf("killed: %v", counts) }
	kills, done := 0, 0
	for {
		if pause.For(ctx, time.Duration(400+rand.IntN(1600))*time.Millisecond) != nil {
			return told(), nil
		}
		f.start()
		if now := f.progress(); now > done {
			kills, done = 0, now
		}
		if kills++; kills > maxKills {
			continue
		}
		victims := []string{"server", "worker 1", "worker 2", "worker 1", "worker 2", "database"}
		victim := victims[rand.IntN(len(victims))]
		// On a slow machine it would never get to listen.
		if victim == "server" && !f.listens() && rand.IntN(4) > 0 {
			continue
		}
		counts[strings.TrimRight(victim, " 12")]++
		if victim == "database" {
			f.pg.Kill()
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Millisecond)
			if err := f.pg.Resume(context.WithoutCancel(ctx)); err != nil {
				return told(), err
			}
			continue
		}
		f.mu.Lock()
		p := f.running[victim]
		f.mu.Unlock()
		_ = p.cmd.Process.Signal(syscall.SIGKILL)
		<-p.ended
		f.start()
	}
}

// progress grows with every job that begins or ends. It is 0 while the database
// is down.
func (f *faults) progress() int {
	n := 0
	for state, jobs := range f.counts() {
		n += jobs
		if state.Ended() {
			n += jobs
		}
	}
	return n
}

// complaints are the last log lines of all processes.
func (f *faults) complaints() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all strings.Builder
	for name, p := range f.running {
		text := p.stderr.String()
		fmt.Fprintf(&all, "%s: %s\n", name, text[max(0, len(text)-2000):])
	}
	return all.String()
}

// listens says whether the server can be reached.
func (f *faults) listens() bool {
	c, err := net.DialTimeout("tcp", f.listen, time.Second)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}
