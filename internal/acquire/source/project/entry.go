package project

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// tier orders the ways to start a server by how explicitly the package states
// them.
type tier int

const (
	tierGiven    tier = iota // by the user, after --
	tierBundle               // by a bundle's manifest, as the whole command
	tierDeclared             // by a manifest, as a program
	tierPackage              // by a manifest or layout, as the package's main module
	tierNamed                // by a file's well-known name
	tierOnly                 // by being the only script
	tierProgram              // by being the only program
	tierHint                 // mentioned to the user, never chosen
)

// way is one way to start the server.
type way struct {
	command []string
	why     string
	tier    tier
	// finder says which of [finders] found it, and rank how good it is among
	// those of the same finder and tier. Different finders are not ranked.
	finder, rank int
	runtime      mcpsf.Runtime
}

// finders lists every way to find an entry point. Their order only matters for
// how candidates of the same tier are listed.
func finders() []func(*Project) []way {
	return []func(*Project) []way{bundleWays, nodeWays, pythonWays, nativeWays}
}

// Describe fills in what the artifact is and how it is started.
func (p *Project) Describe(a *mcpsf.Artifact, target mcpsf.Target) error {
	p.ReadManifests()
	if a.Install == nil {
		a.Install = p.install()
	}
	if a.Install != nil {
		return p.describeInstall(a, target)
	}
	ways := p.ways(target.Command)
	chosen, err := p.choose(ways)
	switch {
	case err != nil && p.Unstarted:
		p.identify(a)
		return nil
	case err != nil:
		return err
	}
	a.Command, a.Runtime = withArgs(&chosen, target.Args), chosen.runtime
	for _, w := range ways {
		a.Candidates = append(a.Candidates, mcpsf.EntryCandidate{
			Command: withArgs(&w, target.Args), Why: w.why, Chosen: slices.Equal(w.command, chosen.command),
		})
	}
	given := append(p.bundleEnv(target.Env), target.Env...)
	if a.Runtime == mcpsf.RuntimePython {
		a.Env = p.pythonEnv(given)
	}
	a.Env = append(a.Env, given...)
	p.identify(a)
	return nil
}

// withArgs is a command followed by the user's arguments, unless the whole
// command is the user's.
func withArgs(w *way, args []string) []string {
	if w.tier == tierGiven {
		return w.command
	}
	return append(slices.Clip(w.command), args...)
}

// ways lists the ways to start the server, best first, each command once.
func (p *Project) ways(given []string) []way {
	var all []way
	if len(given) > 0 {
		command := p.rewrite(given)
		all = append(all, way{command: command, why: "given on the command line", tier: tierGiven, runtime: p.runtimeOf(command)})
	}
	if p.File != "" {
		all = append(all, p.fileWays()...)
	} else {
		for i, find := range finders() {
			for _, w := range find(p) {
				w.finder = i
				all = append(all, w)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b way) int {
		return cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(a.rank, b.rank))
	})
	// no gap: a larger package, manifest or list is refused with an error
	const most = 32
	var once []way
	for _, w := range all {
		same := func(o way) bool { return slices.Equal(o.command, w.command) }
		if len(once) < most && !slices.ContainsFunc(once, same) {
			once = append(once, w)
		}
	}
	return once
}

// choose picks the best way. Of several equally good ones none is picked: a
// wrong guess would assess something else than what the user runs.
func (p *Project) choose(ways []way) (way, error) {
	if len(ways) == 0 || ways[0].tier == tierHint {
		return way{}, p.noEntry(ways)
	}
	lowest := map[int]int{}
	var best []way
	for _, w := range ways {
		if w.tier != ways[0].tier {
			break
		}
		if low, seen := lowest[w.finder]; !seen || w.rank == low {
			lowest[w.finder] = w.rank
			best = append(best, w)
		}
	}
	if hinted := slices.DeleteFunc(slices.Clone(best), func(w way) bool { return w.runtime != p.server.runtime }); len(hinted) > 0 {
		best = hinted
	}
	if len(best) == 1 {
		return best[0], nil
	}
	return way{}, p.ambiguous(best)
}

func (p *Project) ambiguous(ways []way) error {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 5
	var lines []string
	for _, w := range ways[:min(most, len(ways))] {
		lines = append(lines, usererr.ShellLine(w.command))
	}
	if more := len(ways) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return usererr.Usage("%s can be started in several ways (%s); choose one: mcpsf assess %s -- %s",
		usererr.Quote(p.Source), strings.Join(lines, "; "), usererr.ShellWord(p.Source), usererr.ShellLine(ways[0].command))
}

func (p *Project) noEntry(hints []way) error {
	how := "mcpsf assess " + usererr.ShellWord(p.Source) + " -- COMMAND"
	switch {
	case len(p.missing) > 0:
		return usererr.Usage("%s, which is not there; build the server first or say how to start it: %s", p.missing[0], how)
	case len(hints) > 0:
		return usererr.Usage("%s is TypeScript, which only Node.js 22.18 or later runs directly; assess the compiled server, or say: mcpsf assess %s -- %s",
			usererr.Quote(p.Source), usererr.ShellWord(p.Source), usererr.ShellLine(hints[0].command))
	case p.File != "":
		return usererr.Usage("%s is neither a Python or Node.js script nor an executable program; name the server itself or its directory, or say how to start it: %s",
			usererr.Quote(p.Source), how)
	}
	return usererr.Usage("found no entry point in %s: no bin, main, exports or start script in package.json, no scripts in pyproject.toml, no __main__.py, no server.py, index.js or the like, no single script or program; say how to start it: %s",
		usererr.Quote(p.Source), how)
}

// rewrite maps the paths in the user's command to paths in the sandbox. A path
// in the tree stays as it is; one that leads into the tree from the user's
// current directory is made relative to the tree.
func (p *Project) rewrite(command []string) []string {
	out := slices.Clone(command)
	for i, arg := range out {
		inside := filepath.IsLocal(arg) && p.Tree.ByPath[path.Clean(filepath.ToSlash(arg))] != nil
		if inside || !strings.ContainsRune(arg, filepath.Separator) {
			continue
		}
		rel, ok := p.inTree(arg)
		switch {
		case !ok:
		case filepath.IsAbs(arg):
			out[i] = path.Join(mcpsf.WorkDir, rel)
		default:
			out[i] = "./" + rel
		}
	}
	return out
}

// inTree returns the path in the tree of a path on the host.
func (p *Project) inTree(arg string) (string, bool) {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return "", false
	}
	dirs := []string{p.Dir}
	if given, err := filepath.Abs(p.Source); err == nil && p.File == "" {
		dirs = append(dirs, given)
	}
	for _, dir := range dirs {
		rel, err := filepath.Rel(dir, abs)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		rel = filepath.ToSlash(rel)
		if rel == "." || p.Tree.ByPath[rel] != nil {
			return rel, true
		}
	}
	return "", false
}
