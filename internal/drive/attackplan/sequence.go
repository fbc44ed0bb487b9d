package attackplan

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// Worked returns the first call of each tool that worked, by its name. One that was
// made again only said that it did, and one whose result is in doubt comes after the
// others. A tool of which none worked has the first that an ordinary result refused:
// those words are all that speaks against it.
func Worked(s *mcpsf.Session) map[string]*mcpsf.Call {
	worked, doubtful, unmarked := map[string]*mcpsf.Call{}, map[string]*mcpsf.Call{}, map[string]*mcpsf.Call{}
	for i := range s.Calls {
		switch c := &s.Calls[i]; {
		case c.Method != protocol.MethodCall || c.Preparing:
		case c.Status == mcpsf.CallOK && c.Doubtful:
			if doubtful[c.Tool] == nil {
				doubtful[c.Tool] = c
			}
		case c.Status == mcpsf.CallOK && worked[c.Tool] == nil:
			worked[c.Tool] = c
		case c.Unmarked && unmarked[c.Tool] == nil:
			unmarked[c.Tool] = c
		}
	}
	for _, less := range []map[string]*mcpsf.Call{doubtful, unmarked} {
		for tool, c := range less {
			if worked[tool] == nil {
				worked[tool] = c
			}
		}
	}
	return worked
}

// AddSequences gives calls that somebody else made the sequences after which their
// tools worked.
func AddSequences(calls []AttackCall, s *mcpsf.Session) {
	worked := Worked(s)
	for i := range calls {
		if c := worked[calls[i].Tool]; c != nil {
			calls[i].Sequence = c.Sequence
		}
	}
}
