package unmarked

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxDoubt bounds a text that is in doubt.
// no gap: a longer one is a result
const maxDoubt = 300

// Doubt returns the text of a result that may refuse the call, in words that [Refusal]
// does not know: a short sentence that says that something is not so, or has to be.
// "" is a result that holds something. An honest result may be in doubt, so the call
// counts as one that worked; another input that gives more is preferred to it.
func Doubt(result, arguments json.RawMessage) string {
	if len(result) > maxResult || !jsonrpc.IsObject(result) {
		return ""
	}
	var r toolResult
	if json.Unmarshal(result, &r) != nil || len(r.Content) != 1 || r.Content[0].Type != "text" {
		return ""
	}
	text := sentence(strings.TrimSpace(r.Content[0].Text))
	o := &decision{arguments: arguments}
	if len(text) > maxDoubt || strings.Count(text, "\n") > 2 || mixed(text) || !doubtful.MatchString(text) || o.repeats(beginning(text)) {
		return ""
	}
	return text
}

// sentence returns the only text of a JSON object, or the text itself if it is none.
func sentence(text string) string {
	var v map[string]any
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	only, _ := wrapped(v).(string)
	return only
}

// doubtful are words of which a refusal has at least one.
var doubtful = lazyregexp.New(`(?i)\b(?:cannot|can['’]?t|could ?n[o'’]t|could not|unable|not|no|never|fail(?:s|ed|ure)?|errors?|invalid|must|ha(?:s|ve) to|needs?|requires?|required|please|sorry|missing|unknown|unsupported|unexpected|wrong|denied|refused|still|isn['’]?t|doesn['’]?t|didn['’]?t|wasn['’]?t|won['’]?t|unless|until)\b`)
