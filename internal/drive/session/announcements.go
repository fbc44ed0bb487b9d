package session

import "sync"

// announcements are the list_changed notifications that have not been handled
// yet.
type announcements struct {
	mu      sync.Mutex
	methods map[string]bool
}

func newAnnouncements() *announcements { return &announcements{methods: map[string]bool{}} }

func (a *announcements) add(method string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.methods) < maxIrregularities {
		a.methods[method] = true
	}
}

// of reports whether the server has announced a change of its tools, resources
// or prompts.
func (a *announcements) of(kind string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.methods["notifications/"+kind+"s/list_changed"]
}

func (a *announcements) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.methods)
}
