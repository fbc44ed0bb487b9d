package schema

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// move puts another path: below a folder, absolute, of something that exists or of
// something that does not.
func (m *mender) move(s *spot, w *mcpsf.Wish) bool {
	now, ok := s.value.(string)
	if !ok {
		return false
	}
	kind, own := m.generator().meaning(s.place)
	isPath := kind == meaning.KindPath || kind == meaning.KindDir || kind == meaning.KindURL && wantsFile(w)
	v := m.maker.values
	switch {
	case w.Kind == mcpsf.WishNew && !s.from.Repeats() && (isPath || !kind.Guarded() && !strings.ContainsAny(now, "@:")):
		return m.keep(s, m.putFrom(s, another(now), s.from))
	case w.Kind == mcpsf.WishNew && s.made && !isPath && !kind.Guarded() && own != "" && !strings.ContainsAny(own, "@:"):
		if at := numbered.FindStringSubmatch(now); now == own || at != nil && at[1] == own {
			own = now // it is one of our names that the server returned
		}
		return m.keep(s, m.put(s, another(own), false))
	case !isPath || w.Kind == mcpsf.WishNew:
		return false
	case w.Kind == mcpsf.WishExisting:
		own = v.Existing(now, kind == meaning.KindDir && w.Type != kindFile || w.Type == kindDirectory)
		return own != "" && m.keep(s, m.put(s, own, false))
	case w.Kind == mcpsf.WishAbsolute:
		if !path.IsAbs(own) {
			own = v.File
		}
		return !path.IsAbs(now) && m.keep(s, m.put(s, own, false))
	}
	if s.made { // the base name of a path of the server's is not ours
		now = own
	}
	return m.inside(s, now, kind == meaning.KindDir, w.Accepted)
}

// What a path that must exist has to be, where the text says so.
const kindFile, kindDirectory = "file", "directory"

// project puts the folder of a project.
func (m *mender) project(s *spot, w *mcpsf.Wish) bool {
	now, text := s.value.(string)
	if !text {
		return false
	}
	samples := &m.maker.values.Samples
	place := samples.ProjectOf(w.Accepted, meaning.Words(samples.Server))
	if slices.Equal(w.Accepted, []string{"git"}) {
		return m.keep(s, m.put(s, m.maker.values.RepoDir, false))
	}
	if kind, _ := m.generator().meaning(s.place); kind == meaning.KindPath && path.Ext(now) != "" && samples.Main != nil {
		place = samples.Main(place)
	}
	return place != "" && m.keep(s, m.put(s, place, false))
}

// inside puts a path below one of the folders that a refusal names, if that is one
// of ours, else a relative one.
func (m *mender) inside(s *spot, now string, isDir bool, folders []string) bool {
	v := m.maker.values
	for _, folder := range folders {
		if !v.Ours(folder) || now == folder || strings.HasPrefix(now, folder+"/") {
			continue
		}
		for _, own := range []string{v.File, v.NewFile, v.RepoDir, v.Dir} {
			if strings.HasPrefix(own, folder+"/") && (own == v.Dir || own == v.RepoDir) == isDir {
				return m.keep(s, m.put(s, own, false))
			}
		}
		if isDir {
			return m.keep(s, m.put(s, folder, true))
		}
		return m.keep(s, m.put(s, path.Join(folder, path.Base(now)), true))
	}
	base := path.Base(now)
	if isDir {
		base = "."
	}
	if !path.IsAbs(now) || base == "/" || strings.HasPrefix(base, ".") && base != "." {
		return false
	}
	return m.keep(s, m.put(s, base, false))
}

var numbered = lazyregexp.New(`^(.*?)-(\d{1,3})$`)

// others are values of small vocabularies, with another one of the same.
func others() map[string]string {
	return map[string]string{
		"en": "de", "en-US": "de-DE", "USD": "EUR", "UTC": "Europe/Berlin", "US": "DE", "asc": "desc", "metric": "imperial", "GET": "POST",
	}
}

// release is the number of one: the next is as many levels deep.
var release = lazyregexp.New(`^(v?\d{1,4}\.\d{1,4}\.)(\d{1,4})$`)

// another returns the next name: output.txt, output-2.txt, output-3.txt; of a value from a
// small vocabulary another one.
func another(name string) string {
	if other := others()[name]; other != "" {
		return other
	}
	if m := release.FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[2])
		return m[1] + strconv.Itoa(n+1)
	}
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	n := 1
	if m := numbered.FindStringSubmatch(stem); m != nil {
		stem = m[1]
		n, _ = strconv.Atoi(m[2])
	}
	if n >= maxNames {
		return name
	}
	return stem + "-" + strconv.Itoa(n+1) + ext
}
