package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
	"github.com/mcpsf/mcpsf/internal/gap"
)

const (
	// maxCompared is how many words are used.
	// gap: words-left-out
	maxCompared = 256
	// maxWordCalls is how many calls are made with these words, wordTime their
	// total time.
	// gap: words-not-sent
	maxWordCalls = 600
	// gap: words-not-sent
	wordTime = 30 * time.Second
	// alone is how many of the words are also sent alone in each argument, and
	// maxAlone how many such calls are made, but leastAlone for each argument.
	// gap: words-left-out
	alone, maxAlone, leastAlone = 24, 120, 3
	// maxSaid is the maximum length of a text of several words.
	// no gap: the words that do not fit are sent in another text
	maxSaid = 4000
)

// callWithWords calls the tools with the texts that the server's own code compares
// its input with. A server that waits for a trigger word gets it here.
func (e *enumeration) callWithWords(ctx context.Context) error {
	var words []string
	if e.opts.Inputs.Words != nil {
		words = e.opts.Inputs.Words()
	}
	if len(words) == 0 {
		return nil
	}
	if more := len(words) - maxCompared; more > 0 {
		e.requests.ledger.gap(gap.WordsLeftOut, maxCompared, more)
		words = words[:maxCompared]
	}
	together, single, err := e.wordCalls(ctx, words)
	if err != nil {
		return err
	}
	watch := e.opts.Timing.stopwatch()
	for i, r := range together {
		if i >= maxWordCalls || watch.elapsed() > wordTime {
			e.requests.ledger.gap(gap.WordsNotSent, len(together), len(together)-i)
			return nil
		}
		if err := e.askWord(ctx, "together", i, r); err != nil {
			return err
		}
	}
	if more := len(words) - alone; more > 0 && len(single) > 0 {
		e.requests.ledger.addGap(gap.Detailed(gap.WordsLeftOut,
			fmt.Sprintf("%d words that the server's own code compares its input with as the whole of an argument: %d were sent alone", more, alone)))
	}
	most := max(maxAlone, leastAlone*len(single)/min(len(words), alone))
	for i, r := range single {
		if i >= most || watch.elapsed() > wordTime {
			e.requests.ledger.addGap(gap.Detailed(gap.WordsLeftOut,
				fmt.Sprintf("%d of %d calls with a single word that the server's own code compares its input with", len(single)-i, len(single))))
			break
		}
		if err := e.askWord(ctx, "alone", i, r); err != nil {
			return err
		}
	}
	return nil
}

// askWord makes the n-th call with words.
func (e *enumeration) askWord(ctx context.Context, how string, n int, r request) error {
	if !e.opts.Earlier.Resume.begin(fmt.Sprintf("words %s %d %x", how, n, r.key())) {
		return nil
	}
	_, err := e.requests.ask(ctx, r)
	return err
}

// wordCalls returns the calls with all the words together, and those with single
// ones.
func (e *enumeration) wordCalls(ctx context.Context, words []string) (together, single []request, err error) {
	var byPlace [][]request
	var inTexts []request // behind the others, and none alone: the text as a whole gets these
	state := newPreparer(e.requests)
	for _, i := range sequence.Order(e.out.Tools) {
		tool := &e.out.Tools[i]
		if e.tools.slow[definition(tool)] || !e.tools.callable(tool) || e.tools.onlyAsTask(tool) {
			continue
		}
		r, err := e.tools.request(i, 0)
		if err != nil {
			return nil, nil, err
		}
		if r, err = e.tools.restored(ctx, state, tool, r); err != nil {
			return nil, nil, err
		}
		usual := r.input()
		values := e.opts.Inputs.Values.ForTool(tool)
		for _, p := range schema.WithInside(usual.JSON, schema.Places(e.tools.schemaOf(tool), values, e.opts.Inputs.Seed), values) {
			if !takesWord(&p) {
				continue
			}
			with := func(text string) request {
				input, err := usual.WithServer(p.Pointer, text, mcpsf.OriginSource)
				if err != nil {
					return r // as usual
				}
				return r.with(input)
			}
			to := &together
			_, _, inText := mcpsf.PointerText(p.Pointer)
			if inText {
				to = &inTexts
			}
			for _, text := range wordsAt(&p, r.arguments, words) {
				*to = append(*to, with(text))
			}
			if inText {
				continue
			}
			var row []request
			for _, word := range words[:min(len(words), alone)] {
				row = append(row, with(word))
			}
			byPlace = append(byPlace, row)
		}
	}
	return append(together, inTexts...), inTurn(byPlace), nil
}

// inTurn lists the calls so that every argument gets its first word before any gets
// its second.
func inTurn(byPlace [][]request) []request {
	var all []request
	for n := 0; len(byPlace) > 0 && n < len(byPlace[0]); n++ {
		for _, row := range byPlace {
			all = append(all, row[n])
		}
	}
	return all
}

// takesWord tells whether an argument is one that words are sent in: not one with
// fixed values, nor one that names a place.
func takesWord(p *schema.Place) bool {
	return p.Type == "string" && p.Format == "" && p.Pattern == "" && len(p.Enum) == 0 && (p.Kind == meaning.KindID || takesText(p.Kind))
}

// takesText tells whether an argument of a kind may be a text of several words.
func takesText(k meaning.Kind) bool {
	switch k {
	case meaning.KindText, meaning.KindQuery, meaning.KindName, meaning.KindUnknown, meaning.KindTemplate, meaning.KindMarkup:
		return true
	}
	return false
}

// wordsAt returns the texts for an argument: its usual value followed by all
// the words. An id gets none.
func wordsAt(p *schema.Place, args json.RawMessage, words []string) []string {
	if !takesText(p.Kind) {
		return nil
	}
	var first string
	if value, ok := schema.Get(args, p.Pointer); ok {
		first, _ = jsonrpc.String(value)
	}
	most := maxSaid
	if p.MaxLength > 0 {
		most = min(most, p.MaxLength)
	}
	if first = strings.TrimSpace(first); len(first) >= most {
		first = ""
	}
	var out []string
	all := first
	for _, w := range words {
		if all != first && len(all)+1+len(w) > most {
			out, all = append(out, all), first
		}
		switch joined := strings.TrimSpace(all + " " + w); {
		case len(joined) <= most:
			all = joined
		case len(w) <= most:
			out = append(out, w)
		}
	}
	if all != first {
		out = append(out, all)
	}
	return out
}
