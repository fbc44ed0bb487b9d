package repodiff

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// result returns the differences. If most of a package is not in the
// repository, the package was not published from it, and single files prove
// little.
func (c *comparison) result() *Result {
	out := &c.out
	differ := len(c.facts)
	for _, levels := range c.found {
		for _, files := range levels {
			differ += len(files)
		}
	}
	if c.own.bundled {
		out.Notes = append(out.Notes, "packages of others that the package brings along were not compared with any repository")
	}
	if n := c.own.large + c.repo.large; n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%d source files are too large to be compared with the repository", n))
	}
	switch {
	case out.Files == 0:
		out.Missing = "the package has no source files that could be compared"
		return out
	case c.foreign():
		out.Facts = []mcpsf.Fact{c.foreignFact()}
		return out
	}
	if unlike := differ > 3 && differ > out.Same+out.Built; unlike {
		out.Notes = append(out.Notes, "most of the package differs from the repository: it was published from another state of it, or by a build that is not understood")
		c.lower()
	}
	for _, h := range c.facts {
		out.Facts = append(out.Facts, mcpsf.Fact{Kind: FactHook, Path: clean(h.path), Name: h.name, Text: h.text, Level: mcpsf.SeverityHigh})
	}
	out.Facts = append(out.Facts, c.scripts()...)
	for _, kind := range slices.Sorted(maps.Keys(c.found)) {
		for _, level := range slices.Sorted(maps.Keys(c.found[kind])) {
			files := c.found[kind][level]
			out.Facts = append(out.Facts, mcpsf.Fact{
				Kind: kind, Path: clean(files[0]), Level: mcpsf.Severity(level),
				Text: fmt.Sprintf("%d of its %d source files %s: %s", len(files), out.Files, wordsFor(kind), examples(files)),
			})
		}
	}
	return out
}

// lower sets every difference to severity low, if most files differ.
func (c *comparison) lower() {
	for kind, levels := range c.found {
		all := slices.Concat(slices.Collect(maps.Values(levels))...)
		slices.Sort(all)
		c.found[kind] = map[string][]string{string(mcpsf.SeverityLow): all}
	}
}

// foreign recognises a repository that has nothing of the package: not its
// manifest, and none of its files, not even with other content.
func (c *comparison) foreign() bool {
	if c.theirs != nil || c.out.Same > 0 || c.out.Built > 0 {
		return false
	}
	return !slices.ContainsFunc(c.unmatched, func(f *file) bool { return c.counterpart(f.path) != nil })
}

func (c *comparison) foreignFact() mcpsf.Fact {
	text, level := fmt.Sprintf("none of its %d source files is in the repository that it names, nor its manifest", c.out.Files), mcpsf.SeverityLow
	if c.ours != nil {
		for _, name := range installNames() {
			if c.ours.Scripts[name] != "" {
				text, level = text+", and it runs something at its installation", mcpsf.SeverityMedium
			}
		}
	}
	return mcpsf.Fact{Kind: FactForeign, Text: text, Level: level}
}

// scripts returns the changed or added scripts of package.json, besides install
// scripts. Publishing removes some.
func (c *comparison) scripts() []mcpsf.Fact {
	if c.in.Ecosystem != mcpsf.EcosystemNPM || c.ours == nil || c.theirs == nil {
		return nil
	}
	var names []string
	for name, line := range c.ours.Scripts {
		if c.theirs.Scripts[name] != line && !slices.Contains(installNames(), name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return []mcpsf.Fact{{
		Kind: FactScripts, Path: manifestName, Level: mcpsf.SeverityInfo,
		Text: fmt.Sprintf("%d of the scripts in package.json are not those of the repository: %s", len(names), examples(names)),
	}}
}

func wordsFor(kind string) string {
	switch kind {
	case FactAdded:
		return "are not in the repository"
	case FactChanged:
		return "are not as in the repository"
	case FactMinified:
		return "are minified, and nothing in the repository makes such"
	default:
		return "lie where builds write, and no source of theirs was found in the repository"
	}
}

func examples(names []string) string {
	// gap: repository
	const most = 5
	var shown []string
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, quote(name))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

const longest = 200

func quote(name string) string {
	if len(name) > longest {
		return strconv.Quote(name[:longest]) + "..."
	}
	return strconv.Quote(name)
}

// clean returns a path that is safe to show; others are quoted.
func clean(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quote(name)
	}
	return name
}
