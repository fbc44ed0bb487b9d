package repodiff

import (
	"path"
	"slices"
	"strings"
)

// build is what the repository shows about the package's build.
type build struct {
	// compiles: each source becomes a file. bundles: several become one of any
	// name. minifies: the output is minified.
	compiles, bundles, minifies bool
	// natives: there is source that is compiled to machine code.
	natives bool
	// partial: the repository's archive lacks some of its files.
	partial bool
	// writes: the build of a Python package runs its own code, which may write
	// files.
	writes bool
}

// buildOf reads manifests, settings of known tools, and languages.
func buildOf(repository *listing, manifests ...*manifest) build {
	var b build
	for name := range repository.all {
		b.sign(path.Base(name))
	}
	for _, m := range manifests {
		if m == nil {
			continue
		}
		for _, word := range m.words {
			b.tool(word)
		}
		if line := m.Scripts["build"] + " " + m.Scripts["prepare"] + " " + m.Scripts["prepack"]; runsOwnScript(line) {
			b.compiles, b.bundles, b.minifies = true, true, true // its output is unknown
		}
	}
	if repository.all[".gitmodules"] || strings.Contains(repository.text(".gitattributes"), "export-ignore") {
		b.partial = true
	}
	return b
}

// sign updates b from the name of a file.
func (b *build) sign(base string) {
	switch stem, _, _ := strings.Cut(base, ".config."); {
	case strings.HasPrefix(base, "tsconfig") && path.Ext(base) == ".json", strings.HasPrefix(base, "babel.config"), strings.HasPrefix(base, ".babelrc"), base == ".swcrc":
		b.compiles = true
	case stem != base && slices.Contains([]string{"rollup", "webpack", "vite", "tsup", "esbuild", "rspack", "tsdown", "build", "rolldown"}, stem):
		b.compiles, b.bundles, b.minifies = true, true, true
	case base == "hatch_build.py", base == "build.py":
		b.writes = true
	}
	switch path.Ext(base) {
	case ".c", ".cc", ".cpp", ".cxx", ".rs", ".pyx", ".go", ".zig", ".m", ".mm", ".swift", ".gyp", ".f90":
		b.natives = true
	}
}

// tool updates b from a program or package that the build needs.
func (b *build) tool(word string) {
	name := path.Base(word)
	switch {
	case slices.Contains([]string{"tsc", "typescript", "babel", "cli", "core", "swc", "coffee", "tsc-alias", "sucrase"}, name) && (name != "cli" && name != "core" || strings.HasPrefix(word, "@babel/") || strings.HasPrefix(word, "@swc/")):
		b.compiles = true
	case slices.Contains([]string{
		"esbuild", "rollup", "webpack", "webpack-cli", "vite", "tsup", "ncc", "parcel", "rspack", "unbuild", "microbundle", "tsdown",
		"rolldown", "browserify", "pkgroll", "bunchee", "bun", "obuild", "vite-plus",
	}, name):
		b.compiles, b.bundles, b.minifies = true, true, true
	case slices.Contains([]string{"terser", "uglify-js", "uglifyjs", "google-closure-compiler", "minify"}, name):
		b.minifies = true
	}
}

// runsOwnScript recognises a build by a script of the repository, whose output
// is unknown.
func runsOwnScript(line string) bool {
	all := words(line)
	for i, word := range all {
		if languageOf(word) == noLanguage || inOutputDir(word) {
			continue
		}
		if i == 0 || slices.Contains([]string{"node", "tsx", "ts-node", "bun", "deno", "python", "python3", "sh", "bash", "zx"}, all[i-1]) {
			return true
		}
	}
	return slices.Contains(all, "make")
}

// isOutputDir recognises folders that builds write into.
func isOutputDir(name string) bool {
	return slices.Contains([]string{
		"dist", "build", "lib", "out", "es", "esm", "cjs", "umd", "output", "compiled", "commonjs", "module", "bundle", "bundles",
		"static", "assets", "public", "prebuilds", ".next", "chunks", "_chunks",
	}, strings.ToLower(name))
}

// isRoot recognises folders that only hold the source: a build removes or adds
// them.
func isRoot(name string) bool {
	return isOutputDir(name) || slices.Contains([]string{"src", "source", "sources", "node", "browser", "main", "types", "bin", "ts", "js", "app", "server"}, strings.ToLower(name))
}

func inOutputDir(name string) bool {
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if isOutputDir(dir) {
			return true
		}
	}
	return false
}

// inBuildDir recognises folders that contain only build output, even if they
// are in the repository.
func inBuildDir(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first != name && isOutputDir(first) && first != "lib" && first != "static" && first != "public" && first != "assets"
}
