package repodiff

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// hookFact is code that runs automatically and is not in the repository.
type hookFact struct {
	path, name, text string
}

// hooks checks code that runs at the installation or whenever Python starts.
func (c *comparison) hooks() {
	unmatched := map[string]*file{}
	for _, f := range c.unmatched {
		unmatched[f.path] = f
	}
	switch c.in.Ecosystem {
	case mcpsf.EcosystemNPM:
		c.installScripts(unmatched)
	case mcpsf.EcosystemPyPI:
		for _, f := range c.unmatched {
			c.startupFile(f)
		}
		if f := unmatched["setup.py"]; f != nil {
			c.setup(f)
		}
	}
}

func installNames() []string { return []string{"preinstall", "install", "postinstall"} }

// installScripts compares the install scripts of npm, and the files they run.
func (c *comparison) installScripts(unmatched map[string]*file) {
	if c.ours == nil || c.theirs == nil {
		return
	}
	for _, name := range installNames() {
		line := c.ours.Scripts[name]
		if line == "" {
			continue
		}
		same := c.theirs.Scripts[name] == line
		if !same {
			c.hook(manifestName, name, quote(name+": "+line)+" is not in the repository's package.json")
		}
		for _, target := range c.targets(line) {
			f := unmatched[target]
			if f == nil || c.builtAsDeclared(f, same) {
				continue
			}
			c.hooked[target] = true
			c.hook(target, name, quote(target)+", which "+name+" runs, is not in the repository")
		}
	}
}

// builtAsDeclared excuses a file that the repository's own scripts run and its
// build makes.
func (c *comparison) builtAsDeclared(f *file, same bool) bool {
	if c.compiled(f.path) || same && inOutputDir(f.path) && c.build.compiles {
		return true
	}
	at := c.counterpart(f.path)
	return at != nil && (!c.in.Exact || c.onlyVersion(c.own.text(f.path), c.repo.text(at.path)))
}

// targets returns the files of the package that a command line names.
func (c *comparison) targets(line string) []string {
	// gap: repository
	const most = 32
	var found []string
	for _, word := range words(line) {
		word = path.Clean(strings.TrimPrefix(word, "./"))
		for _, name := range []string{word, word + ".js", word + ".cjs", word + ".mjs", path.Join(word, "index.js")} {
			if c.own.all[name] && languageOf(name) != noLanguage && len(found) < most && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// startupFile recognises files that Python runs when it starts.
func (c *comparison) startupFile(f *file) {
	base := path.Base(f.path)
	top, _, nested := strings.Cut(f.path, "/")
	if nested && path.Ext(top) != ".data" {
		return
	}
	switch {
	case path.Ext(base) == ".pth" && !c.runsUnknown(f):
		return
	case path.Ext(base) != ".pth" && base != "sitecustomize.py" && base != "usercustomize.py":
		return
	}
	c.hooked[f.path] = true
	c.hook(f.path, "startup", quote(f.path)+", which Python obeys whenever it starts, is not in the repository")
}

// namespaceLine is the line that setuptools writes for namespace packages.
var namespaceLine = lazyregexp.New(`^import sys, types, os;(?:has_mfs = sys\.version_info > \(3, 5\);)?p = os\.path\.join\(sys\._getframe\(1\)\.f_locals\['sitedir'\], \*\([\w', ]+\)\);` +
	`(?:importlib = has_mfs and __import__\('importlib\.util'\);has_mfs and __import__\('importlib\.machinery'\);)?` +
	`[\w \.'\(\)\[\],:;=_]*$`)

// runsUnknown reports whether a .pth file has code that is not in the package's
// build files.
func (c *comparison) runsUnknown(f *file) bool {
	var known strings.Builder
	for _, name := range []string{"setup.py", "setup.cfg", "pyproject.toml", "hatch_build.py", "build.py"} {
		known.WriteString(c.repo.text(name))
		if c.dir != "" {
			known.WriteString(c.repo.text(path.Join(c.dir, name)))
		}
	}
	text := c.own.text(f.path)
	if text == "" && f.size > 0 {
		return true // too large to be read, which no legitimate one is
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		code := strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "import\t")
		if code && !strings.Contains(known.String(), line) && !(strings.HasSuffix(f.path, "-nspkg.pth") && namespaceLine.MatchString(line)) {
			return true
		}
	}
	return false
}

var (
	setupImport = lazyregexp.New(`(?m)^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w., ]+))`)
	quotedText  = lazyregexp.New(`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`)
	setupActs   = lazyregexp.New(`\b(?:__import__|importlib|exec|eval|compile|open|getattr|globals|cmdclass|os\.|sys\.|subprocess)\b`)
)

// setup reports a setup.py that the repository does not have. Several builders
// write one that only lists metadata; that is no hook.
func (c *comparison) setup(f *file) {
	text := c.own.text(f.path)
	if at := c.counterpart(f.path); at != nil && (!c.in.Exact || c.onlyVersion(text, c.repo.text(at.path))) {
		return // reported as changed, if at all
	}
	// Quoted text is a description of the package.
	plain := text != "" && !setupActs.MatchString(quotedText.ReplaceAllString(text, ""))
	for _, m := range setupImport.FindAllStringSubmatch(text, -1) {
		name := strings.TrimSpace(m[1] + m[2])
		plain = plain && (name == "setuptools" || name == "distutils.core" || name == "build" || name == "setuptools.command.build_ext")
	}
	if plain {
		c.hooked[f.path] = true
		c.out.Built++
		return
	}
	c.hooked[f.path] = true
	c.hook(f.path, "setup.py", `"setup.py", which runs at the installation, is not in the repository like this`)
}

func (c *comparison) hook(at, name, text string) {
	c.facts = append(c.facts, hookFact{at, name, text})
}
