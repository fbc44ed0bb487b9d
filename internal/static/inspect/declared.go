package inspect

import (
	"io/fs"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// A package's own documentation is quoted beside each of its capabilities, so
// that a reader sees at once whether it mentions them. A malicious author
// chooses these words well: they inform and excuse nothing, and no rule may use
// them.

// Bounds of the documentation that is searched.
// no gap: bounds what is shown or what excuses; the rest of the source is read
const (
	maxReadme      = 6 << 10
	maxManifest    = 256 << 10
	maxDescription = 2 << 10
	maxDescribed   = 200
)

// declare quotes the package's documentation beside its capabilities.
func (r *Result) declare(in *Input) {
	if len(r.Inspection.Capabilities) == 0 {
		return
	}
	own := r.ownWords(in)
	for i := range r.Inspection.Capabilities {
		a := &r.Inspection.Capabilities[i]
		a.Declared = own.expect(a.Kind)
	}
}

// statements are a package's sentences about itself, and its keywords.
type statements struct {
	sentences []string
	keywords  []string
}

// ownWords collects them from the description, the beginning of the README, the
// tools that are defined in the source, and the manifest.
func (r *Result) ownWords(in *Input) statements {
	own := statements{sentences: sentences(clipped(in.Artifact.Description, maxDescription))}
	for i, t := range r.Inspection.Tools {
		if i == maxDescribed {
			break
		}
		own.sentences = append(own.sentences, sentences(clipped(t.Tool.Description, maxDescription))...)
	}
	files := in.Files
	if in.Image {
		if in.Dir == "" {
			return own
		}
		var err error
		if files, err = fs.Sub(in.Files, in.Dir); err != nil {
			return own
		}
	}
	for _, name := range []string{"README.md", "README", "readme.md", "Readme.md", "README.rst", "README.txt"} {
		if text := head(files, name, maxReadme); text != "" {
			own.sentences = append(own.sentences, sentences(prose(text))...)
			break
		}
	}
	own.keywords = append(packageKeywords(head(files, "package.json", maxManifest)), projectKeywords(head(files, "pyproject.toml", maxManifest))...)
	own.metadata(files)
	return own
}

// metadata adds what a built Python package has instead of README and manifest.
func (s *statements) metadata(files fs.FS) {
	names, err := fs.Glob(files, "*.dist-info/METADATA")
	if err != nil {
		return
	}
	for _, name := range append(names, "PKG-INFO") {
		if text := head(files, name, maxReadme*2); text != "" {
			header, body, _ := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
			s.keywords = append(s.keywords, headerKeywords(header)...)
			s.sentences = append(s.sentences, sentences(prose(clipped(body, maxReadme)))...)
			return
		}
	}
}

// maxQuote is the maximum length of a quotation, in bytes.
// no gap: bounds what is shown or what excuses; the rest of the source is read
const maxQuote = 240

// expect returns the shortest sentence that mentions a capability; a heading of
// a word or two, or a keyword, only if there is no sentence. It is "" if
// nothing does.
func (s *statements) expect(p mcpsf.CapabilityKind) string {
	var best, brief string
	for _, sentence := range s.sentences {
		words := wordsOf(sentence)
		if !promises(p, words) {
			continue
		}
		if len(words) < 3 {
			brief = shorter(brief, sentence)
			continue
		}
		best = shorter(best, sentence)
	}
	if best == "" {
		best = brief
	}
	for _, k := range s.keywords {
		if best == "" && promises(p, wordsOf(k)) {
			best = "keyword: " + k
		}
	}
	if len(best) > maxQuote {
		best = clipped(best, maxQuote) + "…"
	}
	return best
}

// shorter returns the shorter of two texts that are not empty.
func shorter(a, b string) string {
	if a == "" || b != "" && len(b) < len(a) {
		return b
	}
	return a
}

// head returns the beginning of a file, "" if there is no such file.
func head(files fs.FS, name string, n int) string {
	if info, err := fs.Stat(files, path.Clean(name)); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := files.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	return firstBytes(file, n)
}
