package golang

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"io"
	"path"
	"runtime/debug"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Sizes of programs: a smaller one is no Go program, a larger one is not read.
// gap: source-not-read
const (
	minProgram  = 256 << 10
	maxProgram  = 1 << 30
	maxPrograms = 1000
)

// program is a Go program.
type program struct {
	file string
	main *part.Part
	deps []*part.Part
}

// programName reports whether a file can be a program by its name: it has no
// extension, or none that looks like one.
func programName(base string) bool {
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 || strings.HasSuffix(base, ".exe") {
		return true
	}
	ext := base[dot+1:]
	return dot > 0 && strings.ContainsAny(ext, "0123456789_-") && len(ext) > 1 && strings.Trim(ext, "0123456789") != ""
}

// program reads the list of modules in a Go program.
func (r *Reader) program(file string) {
	if r.disk.Link(file) {
		return // the link's target is read
	}
	f, size, err := r.disk.Open(file)
	if err != nil {
		return // most files without an extension are none, and other readers report theirs
	}
	defer f.Close()
	if size < minProgram || !executable(f) {
		return
	}
	if size > maxProgram || len(r.programs) >= maxPrograms {
		r.parts.Note(file, "the program was not looked into: it is too large, or one of too many")
		return
	}
	info, err := readInfo(f)
	if err != nil {
		return // not a Go program
	}
	r.built(file, info)
}

// executable checks the first bytes.
func executable(f io.ReaderAt) bool {
	head := make([]byte, 4)
	if _, err := f.ReadAt(head, 0); err != nil {
		return false
	}
	for _, magic := range []string{"\x7fELF", "MZ", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}

// readInfo recovers from panics of the library on broken programs.
func readInfo(f io.ReaderAt) (info *debug.BuildInfo, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the reader of programs gave up on it")
		}
	}()
	return buildinfo.Read(f)
}

func (r *Reader) built(file string, info *debug.BuildInfo) {
	p := program{file: file}
	add := func(name, version string) *part.Part {
		return r.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemGo, Name: name, Version: version}, File: file, Installed: true, Dirs: []string{file}})
	}
	if info.Main.Path != "" {
		version := info.Main.Version
		if version == "(devel)" {
			version = ""
		}
		p.main = add(info.Main.Path, version)
	}
	if version, ok := strings.CutPrefix(info.GoVersion, "go"); ok {
		version, _, _ = strings.Cut(version, " ")
		p.deps = append(p.deps, add("stdlib", version))
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version != "" {
			p.deps = append(p.deps, add(m.Path, m.Version))
		}
	}
	r.programs = append(r.programs, p)
}

// Finish connects programs with their modules, and with the package that
// contains them.
func (r *Reader) Finish() {
	own := make(map[string]bool)
	for _, m := range r.modules {
		if m.part != nil && m.part.Name != "" {
			own[m.part.Name] = true
		}
	}
	for _, p := range r.programs {
		carrier := r.Carrier(p.file)
		if p.main == nil {
			carrier.Need(false, p.deps...)
			continue
		}
		p.main.Own = carrier == nil && (own[p.main.Name] || len(own) == 0 && path.Dir(p.file) == ".")
		carrier.Need(false, p.main)
		if !p.main.Own {
			p.main.Need(false, p.deps...)
		}
	}
}
