package assess

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/httpprobe"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// probeWorld changes the seed, so that markers of probes differ from those of calls.
const probeWorld = 0x76697369

// probeTasks probe the HTTP endpoints of a server that listens, besides MCP. Any page
// in the user's browser can reach its port, so it must resist such requests.
func (s *sandboxedServer) probeTasks() []task {
	most, long := s.opts.Profile.HTTPProbes()
	if most == 0 || len(s.first.listening) == 0 {
		return nil
	}
	there := *s.chosen
	there.Via = launch.HTTP
	world := attack.New(s.opts.Seed^probeWorld, launch.Inputs(s.artifact, s.chosen.Given, s.home).Dir)
	known := s.learned()
	tasks := []task{func(ctx context.Context, p *parallelRun) error {
		p.progress.Step("probe", wording.Count(len(s.first.listening), "port"))
		d, err := p.detonate(ctx, &there, &sessionPlan{
			files: tripwires(world),
			probe: &session.HTTPProbe{
				World: world, Known: known, Shown: p.succeeded, Most: most, Long: long, Expected: len(s.first.listening),
			},
		})
		if err != nil {
			return fmt.Errorf("asking where the server listens: %w", err)
		}
		if len(d.session.Calls) == 0 {
			p.ledger.gap(gap.New(gap.NotListening, 0, 0))
		}
		return nil
	}}
	marker := world.Loopback(0)
	if headers := known.HeadersFor("http://" + marker + "/"); headers != nil && s.chosen.Via == launch.HTTP && s.first.session.Initialized {
		tasks = append(tasks, s.withHeaders(headers, marker))
	}
	return tasks
}

// withHeaders calls the tools with headers that point the server to other hosts.
func (s *sandboxedServer) withHeaders(headers http.Header, marker string) task {
	return func(ctx context.Context, p *parallelRun) error {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(headers)) {
			names = append(names, name+": "+headers.Get(name))
		}
		_, err := p.detonate(ctx, s.chosen, &sessionPlan{rounds: 1, headers: headers, headerAttack: &mcpsf.AttackDetail{
			Class: mcpsf.ClassHeaderRequest, Place: "headers", Payload: strings.Join(names, ", "), Why: "headers that the server reads", Sign: mcpsf.SignRequest, Marker: marker,
		}})
		if err != nil {
			return fmt.Errorf("using the server with other headers: %w", err)
		}
		return nil
	}
}

// learned returns the paths and parameters that the package's source names.
func (s *sandboxedServer) learned() httpprobe.Learned {
	var known httpprobe.Learned
	if s.artifact.Dir == "" {
		return known
	}
	root, err := os.OpenRoot(s.artifact.Dir)
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
