package system

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// maxNeeds bounds the dependencies of one package.
// gap: source-not-read
const maxNeeds = 1_000

// dpkg reads a status file: paragraphs of fields, separated by blank lines.
func (r *Reader) dpkg(file, data string) {
	rel := r.release(file, mcpsf.EcosystemDebian)
	database := path.Join(r.disk.Root(file), "dpkg")
	for fields := range paragraphs(data, ": ") {
		state := fields["Status"]
		if fields["Package"] == "" || state != "" && !strings.HasSuffix(state, " installed") {
			continue
		}
		e := &entry{database: database}
		e.part = r.parts.Add(part.Part{
			ID: part.ID{
				Ecosystem: rel.ecosystem, Name: fields["Package"], Version: fields["Version"],
				Arch: fields["Architecture"], Distro: rel.distro, Source: sourceOf(fields["Source"], fields["Package"], fields["Version"]),
			},
			File: file, Installed: true,
		})
		for _, key := range []string{"Depends", "Pre-Depends"} {
			e.needs = append(e.needs, alternatives(fields[key])...)
		}
		r.enter(e, strings.Split(fields["Provides"], ", ")...)
	}
}

// sourceOf returns the source package, if it differs: "name" or "name
// (version)".
func sourceOf(source, name, version string) string {
	if source == "" {
		return ""
	}
	source, of, _ := strings.Cut(source, " (")
	of = strings.TrimSuffix(of, ")")
	switch {
	case of != "" && of != version:
		return source + "@" + of
	case source != name:
		return source
	}
	return ""
}

// alternatives returns the names in a list, of alternatives the first.
func alternatives(list string) []string {
	var out []string
	for one := range strings.SplitSeq(list, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(one), "|")
		if name = strings.TrimSpace(name); name != "" && len(out) < maxNeeds {
			out = append(out, strings.Clone(name))
		}
	}
	return out
}

// paragraphs yields the fields of each paragraph. It drops continued lines: no
// needed field has any.
func paragraphs(data, separator string) func(func(map[string]string) bool) {
	return func(yield func(map[string]string) bool) {
		fields := make(map[string]string)
		for line := range strings.Lines(data) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" {
				if len(fields) > 0 && !yield(fields) {
					return
				}
				fields = make(map[string]string)
				continue
			}
			if key, value, ok := strings.Cut(line, separator); ok && line[0] != ' ' && len(fields) < 100 {
				fields[key] = value
			}
		}
		if len(fields) > 0 {
			yield(fields)
		}
	}
}

// apk reads the database of apk: paragraphs of one-letter fields. Fields of
// files come after the package's own and are skipped.
func (r *Reader) apk(file, data string) {
	rel := r.release(file, mcpsf.EcosystemAlpine)
	database := path.Join(r.disk.Root(file), "apk")
	for fields := range paragraphs(data, ":") {
		if fields["P"] == "" {
			continue
		}
		source := fields["o"]
		if source == fields["P"] {
			source = ""
		}
		e := &entry{database: database}
		e.part = r.parts.Add(part.Part{
			ID: part.ID{
				Ecosystem: rel.ecosystem, Name: fields["P"], Version: fields["V"], Arch: fields["A"], Distro: rel.distro, Source: source,
			},
			Licences: []string{fields["L"]}, File: file, Installed: true,
		})
		for need := range strings.FieldsSeq(fields["D"]) {
			if len(e.needs) < maxNeeds && !strings.HasPrefix(need, "!") {
				e.needs = append(e.needs, strings.Clone(need))
			}
		}
		r.enter(e, strings.Fields(fields["p"])...)
	}
}

// world reads which packages the image itself requires.
func (r *Reader) world(root string) {
	known := r.provides[path.Join(root, "apk")]
	file := path.Join(root, "etc/apk/world")
	if len(known) == 0 || !r.disk.Has(file) {
		return
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	image := r.parts.Add(part.Part{File: file, Own: true})
	for name := range strings.FieldsSeq(string(data)) {
		if found := known[bare(name)]; len(found) > 0 {
			image.Need(false, found[0].part)
		}
	}
}
