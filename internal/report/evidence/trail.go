package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

// trail summarises the events of a run.
type trail struct {
	// broken says why they cannot be read to the end.
	broken error
	count  int64
	// kinds are the kinds of the events that findings name.
	kinds  map[int64]mcpsf.Kind
	phases map[mcpsf.Phase]bool
	limits map[string]bool
	// kernel is the number of observations of files and processes.
	kernel int64
	// messages and transcript are the number of messages and the hash that the
	// transcript must have.
	messages   int
	transcript string
	// events are all events, nil if there are too many to judge again.
	events []mcpsf.Event
	many   bool
}

// follow reads the events. r may be nil.
func follow(content io.Reader, r *mcpsf.Report) *trail {
	t := &trail{kinds: map[int64]mcpsf.Kind{}, phases: map[mcpsf.Phase]bool{}, limits: map[string]bool{}}
	named := map[int64]bool{}
	for _, f := range everyFinding(r) {
		for _, seq := range f.Evidence {
			named[seq] = true
		}
	}
	sum, memory := sha256.New(), &meter{}
	said := newTranscript(sum)
	t.broken = trace.Read(io.TeeReader(content, memory), func(e mcpsf.Event) error {
		if named[e.Seq] {
			t.kinds[e.Seq] = e.Kind
		}
		t.observe(&e)
		if t.many = t.many || memory.bytes > maxMemory; t.many {
			t.events = nil
		} else {
			t.events = append(t.events, e)
		}
		return said.add(&e)
	})
	t.messages, t.transcript = said.messages, hex.EncodeToString(sum.Sum(nil))
	return t
}

// maxNames bounds how many different phases and limits are counted.
// no gap: a larger bundle is refused with an error
const maxNames = 100

func (t *trail) observe(e *mcpsf.Event) {
	t.count++
	if len(t.phases) < maxNames {
		t.phases[e.Phase] = true
	}
	if e.Limit != nil && len(t.limits) < maxNames {
		t.limits[e.Limit.Name] = true
	}
	if strings.HasPrefix(string(e.Kind), "file.") || strings.HasPrefix(string(e.Kind), "process.") {
		t.kernel += min(max(e.Count, 1), math.MaxInt64-t.kernel)
	}
}

// everyFinding returns counted and waived findings.
func everyFinding(r *mcpsf.Report) []mcpsf.Finding {
	if r == nil {
		return nil
	}
	all := slices.Clone(r.Findings)
	for i := range r.Waived {
		all = append(all, r.Waived[i].Finding)
	}
	return all
}
