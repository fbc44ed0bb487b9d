package samples

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Projects returns the projects, sorted by name.
func Projects() ([]Project, error) {
	list, err := archives("projects")
	if err != nil {
		return nil, err
	}
	projects := make([]Project, len(list))
	for i, a := range list {
		if projects[i], err = describe(a); err != nil {
			return nil, err
		}
	}
	return projects, nil
}

// describe reads the comment of a project's archive: lines of "key: value".
func describe(a archive) (Project, error) {
	p := Project{Name: a.name}
	for line := range strings.Lines(a.comment) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "dir":
			p.Dir = path.Join(mcpsf.Home, value)
		case "main":
			p.Main = value
		case "words":
			p.Words = strings.Split(value, ", ")
		case "marks":
			p.Marks = strings.Split(value, ", ")
		default:
			return Project{}, fmt.Errorf("project %s: unknown key %q", a.name, key)
		}
	}
	if p.Dir == "" || p.Main == "" || p.Words == nil || p.Marks == nil {
		return Project{}, fmt.Errorf("project %s: dir, main, words or marks are missing", a.name)
	}
	p.Main = path.Join(p.Dir, p.Main)
	return p, nil
}

func projectFiles() ([]entry, error) {
	list, err := archives("projects")
	if err != nil {
		return nil, err
	}
	var all []entry
	for _, a := range list {
		p, err := describe(a)
		if err != nil {
			return nil, err
		}
		all = append(all, below(strings.TrimPrefix(p.Dir, mcpsf.Home+"/"), a.files)...)
	}
	return all, nil
}
