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
	"github.com/mcpsf/mcpsf/internal/sandbox/standins"
)

// standIns makes the stand-ins for programs once for each home. It is safe for
// concurrent use; nil makes none.
type standIns struct {
	seed uint64
	now  time.Time

	mu   sync.Mutex
	made map[*decoys.Home][]box.File
}

// files returns the stand-ins that belong to a home, and their folder.
func (s *standIns) files(home *decoys.Home) (files []box.File, dir string, err error) {
	if s == nil {
		return nil, "", nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if files, ok := s.made[home]; ok {
		return files, mcpsf.StandInDir, nil
	}
	scripts, err := standins.Files(s.seed, s.now, home)
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
	return files, mcpsf.StandInDir, nil
}

// noteStandIns records which stand-ins the server started.
func (p *parallelRun) noteStandIns() {
	var names []string
	for _, e := range p.ledger.log.Events() {
		if e.Kind == mcpsf.KindProcessExec && e.Process != nil && mcpsf.IsStandIn(e.Process.Path) {
			names = append(names, path.Base(e.Process.Path))
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 0 {
		p.ledger.gap(gap.Detailed(gap.StubPrograms, "what "+strings.Join(names, ", ")+" would have done: not installed, and programs that answer in their place stood in"))
	}
}
