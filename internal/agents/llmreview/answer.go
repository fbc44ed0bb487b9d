package llmreview

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// The limits of an answer.
// gap: model-review
const (
	maxAnswer  = 256 << 10 // bytes
	maxItems   = 64
	maxObjects = 64 // positions in a text where an object may begin
)

// answer is the valid part of a model's answer.
type answer struct {
	findings      []findingReview
	suspicions    []claim
	verdict, note string
}

// findingReview is about a finding, by its number.
type findingReview struct {
	number int
	stance mcpsf.Stance
	text   string
}

// claim is something that a model suspects.
type claim struct {
	block                       int
	quote, kind, severity, text string
}

// read finds the answer in a reply, or says why there is none.
func (a *ask) read(reply *llm.Reply) (*answer, string) {
	var found []json.RawMessage
	others := 0
	for _, c := range reply.Calls {
		switch {
		case c.Name != toolName:
			others++
		case len(c.Arguments) > 0 && a.ours(c.Arguments):
			found = append(found, c.Arguments)
		}
	}
	if len(found) == 0 {
		found = a.objects(reply.Text)
	}
	switch {
	case len(found) > 1 && !allSame(found):
		return nil, "gave several answers that differ"
	case len(found) > 0:
		return decode(found[0]), ""
	case reply.Stop == llm.StopRefusal:
		return nil, "refused to answer"
	case reply.Stop == llm.StopLength:
		return nil, "was cut off before the end of its answer"
	case others > 0 && others == len(reply.Calls):
		return nil, "called a tool that there is not"
	}
	return nil, "gave no answer that can be read"
}

func allSame(all []json.RawMessage) bool {
	for _, raw := range all[1:] {
		if !bytes.Equal(raw, all[0]) {
			return false
		}
	}
	return true
}

// ours recognises an answer to this ask by its id. A target that writes
// something in the form of an answer does not know the id.
func (a *ask) ours(raw json.RawMessage) bool {
	var head struct {
		Ask string `json:"ask"`
	}
	return len(raw) <= maxAnswer && json.Unmarshal(raw, &head) == nil && head.Ask == a.id
}

// objects are the answers to this ask in a text, for models that cannot call
// tools.
func (a *ask) objects(text string) []json.RawMessage {
	text = cut(text, maxAnswer)
	var found []json.RawMessage
	for range maxObjects {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		text = text[i:]
		var raw json.RawMessage
		d := json.NewDecoder(strings.NewReader(text))
		if d.Decode(&raw) != nil {
			text = text[1:]
			continue
		}
		if a.ours(raw) {
			found = append(found, raw)
		}
		text = text[d.InputOffset():]
	}
	return found
}

// decode keeps the parts of an answer that have the right type.
func decode(raw json.RawMessage) *answer {
	var top struct {
		Findings   json.RawMessage `json:"findings"`
		Suspicions json.RawMessage `json:"suspicions"`
		Verdict    json.RawMessage `json:"verdict"`
		Note       json.RawMessage `json:"note"`
	}
	if json.Unmarshal(raw, &top) != nil {
		return &answer{}
	}
	out := &answer{verdict: text(top.Verdict), note: text(top.Note)}
	for _, item := range items(top.Findings) {
		out.findings = append(out.findings, findingReview{
			number: number(item["number"]), stance: stance(item["agrees"]), text: text(item["text"]),
		})
	}
	for _, item := range items(top.Suspicions) {
		out.suspicions = append(out.suspicions, claim{
			block: number(item["block"]), quote: text(item["quote"]), kind: text(item["kind"]),
			severity: text(item["severity"]), text: text(item["text"]),
		})
	}
	return out
}

// items are the objects of a list.
func items(raw json.RawMessage) []map[string]json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var all []map[string]json.RawMessage
	for _, one := range list[:min(len(list), maxItems)] {
		var item map[string]json.RawMessage
		if json.Unmarshal(one, &item) == nil && item != nil {
			all = append(all, item)
		}
	}
	return all
}

// text is a string; any other JSON is returned as written, so that a search for
// words sees all of it.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// number accepts "2" for 2, because models write that; 0 means none.
func number(raw json.RawMessage) int {
	n, err := strconv.ParseFloat(strings.TrimSpace(text(raw)), 64)
	if err != nil || n < 1 || n > 1e6 || n != float64(int(n)) {
		return 0
	}
	return int(n)
}

// stance is whether the model agrees or disagrees with a finding, "" if it did
// not say.
func stance(raw json.RawMessage) mcpsf.Stance {
	switch strings.ToLower(strings.TrimSpace(text(raw))) {
	case "true", "yes", "agrees":
		return mcpsf.StanceAgrees
	case "false", "no", "disagrees":
		return mcpsf.StanceDisagrees
	}
	return ""
}
