package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxBare is how long a text may be that gives no reason, and maxLogged how many lines
// of a log belong to one failure.
// no gap: what is longer is read as any other refusal
const maxBare, maxLogged = 160, 8

// bare is what libraries answer that keep the reason for the log of the server.
var bare = lazyregexp.New(`(?i)^\W*(?:(?:error )?-?\d{3,5}\W+)?` +
	`(?:(?:an? |the )?(?:unexpected |unknown |unhandled |internal |server |fatal )*(?:error|exception)(?: (?:occurred|has occurred|was raised))?(?: (?:in|while|during|when) (?:executing|calling|running|processing|handling) (?:the |this |your )?(?:tool|request|call)?)?` +
	`|(?:tool |request )?(?:execution|call|operation)? ?(?:failed|error)` +
	`|(?:error|failure|exception) (?:while |when )?(?:executing|calling|running|in|invoking|processing|handling)(?: the)?(?: tool| function| request)?` +
	`|something went wrong|oops)` +
	`(?:[\s:]*(?:tool\W+)?['"\x60]?[\w./-]+['"\x60]?)?\W*$`)

// IsBare reports whether a refusal says no more than that the call failed.
func IsBare(why string) bool {
	return len(why) <= maxBare && bare.MatchString(why)
}

var (
	// raised is the line of a log that names an exception and says what it says.
	raised = lazyregexp.New(`^\W*(?:[\w$]+(?:\.|::))*[A-Z]\w*(?:Error|Exception|Failure|Invalid|NotFound|Timeout|Exit)\w*(?: \[[A-Z_]+\])?: +(\S.*)$`)
	// over is a line that begins something else than what an exception says.
	over = lazyregexp.New(`^(?:\s+at |Traceback |\s+File "|(?:The above|During handling)|\[?\d{4}-\d\d-\d\d|\W*(?:INFO|WARN|WARNING|ERROR|DEBUG)\b|Node\.js v|[╭│╰])`)
)

// Logged returns what the last exception in the lines of a log says, "" if there is none.
// An exception that only says that the call failed has another one as its cause.
func Logged(lines []string) string {
	for i, line := range slices.Backward(lines) {
		m := raised.FindStringSubmatch(line[:min(len(line), maxClause)])
		if m == nil || IsBare(m[1]) {
			continue
		}
		said := []string{m[1]}
		for _, more := range lines[i+1 : min(len(lines), i+maxLogged)] {
			if more = more[:min(len(more), maxClause)]; over.MatchString(more) || raised.MatchString(more) {
				break
			}
			said = append(said, more)
		}
		return strings.ToValidUTF8(strings.TrimRight(strings.Join(said, "\n"), " \n"), "")
	}
	return ""
}
