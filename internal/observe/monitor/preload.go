package monitor

import "github.com/mcpsf/mcpsf"

// preload leaves out how Node loads a script of ours: that is not the server's
// doing. Who opens it once more is the server.
type preload struct {
	path string
	// opened is how often each process has opened it.
	opened map[int32]int
}

// Preload names a script of ours that Node loads before the server.
func (m *Monitor) Preload(script string) {
	m.locked(func() { m.files.preload = preload{path: script, opened: map[int32]int{}} })
}

// loads tells whether an access is Node loading the script.
func (p *preload) loads(o *origin, t *touch) bool {
	if p.path == "" || t.file.Path != p.path || t.file.Error != "" {
		return false
	}
	switch t.kind {
	case mcpsf.KindFileOpen:
		if len(p.opened) < maxProcesses {
			p.opened[o.pid]++
		}
		return p.opened[o.pid] == 1 && t.file.Flags == "r"
	case mcpsf.KindFileRead, mcpsf.KindFileStat:
		return p.opened[o.pid] <= 1
	}
	return false
}
