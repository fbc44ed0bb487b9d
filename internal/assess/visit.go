package assess

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/httpprobe"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/wording"
)

const (
	// maxVisited bounds how many places are visited.
	maxVisited = 4
	// more is how long is waited for the last of the places.
	more = 5 * time.Second
	// visitWorld keeps what visits reach apart from what calls do.
	visitWorld = 0x76697369
)

// visits asks a server that listens for what it may have there beside MCP: it
// has to withstand whoever gets to its port, which is every page in the user's
// browser.
func (st *stage) visits(first *detonation, try *launch) []job {
	most, long := st.opts.Profile.visits()
	if most == 0 || len(first.listening) == 0 {
		return nil
	}
	there := *try
	there.reach = byHTTP
	world := attack.New(st.opts.Seed^visitWorld, values(st.artifact, try.given, st.home).Dir)
	known := st.learned()
	jobs := []job{func(ctx context.Context, st *stage) error {
		st.opts.Progress.Step("visit", wording.Count(len(first.listening), "port"))
		d, err := st.detonate(ctx, &there, &talk{
			files: tripwires(world),
			visits: &session.HTTPProbe{
				World: world, Known: known, Shown: st.shown, Most: most, Long: long, Expected: len(first.listening),
			},
		})
		if err != nil {
			return fmt.Errorf("asking where the server listens: %w", err)
		}
		st.totals = append(st.totals, observedOf(d))
		if len(d.session.Calls) == 0 {
			st.undone = append(st.undone, "what it has beside MCP where it listens: it did not listen again")
		}
		return nil
	}}
	marker := world.Loopback(0)
	if headers := known.Wear("http://" + marker + "/"); headers != nil && try.reach == byHTTP && first.session.Initialized {
		jobs = append(jobs, worn(try, headers, marker))
	}
	return jobs
}

// worn uses the tools with headers that lead the server elsewhere.
func worn(try *launch, headers http.Header, marker string) job {
	return func(ctx context.Context, st *stage) error {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(headers)) {
			names = append(names, name+": "+headers.Get(name))
		}
		d, err := st.detonate(ctx, try, &talk{rounds: 1, headers: headers, bearing: &mcpsf.AttackDetail{
			Class: mcpsf.ClassHeaderRequest, Place: "headers", Payload: strings.Join(names, ", "), Why: "headers that the server reads", Sign: mcpsf.SignRequest, Marker: marker,
		}})
		if err != nil {
			return fmt.Errorf("using the server with other headers: %w", err)
		}
		st.totals = append(st.totals, observedOf(d))
		return nil
	}
}

// learned is what the package's own source tells of what it answers to.
func (st *stage) learned() httpprobe.Learned {
	var known httpprobe.Learned
	if st.artifact.Dir == "" {
		return known
	}
	root, err := os.OpenRoot(st.artifact.Dir)
	if err != nil {
		return known
	}
	defer root.Close()
	entry.Sources(root.FS(), func(text string) bool {
		known.Read(text)
		return true
	})
	return known
}

// up waits until something listens.
func (w *doorWire) up(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, comesUp)
	defer cancel()
	for {
		if at := w.listening(); len(at) > 0 {
			return address(at[0]), nil
		}
		select {
		case <-ctx.Done():
			return "", errors.New("it does not listen any more")
		case <-time.After(glance):
		}
	}
}

// places are where something listens, once there are as many as before.
func (w *doorWire) places(ctx context.Context, expected int) []string {
	for end := time.Now().Add(more); len(w.listening()) < expected && time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(glance):
		}
	}
	var list []string
	for _, at := range w.listening() {
		if len(list) < maxVisited {
			list = append(list, address(at))
		}
	}
	return list
}

// address is where something listens, as a user would write it.
func address(at netip.AddrPort) string {
	if at.Addr().IsUnspecified() || at.Addr().IsLoopback() {
		return "http://localhost:" + strconv.Itoa(int(at.Port()))
	}
	return "http://" + reachable(at).String()
}
