package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/gap"
)

const (
	// maxWordCalls is how many calls are made with these words, wordTime their
	// total time.
	// gap: words-not-sent
	maxWordCalls = 400
	// gap: words-not-sent
	wordTime = 20 * time.Second
	// alone is how many of the words are also sent alone in each argument, and
	// maxAlone how many such calls are made.
	// no gap: every argument gets every word among others first
	alone, maxAlone = 12, 60
	// maxSaid is the maximum length of a text of several words.
	// no gap: the words that do not fit are sent in another text
	maxSaid = 400
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
	together, single, err := e.wordCalls(words)
	if err != nil {
		return err
	}
	end := time.Now().Add(wordTime)
	for i, r := range together {
		if i >= maxWordCalls || time.Now().After(end) {
			e.requests.ledger.gap(gap.WordsNotSent, len(together), len(together)-i)
			return nil
		}
		if _, err := e.requests.ask(ctx, r); err != nil {
			return err
		}
	}
	for _, r := range single[:min(len(single), maxAlone)] {
		if time.Now().After(end) {
			break
		}
		if _, err := e.requests.ask(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// wordCalls returns the calls with all the words together, and those with single
// ones.
func (e *enumeration) wordCalls(words []string) (together, single []request, err error) {
	for i := range e.out.Tools {
		tool := &e.out.Tools[i]
		if e.tools.slow[definition(tool)] || !e.tools.callable(tool) || e.tools.onlyAsTask(tool) {
			continue
		}
		r, err := e.tools.request(i, 0)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range schema.Places(e.tools.schemaOf(tool), e.opts.Inputs.Values.For(tool.Name), e.opts.Inputs.Seed) {
			joined := wordsAt(&p, r.arguments, words)
			for n, text := range slices.Concat(joined, words[:min(len(words), alone)]) {
				args, err := schema.Put(r.arguments, p.Pointer, text)
				if err != nil || joined == nil {
					break
				}
				said := r
				said.arguments, said.params = args, map[string]any{"name": tool.CallName(), "arguments": args}
				if n < len(joined) {
					together = append(together, said)
				} else {
					single = append(single, said)
				}
			}
		}
	}
	return together, single, nil
}

// wordsAt returns the texts for an argument: its usual value followed by all
// the words. An argument with fixed values gets none.
func wordsAt(p *schema.Place, args json.RawMessage, words []string) []string {
	if p.Type != "string" || p.Format != "" || p.Pattern != "" || len(p.Enum) > 0 || p.MaxLength > 0 && p.MaxLength < maxSaid {
		return nil
	}
	switch p.Kind {
	case schema.KindText, schema.KindQuery, schema.KindName, schema.KindUnknown, schema.KindTemplate, schema.KindMarkup:
	default:
		return nil
	}
	var first string
	if value, ok := schema.Get(args, p.Pointer); ok {
		first, _ = jsonrpc.String(value)
	}
	all := strings.TrimSpace(first)
	var out []string
	for _, w := range words {
		if len(all)+1+len(w) > maxSaid {
			out, all = append(out, all), first
		}
		all += " " + w
	}
	return append(out, all)
}
