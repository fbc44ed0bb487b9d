package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
)

// part is a share of the corpus: the whole takes hours, so each night assesses
// another part of it anew and judges the kept runs of the rest.
type part struct{ which, of uint32 }

// parsePart reads "2/3": the second of three parts. "" is the whole corpus.
func parsePart(text string) (part, error) {
	if text == "" {
		return part{1, 1}, nil
	}
	var p part
	if n, err := fmt.Sscanf(text, "%d/%d", &p.which, &p.of); n != 2 || err != nil || p.which < 1 || p.which > p.of || text != fmt.Sprintf("%d/%d", p.which, p.of) {
		return part{}, fmt.Errorf("-part %q: write which of how many parts, as in 2/3", text)
	}
	return p, nil
}

// has reports whether an example is in the part. It depends on the name alone, so
// that a new example does not move others to another night.
func (p part) has(e *example) bool {
	h := fnv.New32a()
	h.Write([]byte(e.Name))
	return h.Sum32()%p.of == p.which-1
}

// assessPart assesses the examples of a part and those without a kept run, and
// judges the kept runs of all others.
func assessPart(ctx context.Context, set *settings, list []*example, stdout io.Writer) ([]*result, error) {
	shelf, err := newShelf(set.traces)
	if err != nil {
		return nil, err
	}
	fresh := slices.DeleteFunc(slices.Clone(list), func(e *example) bool { return !set.part.has(e) && shelf.has(e.Name) })
	rest := slices.DeleteFunc(slices.Clone(list), func(e *example) bool { return slices.Contains(fresh, e) })
	fmt.Fprintf(stdout, "part %d of %d: %d assessed anew, the kept runs of %d judged\n", set.part.which, set.part.of, len(fresh), len(rest))
	kept, err := rejudge(set.traces, rest, stdout)
	if err != nil {
		return nil, err
	}
	made, err := assessOne(ctx, set, fresh, stdout)
	return append(kept, made...), err
}
