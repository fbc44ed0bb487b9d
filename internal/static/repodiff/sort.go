package repodiff

import (
	"context"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// sort classifies each file that the repository does not have.
func (c *comparison) sort(ctx context.Context) {
	for _, f := range c.unmatched {
		if ctx.Err() != nil {
			return
		}
		if c.hooked[f.path] {
			continue
		}
		kind, level := c.judge(f)
		if kind == "" {
			continue
		}
		if c.found[kind] == nil {
			c.found[kind] = map[string][]string{}
		}
		c.found[kind][string(level)] = append(c.found[kind][string(level)], f.path)
	}
}

// judge returns the kind of a difference, "" if builds and publishing are
// expected to make it; it is counted then.
func (c *comparison) judge(f *file) (kind string, level mcpsf.Severity) {
	if c.expected(f) {
		c.out.Built++
		return "", ""
	}
	text := c.own.text(f.path)
	at := c.counterpart(f.path)
	switch lang := languageOf(f.path); {
	case at != nil && c.onlyVersion(text, c.repo.text(at.path)):
		c.out.Same++
		return "", ""
	case at != nil && isPointer(c.repo.text(at.path)):
		c.out.Built++ // the archive never contained the content
		return "", ""
	case at != nil && lang == script && c.build.bundles && inBuildDir(f.path):
		return FactOutput, mcpsf.SeverityLow
	case at != nil:
		return FactChanged, c.level(f.path, text, c.in.Exact)
	case lang == script && isMinified(text):
		return FactMinified, mcpsf.SeverityLow
	case lang == script && inOutputDir(f.path) && c.build.bundles:
		return FactOutput, mcpsf.SeverityLow
	default:
		return FactAdded, c.level(f.path, text, true)
	}
}

// level is medium for code that runs and has no other explanation.
func (c *comparison) level(name, text string, sure bool) mcpsf.Severity {
	if !sure || c.build.partial || languageOf(name) == typed || claimsGenerated(text) || isAside(name) || c.build.writes && languageOf(name) == python {
		return mcpsf.SeverityLow
	}
	return mcpsf.SeverityMedium
}

// isAside recognises files that the package does not use itself.
func isAside(name string) bool {
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		switch strings.ToLower(dir) {
		case "test", "tests", "__tests__", "testing", "docs", "doc", "examples", "example", "benchmarks":
			return true
		}
	}
	return false
}

// expected recognises build output.
func (c *comparison) expected(f *file) bool {
	switch languageOf(f.path) {
	case script:
		return c.expectedScript(f)
	case native:
		return c.build.natives || strings.Contains(f.path, ".libs/")
	case python:
		return c.isVersionFile(f) || c.isProtocol(f.path)
	case startup:
		return true // relevant ones are reported as hooks
	}
	return false
}

func (c *comparison) expectedScript(f *file) bool {
	if c.compiled(f.path) {
		return true
	}
	text := c.own.text(f.path)
	switch {
	case c.isVersionFile(f):
		return true
	case !c.build.bundles:
		return c.build.minifies && c.minifiedFrom(f.path)
	case isMinified(text) && c.build.minifies:
		return true
	case !inOutputDir(f.path):
		return false
	}
	return f.size > maxRead || looksBundled(f.path, text)
}

// minifiedFrom recognises x.min.js by its x.js, in the package or the
// repository.
func (c *comparison) minifiedFrom(name string) bool {
	dir, base := path.Split(name)
	stem, ok := strings.CutSuffix(strings.TrimSuffix(base, path.Ext(base)), ".min")
	plain := dir + stem + path.Ext(base)
	return ok && (c.own.all[plain] || c.counterpart(plain) != nil || c.compiled(plain))
}

// isProtocol recognises code that is generated from a protocol definition.
func (c *comparison) isProtocol(name string) bool {
	for _, tail := range []string{"_pb2.py", "_pb2_grpc.py"} {
		if stem, ok := strings.CutSuffix(path.Base(name), tail); ok && c.protocols[stem] {
			return true
		}
	}
	return false
}
