package assesscmd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/source/clientconfig"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// run assesses the server that a target names, or all servers of a
// configuration.
func (a *assessor) run(ctx context.Context, target mcpsf.Target, f *assessFlags) error {
	if err := f.model.prepare(&f.attack.seed); err != nil {
		return err
	}
	if f.attack.seed == 0 {
		f.attack.seed = rand.Uint64()
	}
	s, err := a.setUp(f)
	if err != nil {
		return err
	}
	defer s.close()
	if err := a.save(target, f); err != nil {
		return err
	}
	servers, err := expand(target, f.target.servers, f.attack.seed, a.Getenv)
	if err != nil {
		return err
	}
	if warning := s.network.Warning(); warning != "" {
		fmt.Fprintln(a.Stderr, "warning: "+warning)
	}
	if len(servers) == 1 && servers[0].Problem == "" {
		a.printReplaced(&servers[0])
		return a.assessOne(ctx, s, f, servers[0].Target, f.output.dir)
	}
	return a.assessAll(ctx, s, f, servers)
}

// assessAll assesses servers one after another. If one fails, the others are
// still assessed; the most severe outcome decides the exit code.
func (a *assessor) assessAll(ctx context.Context, s *setup, f *assessFlags, servers []clientconfig.Server) error {
	worst := program.ExitOK
	for i := range servers {
		server := &servers[i]
		fmt.Fprintf(a.Stderr, "%s (%d of %d)\n", safetext.Clean(server.Name), i+1, len(servers))
		a.printReplaced(server)
		err := a.assessNamed(ctx, s, f, server)
		if ctx.Err() != nil {
			return err
		}
		worst = moreSevere(worst, a.ExitCode(ctx, err))
	}
	if worst == program.ExitOK {
		return nil
	}
	return &program.Outcome{Code: worst}
}

func (a *assessor) assessNamed(ctx context.Context, s *setup, f *assessFlags, server *clientconfig.Server) error {
	if server.Problem != "" {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: server.Problem}
	}
	dir := f.output.dir
	if dir != "" {
		dir = filepath.Join(dir, fileName(server.Name))
	}
	return a.assessOne(ctx, s, f, server.Target, dir)
}

// printReplaced says which values of a configuration were not passed to the
// server.
func (a *assessor) printReplaced(s *clientconfig.Server) {
	if len(s.Replaced) > 0 {
		fmt.Fprintln(a.Stderr, safetext.Clean("fakes of the same shape stand in for "+strings.Join(s.Replaced, ", ")))
	}
}

// moreSevere picks the more important outcome: findings, then failures, then
// inconclusive runs.
func moreSevere(a, b int) int {
	rank := map[int]int{program.ExitOK: 0, program.ExitInconclusive: 1, program.ExitUsage: 2, program.ExitFailure: 3, program.ExitFindings: 4}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// fileName is a server's name as a directory name.
func fileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, name)
	if strings.Trim(safe, ".") == "" {
		return "server"
	}
	return safe
}

// assessOne assesses a server, prints its report and decides the exit code.
func (a *assessor) assessOne(ctx context.Context, s *setup, f *assessFlags, target mcpsf.Target, dir string) error {
	result, dir, err := a.assessTarget(ctx, s, f, target, dir)
	if err != nil {
		return err
	}
	style := a.style(f)
	style.Dir = dir
	if err := report.Write(a.Stdout, report.Format(f.output.print.Format), result.Report, result.Events, style); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if result.Kept != "" {
		fmt.Fprintln(a.Stderr, "kept "+result.Kept)
	}
	if err := a.lock(&f.output.keep, result.Report); err != nil {
		return err
	}
	return f.output.failOn.Decide(result.Report)
}

// style is how reports of a run are written.
func (a *assessor) style(f *assessFlags) report.Style {
	style := a.Style(a.Stdout)
	style.Explain, style.Gate = f.output.print.Explain, f.output.failOn.Gate()
	return style
}

// assessTarget runs the assessment and keeps its files; it returns their
// directory.
func (a *assessor) assessTarget(ctx context.Context, s *setup, f *assessFlags, target mcpsf.Target, dir string) (*assess.Result, string, error) {
	where, err := f.executor.choose(a.Getenv)
	if err != nil {
		return nil, "", err
	}
	if where == executorLocal {
		return a.assessLocal(ctx, s, f, target, dir)
	}
	return a.assessElsewhere(ctx, f, target, dir, where)
}
