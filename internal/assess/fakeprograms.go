package assess

import (
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/sandbox/fakeprograms"
)

// fakePrograms makes the fake programs, once for each home. It is safe for
// concurrent use; nil makes none.
type fakePrograms struct {
	seed uint64
	now  time.Time

	mu   sync.Mutex
	made map[*decoys.Home][]box.File
}

// files returns the fake programs that belong to a home, and their folder.
func (s *fakePrograms) files(home *decoys.Home) (files []box.File, dir string, err error) {
	if s == nil {
		return nil, "", nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if files, ok := s.made[home]; ok {
		return files, mcpsf.FakeProgramDir, nil
	}
	scripts, err := fakeprograms.Files(s.seed, s.now, home)
	if err != nil {
		return nil, "", err
	}
	for _, f := range scripts {
		files = append(files, box.File{Path: f.Path, Mode: f.Mode, Content: f.Content, System: true})
	}
	if s.made == nil {
		s.made = map[*decoys.Home][]box.File{}
	}
	s.made[home] = files
	return files, mcpsf.FakeProgramDir, nil
}

// noteFakePrograms records which fake programs the server started.
func (p *parallelRun) noteFakePrograms() {
	var names []string
	for _, e := range p.ledger.log.Events() {
		if e.Kind == mcpsf.KindProcessExec && e.Process != nil && mcpsf.IsFakeProgram(e.Process.Path) {
			names = append(names, path.Base(e.Process.Path))
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 0 {
		p.ledger.gap(gap.Detailed(gap.StubPrograms, "what "+strings.Join(names, ", ")+" would have done: not installed, and programs that answer in their place stood in"))
	}
}
