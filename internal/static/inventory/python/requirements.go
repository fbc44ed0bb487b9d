package python

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// maxIncludes bounds nested lists, maxLines the requirements of one list.
// gap: source-not-read
const (
	maxIncludes = 16
	maxLines    = 20_000
)

// requirementLists are pip's requirements files.
type requirementLists struct {
	parts    *part.Collector
	disk     *disk.Disk
	projects *projects
	locks    *lockFiles
	included map[string]bool   // lists that were read
	pins     map[string]string // constraints, by directory and name
}

// requirementsName recognises a requirements file by its name and that of its
// directory.
func requirementsName(dir, base string) bool {
	name, ok := strings.CutSuffix(strings.ToLower(base), ".txt")
	if !ok || strings.HasPrefix(name, "constraints") {
		return false
	}
	return strings.HasPrefix(name, "requirements") || strings.HasSuffix(name, "requirements") || dir == "requirements"
}

// read reads a requirements file and those it includes. Pinned versions count
// as locked.
func (rl *requirementLists) read(file string, dev bool, depth int) {
	key := file
	if dev {
		key += "\x00" // a file may be included both for development and not
	}
	if rl.included[key] || rl.included[file] || depth > maxIncludes {
		return
	}
	rl.included[key] = true
	data, ok := rl.disk.Read(file)
	if !ok {
		return
	}
	dir := disk.Dir(file)
	p := rl.projects.project(dir, file)
	p.told = true
	l := make(lock)
	lines := logical(string(data))
	if len(lines) == maxLines {
		rl.parts.Note(file, "what follows its first %d requirements was not read", maxLines)
	}
	for _, line := range lines {
		option, value := splitOption(line.text)
		switch option {
		case "-r", "--requirement":
			rl.include(file, value, func(to string) { rl.read(to, dev || spare(path.Base(to)), depth+1) })
		case "-c", "--constraint":
			rl.include(file, value, func(to string) { rl.constraints(to, dir) })
		case "-e", "--editable", "":
			rl.requirement(p, l, file, value, line.via, dev)
		}
	}
	if len(l) > 0 {
		rl.locks.byDir[dir] = append(rl.locks.byDir[dir], l)
	}
}

// include resolves the path of another file, within the tree.
func (rl *requirementLists) include(file, to string, read func(string)) {
	root := rl.disk.Root(file)
	target := path.Join("/", strings.TrimPrefix(disk.Dir(file), root), to)[1:]
	if to == "" || strings.Contains(to, "://") || path.IsAbs(to) {
		rl.parts.Note(file, "it includes %s, which is not in the tree", part.Quote(to))
		return
	}
	read(disk.Below(root, target))
}

// requirement reads one line of a file.
func (rl *requirementLists) requirement(p *project, l lock, file, text string, via []string, dev bool) {
	text, hashes := splitHashes(text)
	if strings.Contains(text, "://") && !strings.Contains(text, " @ ") {
		_, fragment, _ := strings.Cut(text, "#")
		_, name, ok := strings.Cut(fragment, "egg=")
		if !ok {
			rl.parts.Note(file, "it asks for something by its address alone: %s", part.Quote(source(text)))
			return
		}
		name, _, _ = strings.Cut(name, "&")
		text = name + " @ " + text
	}
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "file:") {
		return // a directory of this tree, with its own manifest
	}
	req, ok := parse(text)
	if !ok {
		rl.parts.Note(file, "it asks for something that is not understood: %s", part.Quote(text))
		return
	}
	a := ask{requirement: req, dev: dev, file: file, digests: hashes, via: via}
	p.asks = append(p.asks, a)
	if v := exact(req.spec); v != "" {
		rl.locks.add(l, part.Part{ID: part.ID{Name: req.name, Version: v}, Digests: hashes, File: file, Dev: dev})
	}
}

// constraints reads a constraints file.
func (rl *requirementLists) constraints(file, dir string) {
	data, ok := rl.disk.Read(file)
	if !ok {
		return
	}
	for _, line := range logical(string(data)) {
		text, _ := splitHashes(line.text)
		if req, ok := parse(text); ok {
			if v := exact(req.spec); v != "" {
				rl.pins[disk.Below(dir, req.name)] = strings.Clone(v)
			}
		}
	}
}

// line is a line of a file, with continued lines joined.
type line struct {
	text string
	via  []string
}

// logical splits a file into lines. It drops comments, except those of compiled
// files that name the requiring package ("via").
func logical(data string) []line {
	var out []line
	var joined strings.Builder
	listing := false // inside a "via" list of several lines
	for raw := range strings.Lines(data) {
		raw = strings.TrimSpace(raw)
		text, comment := splitComment(raw)
		if cont, ok := strings.CutSuffix(text, "\\"); ok && comment == "" {
			joined.WriteString(cont)
			joined.WriteByte(' ')
			continue
		}
		joined.WriteString(text)
		if full := strings.TrimSpace(joined.String()); full != "" {
			if len(out) == maxLines {
				return out
			}
			out = append(out, line{text: full})
			listing = false
		}
		joined.Reset()
		if comment != "" && len(out) > 0 {
			listing = out[len(out)-1].asked(comment, listing)
		}
	}
	if full := strings.TrimSpace(joined.String()); full != "" {
		out = append(out, line{text: full})
	}
	return out
}

// splitComment separates a comment, which begins the line or follows a blank.
func splitComment(s string) (text, comment string) {
	for i := range len(s) {
		if s[i] == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t') {
			return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:])
		}
	}
	return s, ""
}

// asked reads "via a, b", or one name of a list that follows "via", and reports
// whether the list continues. The name of a requirements file means that the
// project itself requires it, which takes precedence.
func (l *line) asked(comment string, listing bool) bool {
	names, ok := strings.CutPrefix(comment, "via")
	if !ok && !listing {
		return false
	}
	if !ok {
		names = comment
	}
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		switch end := nameEnd(name); {
		case name == "":
		case end != len(name) || l.via != nil && len(l.via) == 0:
			l.via = []string{} // "-r requirements.in", "server (pyproject.toml)"
		default:
			l.via = append(l.via, normal(name))
		}
	}
	return true
}

// splitOption splits "-r file" and "--requirement=file"; a requirement has no
// option, and other options have no value here.
func splitOption(s string) (option, value string) {
	if !strings.HasPrefix(s, "-") {
		return "", s
	}
	end := strings.IndexAny(s, " =")
	if end < 0 {
		end = len(s)
	}
	option = s[:end]
	if len(option) > 2 && option[1] != '-' {
		option, end = option[:2], 2 // "-rfile"
	}
	return option, strings.Trim(s[end:], " =\"'")
}

// splitHashes separates the options of a requirement and returns its digests.
func splitHashes(s string) (text string, hashes []string) {
	at := strings.Index(s, " --")
	if at < 0 {
		return s, nil
	}
	for word := range strings.FieldsSeq(s[at:]) {
		if h, ok := strings.CutPrefix(word, "--hash="); ok {
			hashes = append(hashes, h)
		}
	}
	return strings.TrimSpace(s[:at]), hashes
}
