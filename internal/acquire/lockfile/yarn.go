package lockfile

import (
	"bytes"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
)

// yarn reads a yarn.lock of any version.
func (b *builder) yarn(data []byte) error {
	if bytes.HasPrefix(data, []byte("__metadata:")) || bytes.Contains(data, []byte("\n__metadata:")) {
		return b.berry(data)
	}
	return b.classic(string(data))
}

// berry reads the format of yarn 2 and later, which is YAML: "resolution" has the
// name and "npm:1.2.3", a patched one inside of "patch:".
func (b *builder) berry(data []byte) error {
	docs, err := document.YAML(data)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		for key, e := range doc.Fields() {
			if key == "__metadata" {
				continue
			}
			name, spec := descriptor(e.Get("resolution").Word())
			protocol, _, _ := strings.Cut(spec, ":")
			switch protocol {
			case "workspace", "portal", "link", "file":
			case "npm", "patch", "virtual":
				b.npm(pin{name: name, version: e.Get("version").Word()})
			default:
				b.from(name, npmName.MatchString(name))
			}
		}
	}
	return nil
}

// classicEntry is an entry of yarn 1.
type classicEntry struct{ ranges, version, resolved, integrity string }

// classic reads the format of yarn 1: entries without indentation, their fields
// with two blanks.
func (b *builder) classic(data string) error {
	var e *classicEntry
	known := false
	finish := func() {
		if e != nil {
			known = true
			b.classicEntry(e)
		}
	}
	for line := range strings.Lines(data) {
		line = strings.TrimRight(line, "\r\n")
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		switch {
		case text == "" || text[0] == '#':
		case indent == 0 && strings.HasSuffix(text, ":"):
			finish()
			e = &classicEntry{ranges: strings.TrimSuffix(text, ":")}
		case e == nil || indent == 0:
			return errOther
		case indent == 2:
			e.field(text)
		}
	}
	finish()
	if !known {
		return errOther
	}
	return nil
}

func (e *classicEntry) field(text string) {
	key, value, _ := strings.Cut(text, " ")
	value = strings.Trim(value, `" `)
	switch key {
	case "version":
		e.version = value
	case "resolved":
		e.resolved = value
	case "integrity":
		e.integrity = value
	}
}

// classicEntry adds a package. Its first range names it, and another package if it
// is an alias.
func (b *builder) classicEntry(e *classicEntry) {
	first, _, _ := strings.Cut(e.ranges, ",")
	name, spec := descriptor(strings.Trim(first, `" `))
	if alias, ok := strings.CutPrefix(spec, "npm:"); ok {
		name, _ = descriptor(alias)
	}
	if isAddress(spec) {
		b.from(name, npmName.MatchString(name))
		return
	}
	b.resolved(name, e.version, e.resolved, e.integrity)
}

// isAddress reports whether what is asked for is no range of versions.
func isAddress(spec string) bool {
	return !strings.HasPrefix(spec, "npm:") && !strings.HasPrefix(spec, "file:") && strings.ContainsAny(spec, ":/#")
}
