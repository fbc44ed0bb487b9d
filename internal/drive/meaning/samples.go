package meaning

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Samples finds the files and folders, beside the usual ones, that a tool can be
// pointed at.
type Samples struct {
	// File returns a valid file with an ending such as ".xlsx", Project the folder
	// of a project that one of the words names. Both return "" if there is none.
	File    func(ending string) string
	Project func(words []string) string
	// Content returns what is in the file with an ending, nil if there is none.
	Content func(ending string) []byte
	// Main returns the main file of the project in a folder.
	Main func(dir string) string
	// Server is the name of the server: all folders of a server for Godot are
	// projects for Godot.
	Server string
	// DatabaseHost is where databases of any kind answer.
	DatabaseHost string
}

func (s *Samples) databaseHost() string { return cmp.Or(s.DatabaseHost, "db.example.com") }

// WithEnding returns a sample with an ending, "" if there is none.
func (s *Samples) WithEnding(ending string) string {
	if s.File == nil {
		return ""
	}
	return s.File(strings.ToLower(ending))
}

// ProjectOf returns the folder of the project that the first words name, else the
// second, and so on.
func (s *Samples) ProjectOf(phrases ...[]string) string {
	if s.Project == nil {
		return ""
	}
	for _, words := range phrases {
		if dir := s.Project(words); dir != "" {
			return dir
		}
	}
	return ""
}

// folder returns the folder that a parameter names.
func (v Values) folder(names, said []string) string {
	opening := said[:min(len(said), maxMention)]
	if dir := v.Samples.ProjectOf(names, opening, Words(v.tool), Words(v.Samples.Server)); dir != "" {
		return dir
	}
	return v.Dir
}

// written is an ending in prose: "a .xlsx file", "*.ipynb".
var written = lazyregexp.New(`(?:^|[\s("'\x60*,/])(\.[A-Za-z][A-Za-z0-9]{0,7})\b`)

// ofKind returns a file with the ending that the name or description mentions: a
// spreadsheet tool refuses other files. A file to read is a sample; one to write
// does not exist yet.
func (v Values) ofKind(value string, names []string, description string) string {
	if value != v.File && value != v.NewFile {
		return value
	}
	for _, ending := range v.endings(names, description, value == v.File) {
		if sample := v.Samples.WithEnding(ending); sample != "" && value == v.File {
			return sample
		}
		if value == v.NewFile || created(ending) {
			return strings.TrimSuffix(v.NewFile, path.Ext(v.NewFile)) + ending
		}
	}
	return value
}

// created reports whether a file is made by tools of the same server, so that
// another one can read it where there is no sample.
func created(ending string) bool {
	return slices.Contains([]string{".xlsx", ".docx", ".pptx", ".pdf", ".png", ".mp4"}, ending)
}

// endings lists the endings that a parameter asks for, the most likely first: the
// name says it, the description writes or paraphrases it, or the tool or the server is
// about it. What is read is mostly what the server is about: a tool that adds a picture to
// a Word document reads the document.
func (v Values) endings(names []string, description string, read bool) []string {
	var out []string
	said := Words(description)
	out = append(out, meant(names)...)
	for _, m := range written.FindAllStringSubmatch(description[:min(len(description), maxAbout)], maxEndings) {
		out = append(out, strings.ToLower(m[1]))
	}
	out = append(out, meant(said[:min(len(said), maxMention)])...)
	tool, about, server := meant(Words(v.tool)), meant(Words(v.purpose())), meant(Words(v.Samples.Server))
	if read {
		return slices.Concat(out, server, tool, about)
	}
	return slices.Concat(out, tool, about, server)
}

// Bounds of how much of a description is searched for endings, and of how many endings
// of it are tried.
// no gap: bounds how a value is guessed; the tool is called with another one
const (
	maxAbout   = 1 << 10
	maxEndings = 8
)

// meant returns the endings that words mean. GeoJSON and MS Word are two words here.
func meant(words []string) []string {
	var out []string
	for i, w := range words {
		pair := w
		if i+1 < len(words) {
			pair += words[i+1]
		}
		for _, k := range endingWords() {
			if slices.Contains(k.words, Singular(w)) || slices.Contains(k.words, w) || slices.Contains(k.words, Singular(pair)) {
				out = append(out, k.ending)
			}
		}
	}
	return out
}

type endingWord struct {
	ending string
	words  []string
}

// endingWords lists the words for files of a kind. Words that are also used for
// something else are not there.
func endingWords() []endingWord {
	return []endingWord{
		{".xlsx", []string{"xlsx", "xls", "excel", "workbook", "worksheet", "spreadsheet"}},
		{".docx", []string{"docx", "worddocument", "wordfile", "msword", "officeword", "microsoftword"}},
		{".pptx", []string{"pptx", "powerpoint", "presentation"}},
		{".odt", []string{"odt"}},
		{".pdf", []string{"pdf"}},
		{".epub", []string{"epub", "ebook"}},
		{".png", []string{"png", "screenshot", "image", "picture", "photo", "img"}},
		{".jpg", []string{"jpg", "jpeg"}},
		{".svg", []string{"svg"}},
		{".gif", []string{"gif"}},
		{".webp", []string{"webp"}},
		{".mp4", []string{"mp4", "video", "movie"}},
		{".mp3", []string{"mp3"}},
		{".wav", []string{"wav", "audio", "sound"}},
		{".srt", []string{"srt", "subtitle"}},
		{".ipynb", []string{"ipynb", "notebook", "jupyter"}},
		{".csv", []string{"csv"}},
		{".tsv", []string{"tsv"}},
		{".parquet", []string{"parquet"}},
		{".json", []string{"json"}},
		{".jsonl", []string{"jsonl", "ndjson"}},
		{".yaml", []string{"yaml", "yml", "openapi", "swagger"}},
		{".toml", []string{"toml"}},
		{".xml", []string{"xml"}},
		{".html", []string{"html", "htm"}},
		{".md", []string{"markdown"}},
		{".py", []string{"python"}},
		{".ts", []string{"typescript"}},
		{".js", []string{"javascript"}},
		{".geojson", []string{"geojson"}},
		{".kml", []string{"kml"}},
		{".gpx", []string{"gpx"}},
		{".ics", []string{"ics", "ical", "icalendar"}},
		{".vcf", []string{"vcf", "vcard"}},
		{".rss", []string{"rss"}},
		{".vtt", []string{"vtt", "webvtt"}},
		{".puml", []string{"puml", "plantuml"}},
		{".dot", []string{"graphviz"}},
		{".bpmn", []string{"bpmn"}},
		{".tmx", []string{"tmx"}},
		{".xliff", []string{"xliff", "xlf"}},
		{".po", []string{"gettext"}},
		{".opml", []string{"opml"}},
		{".rst", []string{"restructuredtext"}},
		{".adoc", []string{"asciidoc"}},
		{".eml", []string{"eml"}},
		{".zip", []string{"zip", "archive"}},
		{".wasm", []string{"wasm"}},
		{".stl", []string{"stl"}},
		{".glb", []string{"glb", "gltf"}},
		{".dxf", []string{"dxf"}},
		{".tex", []string{"latex"}},
		{".bib", []string{"bibtex", "bibliography"}},
		{".drawio", []string{"drawio"}},
		{".excalidraw", []string{"excalidraw"}},
		{".har", []string{"har"}},
		{".proto", []string{"proto", "protobuf"}},
		{".tf", []string{"terraform"}},
		{".log", []string{"logfile"}},
		{".diff", []string{"diff"}},
		{".patch", []string{"patch"}},
	}
}
