package promptscan

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// spreadInstructions reads all texts of a description in order, because an
// instruction can be spread over several of them.
func (o *scanner) spreadInstructions() {
	if o.of == ofResult || len(o.texts) < 2 {
		return
	}
	var b strings.Builder
	var starts []int
	var parts []*text
	for i := range o.texts {
		t := &o.texts[i]
		if t.role == roleName || len(t.value) > 4000 || b.Len() > 64<<10 {
			continue
		}
		starts, parts = append(starts, b.Len()), append(parts, t)
		b.WriteString(strings.TrimSpace(t.value))
		b.WriteByte(' ')
	}
	if len(parts) < 2 {
		return
	}
	whole := b.String()
	sub := scanner{of: o.of, name: o.name, others: o.others, lexicon: o.lexicon, words: o.words, talksToModel: o.talksToModel, seen: map[mcpsf.TextDetail]bool{}}
	p := passage{scanner: &sub, source: whole, sentences: o.lexicon.split(tokens(whole))}
	p.nearSecrecy = o.reported(mcpsf.TextSilence)
	for i := range p.sentences {
		s := &p.sentences[i]
		if !p.nearSecrecy && !s.has("address", "before") {
			continue
		}
		from := sort.SearchInts(starts, s.ts[0].start+1) - 1
		p.field = parts[max(0, from)].field
		p.secrecy(s)
		p.secretTheft(i, s)
		p.contextTheft(s)
		p.instructionOverride(s)
		p.redirectedCalls(s)
	}
	for _, d := range sub.found {
		if !o.reported(d.What) {
			o.report(d.What, d.Field, d.Excerpt, d.Target)
		}
	}
}

func (o *scanner) reported(what mcpsf.TextKind) bool {
	return slices.ContainsFunc(o.found, func(d mcpsf.TextDetail) bool { return d.What == what })
}

// knownTools are tools that every agent or the best-known servers have.
func knownTools() Names {
	return NamesOf(tables().KnownTools...)
}

// toolShadowing finds a tool with the name of a well-known one, and a text that
// wants it to be used instead.
func (o *scanner) toolShadowing() {
	if o.of != "tool" {
		return
	}
	if !knownTools()[bare(plain(o.name))] {
		o.disparagedTools()
		return
	}
	for i := range o.texts {
		t := &o.texts[i]
		low := strings.ToLower(t.value[:min(len(t.value), 4000)])
		if t.role != roleProse || t.parameter != "" {
			continue
		}
		for _, claim := range tables().ShadowClaims {
			if at := strings.Index(low, claim); at >= 0 {
				o.report(mcpsf.TextShadow, t.field, shown(t.value, at, at+len(claim)), o.name)
				return
			}
		}
	}
}

// disparagedTools finds texts that call well-known tools worse, by name.
func (o *scanner) disparagedTools() {
	others := knownTools()
	for i := range o.texts {
		t := &o.texts[i]
		if t.role != roleProse || t.parameter != "" {
			continue
		}
		sentences := o.lexicon.split(tokens(t.value))
		for j := range sentences {
			s := &sentences[j]
			at := slices.IndexFunc(s.ts, func(w token) bool {
				return w.name && strings.Contains(w.text, "_") && others[bare(w.text)] && !o.others.has(w.text)
			})
			if at >= 0 && len(s.affirmed("worse")) > 0 && !s.describesAttacks() {
				o.report(mcpsf.TextShadow, t.field, shown(t.value, s.ts[0].start, s.ts[len(s.ts)-1].end), s.ts[at].text)
				return
			}
		}
	}
}

// plain is a name with its lookalikes replaced.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if l := latinLookalike(r); l != 0 {
			return l
		}
		return r
	}, name)
}

const (
	// muchText is more than any honest description has; sameLines is how often
	// a line repeats before it counts as filler.
	muchText  = 48 << 10
	sameLines = 40
)

// contextFlooding finds so much text that it displaces the rest of the model's
// context.
func (o *scanner) contextFlooding() {
	if o.carriesForeignText() || o.of == ofPrompt {
		return
	}
	total := 0
	lines := map[string]int{}
	for i := range o.texts {
		t := &o.texts[i]
		if t.role == roleName || t.role == roleValue {
			continue
		}
		total += len(t.value)
		for line := range strings.FieldsFuncSeq(t.value, func(r rune) bool { return r == '\n' || r == '.' || r == '!' }) {
			if line = strings.TrimSpace(line); len(line) > 8 && len(lines) < 10000 {
				lines[line]++
				if lines[line] == sameLines && t.parameter == "" {
					o.report(mcpsf.TextFlood, t.field, shown(line, 0, len(line)), "repetition")
				}
			}
		}
	}
	if total > muchText {
		o.report(mcpsf.TextFlood, "", fmt.Sprintf("%d bytes of description", total), "size")
	}
}
