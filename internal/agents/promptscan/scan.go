package promptscan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

const (
	// MaxText is how many bytes of text of one object are scanned.
	// gap: texts-not-read
	MaxText = 1 << 20
	// maxDetails is how many details of one object are reported, of each kind.
	// no gap: the first ones of a kind are reported
	maxDetails = 64
	// maxNames is how many tool names are matched with a client's prefix.
	// no gap: beyond it a name must match exactly, which excuses less
	maxNames = 500
)

// What a text can belong to.
const (
	ofPrompt = "prompt"
	ofResult = "result"
)

// Names are the names of a server's own tools.
type Names map[string]bool

// NamesOf makes names comparable: send-mail, sendMail and send_mail are one.
func NamesOf(names ...string) Names {
	n := make(Names, len(names))
	for _, name := range names {
		n[bare(name)] = true
	}
	return n
}

// has finds a tool by its name in any spelling, with or without a client's
// prefix.
func (n Names) has(name string) bool {
	b := bare(name)
	if n[b] || len(n) > maxNames {
		return n[b]
	}
	for own := range n {
		if len(own) > 3 && len(b) > 3 && (strings.HasSuffix(b, own) || strings.HasSuffix(own, b)) {
			return true
		}
	}
	return false
}

// Scan scans one object. of is its kind: server, tool, prompt, resource,
// template or result; name is its name; others are the server's own tools.
// Invalid JSON is read up to the error. unread is how many bytes were too many.
func Scan(of, name string, raw json.RawMessage, others Names) (found []mcpsf.TextDetail, unread int) {
	o := scanner{of: of, name: name, others: others, lexicon: vocabulary()}
	o.texts, o.unread = textsOf(of, raw)
	o.learn()
	for i := range o.texts {
		t := &o.texts[i]
		o.hiddenCharacters(t)
		o.hiddenComments(t)
		o.imageExfiltration(t)
		o.sentences(t)
		o.encodedText(t)
	}
	o.spreadInstructions()
	o.magicParameters()
	o.toolShadowing()
	o.contextFlooding()
	return o.details(), o.unread
}

// scanner reads one object.
type scanner struct {
	of, name string
	others   Names
	lexicon  *lexicon
	texts    []text
	// unread is how many bytes of text were not scanned.
	unread int
	// words are the parameters' names, which look like names of tools.
	words Names
	// talksToModel is set for a tool that itself talks to a model.
	talksToModel bool
	found        []mcpsf.TextDetail
	// weak are details that count only beside an instruction.
	weak []mcpsf.TextDetail
	seen map[mcpsf.TextDetail]bool
}

// learn collects the names in the object itself.
func (o *scanner) learn() {
	o.seen = map[mcpsf.TextDetail]bool{}
	o.words = NamesOf(o.name)
	for i := range o.texts {
		if o.texts[i].role != roleProse && len(o.texts[i].value) < 100 {
			o.words[bare(o.texts[i].value)] = true
		}
	}
	o.talksToModel = o.isForModels()
}

// report adds a detail.
func (o *scanner) report(what mcpsf.TextKind, field, excerpt, target string) {
	o.found = o.add(o.found, what, field, excerpt, target)
}

// reportWeak adds a detail that counts only beside an instruction.
func (o *scanner) reportWeak(what mcpsf.TextKind, field, excerpt, target string) {
	o.weak = o.add(o.weak, what, field, excerpt, target)
}

func (o *scanner) add(to []mcpsf.TextDetail, what mcpsf.TextKind, field, excerpt, target string) []mcpsf.TextDetail {
	key := mcpsf.TextDetail{What: what, Field: field, Target: target}
	same := 0
	for i := range to {
		if to[i].What == what {
			same++
		}
	}
	if o.seen[key] || same >= maxDetails {
		return to
	}
	o.seen[key] = true
	return append(to, mcpsf.TextDetail{
		What: what, Of: o.of, Name: shown(o.name, 0, len(o.name)), Field: shown(field, 0, len(field)), Excerpt: excerpt, Target: target,
	})
}

// details is everything found. Weak details count only beside an instruction.
func (o *scanner) details() []mcpsf.TextDetail {
	orders := slices.ContainsFunc(o.found, func(d mcpsf.TextDetail) bool {
		switch d.What {
		case mcpsf.TextInstruction, mcpsf.TextSecret, mcpsf.TextSilence, mcpsf.TextHidden:
			return true
		}
		return false
	})
	if orders {
		o.found = append(o.found, o.weak...)
	}
	if o.unread > 0 {
		o.found = append(o.found, mcpsf.TextDetail{
			What: mcpsf.TextFlood, Of: o.of, Name: shown(o.name, 0, len(o.name)),
			Excerpt: fmt.Sprintf("%d bytes of text were not looked at, beyond the first %d", o.unread, MaxText),
			Target:  "size",
		})
	}
	return o.found
}

// bare is a name without differences in spelling.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '.' || r == '/' || r == ':':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
