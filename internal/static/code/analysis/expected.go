package analysis

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/expect"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// ExpectedAnswers returns what the source, without tests and examples, expects
// of the answers to its HTTP requests. Clients are the files of generated clients that
// it depends on, described are the answers that documents in the package describe.
func (p *Package) ExpectedAnswers(clients []*ir.File, described []mcpsf.ExpectedAnswer) []mcpsf.ExpectedAnswer {
	files := slices.DeleteFunc(slices.Clone(p.Files), func(f *ir.File) bool { return beside(f.Path) })
	files = append(files, clients...)
	return expect.Answers(files, described)
}
