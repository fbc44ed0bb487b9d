package assess

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// failsThroughout returns the failure with which a server answers everything about its
// tools, "" if there is no such failure: it cannot list them, or each call of each tool
// ends in the same error of a program. That is what becomes of a server when a library
// changes under it.
func failsThroughout(s *mcpsf.Session) string {
	same, tools := "", map[string]bool{}
	for _, c := range s.Calls {
		if c.Method != listTools && c.Method != protocol.MethodCall {
			continue
		}
		if c.Status == mcpsf.CallOK && c.Method == listTools && len(s.Tools) > 0 {
			continue
		}
		if c.Status != mcpsf.CallRefused || same != "" && c.Note != same || !ofProgram.MatchString(c.Note) {
			return ""
		}
		same, tools[c.Tool] = c.Note, true
	}
	if len(s.Tools) > 0 && len(tools) < leastFailing {
		return "" // one tool may have a fault of its own
	}
	return same
}

// listTools is the method that lists them.
const listTools = "tools/list"

// leastFailing is how many tools must fail in the same way.
// no gap: with fewer, the server is assessed as it is
const leastFailing = 2

// ofProgram matches the errors of programs that call a library in a way it does not
// know.
var ofProgram = lazyregexp.New(`(?i)cannot read propert(?:y|ies) of (?:undefined|null)|(?:undefined|null) is not an object|is not a (?:function|constructor)\b|has no attribute|unexpected keyword argument|missing \d+ required positional|cannot import name|no module named`)
