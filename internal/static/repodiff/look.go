package repodiff

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// isMinified recognises minified code by its lines.
func isMinified(text string) bool {
	const long, mean, least = 1000, 200, 1000
	if len(text) < least {
		return false
	}
	lines, longest := 0, 0
	for line := range strings.Lines(text) {
		lines++
		longest = max(longest, len(line))
	}
	return longest >= long && len(text)/lines >= mean
}

var (
	chunkName  = lazyregexp.New(`(?i)^chunk[-_.]`)
	hashedName = lazyregexp.New(`[-.](?:[0-9A-Za-z_]{8}|[0-9a-f]{6,20})$`)
)

// isHashed recognises names that bundlers generate, with a part of a digest.
func isHashed(stem string) bool {
	return chunkName.MatchString(stem) || strings.ContainsAny(hashedName.FindString(stem), "0123456789")
}

// looksBundled recognises the output of bundlers by their signatures.
func looksBundled(name, text string) bool {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	const big = 48 << 10
	if len(text) > big || isHashed(stem) {
		return true
	}
	for _, mark := range []string{
		"__webpack_require__", "__toESM(", "__commonJS(", "__esm(", "__defProp(", "//#region ", "// src/", "// node_modules/", "__turbopack",
		"parcelRequire", "System.register(", "var __create = Object.create", "from\"./chunk-", "from './chunk-", "from \"./chunk-",
	} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// isPointer recognises a Git LFS pointer.
func isPointer(text string) bool {
	return strings.HasPrefix(text, "version https://git-lfs.github.com/spec/")
}

var generatedHead = lazyregexp.New(`(?i)(generated (by|from|automatically)|auto-?generated|do not edit|@generated)`)

// claimsGenerated reports whether a file says that it was generated. Anybody
// can write that, so the file only counts less.
func claimsGenerated(text string) bool {
	const head = 1000
	return generatedHead.MatchString(text[:min(len(text), head)])
}

// acts matches code that a version file does not need.
var acts = lazyregexp.New(`\b(subprocess|socket|urllib|requests|httpx|exec|eval|compile|__import__|importlib|os\.|open|child_process|require|fetch|Function|import\s*\(|base64|atob|Buffer|process\.)\b`)

// isVersionFile recognises the file that a release writes its version into.
func (c *comparison) isVersionFile(f *file) bool {
	// gap: repository
	const most = 8 << 10
	base := strings.ToLower(path.Base(f.path))
	stem := strings.Trim(strings.TrimSuffix(base, path.Ext(base)), "_")
	if f.size > most || !strings.Contains(stem, "version") && stem != "about" && stem != "build_info" {
		return false
	}
	text := c.own.text(f.path)
	return strings.Contains(text, c.in.Version) && !acts.MatchString(text)
}

var placeholder = lazyregexp.New(`^[\w.+{}$%@<> -]{0,60}$`)

// onlyVersion reports whether two texts differ only in the version, and the
// package's text has its version.
func (c *comparison) onlyVersion(ours, theirs string) bool {
	// gap: repository
	const most = 20
	if ours == "" || theirs == "" || c.in.Version == "" {
		return false
	}
	a, b := linesOf(ours), linesOf(theirs)
	if len(a) != len(b) {
		return false
	}
	changed := 0
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		before, after, ok := strings.Cut(a[i], c.in.Version)
		if changed++; !ok || changed > most || len(b[i]) < len(before)+len(after) || !strings.HasPrefix(b[i], before) || !strings.HasSuffix(b[i], after) {
			return false
		}
		if !placeholder.MatchString(b[i][len(before) : len(b[i])-len(after)]) {
			return false
		}
	}
	return true
}

func linesOf(text string) []string {
	lines := strings.Split(strings.TrimRight(strings.TrimPrefix(text, "\ufeff"), "\r\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}
