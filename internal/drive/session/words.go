package session

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

const (
	// maxWordCalls is how many calls are made to say words, wordTime how long
	// they may take altogether.
	maxWordCalls = 60
	wordTime     = 8 * time.Second
	// alone is how many of the words are also said alone, at each place.
	alone = 12
	// maxSaid is how long a text of several words gets.
	maxSaid = 400
)

// sayWords calls the tools with the words that the server's own code compares
// texts with. Who waits for one of them to do something else hears it here.
func (s *session) sayWords(ctx context.Context) error {
	var words []string
	if s.opts.Words != nil {
		words = s.opts.Words()
	}
	end, made := time.Now().Add(wordTime), 0
	for i := range s.out.Tools {
		tool := &s.out.Tools[i]
		if len(words) == 0 || s.slow[tool.Name] || !s.callable(tool) || s.onlyAsTask(tool) {
			continue
		}
		r, err := s.toolRequest(i, 0)
		if err != nil {
			return err
		}
		for _, p := range schema.Places(s.schemaOf(tool), s.opts.Values.For(tool.Name), s.opts.Seed) {
			for _, text := range s.texts(&p, r.arguments, words) {
				args, err := schema.Put(r.arguments, p.Pointer, text)
				if err != nil {
					break
				}
				if made++; made > maxWordCalls || time.Now().After(end) {
					return nil
				}
				said := r
				said.arguments, said.params = args, map[string]any{"name": tool.Name, "arguments": args}
				if _, err := s.ask(ctx, said); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// texts are what is said at a place: all the words behind what is said there
// otherwise, and some of them alone. Where only certain values will do, nothing
// is.
func (s *session) texts(p *schema.Place, args json.RawMessage, words []string) []string {
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
		first, _ = asString(value)
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
