package samples

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed text/*.txtar office/*.txtar projects/*.txtar
//go:embed binary
var stored embed.FS

// entry is a file without a place yet: its name is relative.
type entry struct {
	name    string
	content []byte
}

// archives returns the archives of a folder by their names without the ending,
// sorted.
func archives(folder string) ([]archive, error) {
	list, err := stored.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("reading stored samples: %w", err)
	}
	var all []archive
	for _, f := range list {
		data, err := stored.ReadFile(path.Join(folder, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading stored samples: %w", err)
		}
		a := parse(data)
		a.name = strings.TrimSuffix(f.Name(), ".txtar")
		all = append(all, a)
	}
	return all, nil
}

// archive is several texts in one file, after a comment.
type archive struct {
	name    string
	comment string
	files   []entry
}

// parse reads the format of golang.org/x/tools/txtar: each file begins with a
// line "-- name --" and extends to the next one.
func parse(data []byte) archive {
	var a archive
	for line := range bytes.Lines(data) {
		name, begins := marker(line)
		switch last := len(a.files) - 1; {
		case begins:
			a.files = append(a.files, entry{name: name})
		case last < 0:
			a.comment += string(line)
		default:
			a.files[last].content = append(a.files[last].content, line...)
		}
	}
	return a
}

func marker(line []byte) (name string, ok bool) {
	text, front := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), "-- ")
	text, back := strings.CutSuffix(text, " --")
	return strings.TrimSpace(text), front && back && strings.TrimSpace(text) != ""
}
