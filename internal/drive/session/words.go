package session

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

const (
	// maxWordCalls is how many calls are made with these words, wordTime their
	// total time.
	maxWordCalls = 60
	wordTime     = 8 * time.Second
	// alone is how many of the words are also sent alone in each argument.
	alone = 12
	// maxSaid is the maximum length of a text of several words.
	maxSaid = 400
)

// callWithWords calls the tools with the texts that the server's own code compares
// its input with. A server that waits for a trigger word gets it here.
func (e *enumeration) callWithWords(ctx context.Context) error {
	var words []string
	if e.opts.Inputs.Words != nil {
		words = e.opts.Inputs.Words()
	}
	end, made := time.Now().Add(wordTime), 0
	for i := range e.out.Tools {
		tool := &e.out.Tools[i]
		if len(words) == 0 || e.tools.slow[tool.Name] || !e.tools.callable(tool) || e.tools.onlyAsTask(tool) {
			continue
		}
		r, err := e.tools.request(i, 0)
		if err != nil {
			return err
		}
		usual := schema.Input{JSON: r.arguments, Server: r.server.Inside(inArguments)}
		for _, p := range schema.Places(e.tools.schemaOf(tool), e.opts.Inputs.Values.For(tool.Name), e.opts.Inputs.Seed) {
			for _, text := range wordsAt(&p, r.arguments, words) {
				input, err := usual.WithServer(p.Pointer, text, mcpsf.OriginSource)
				if err != nil {
					break
				}
				if made++; made > maxWordCalls || time.Now().After(end) {
					return nil
				}
				if _, err := e.requests.ask(ctx, r.with(input)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// wordsAt returns the texts for an argument: its usual value followed by all
// the words, and some of the words alone. An argument with fixed values gets
// none.
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
	out = append(out, all)
	return append(out, words[:min(len(words), alone)]...)
}
