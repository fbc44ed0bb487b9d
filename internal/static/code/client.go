package code

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// no gap: what is not found out about answers is only answered as usual
const (
	// maxClients bounds the text of generated clients that is read, maxClientFiles
	// their files, maxSearched how much of dependencies is searched for them.
	maxClients     = 12 << 20
	maxClientFiles = 3_000
	maxSearched    = 64 << 20
)

// marks are what generated clients have that check their answers.
func marks() [][]byte {
	return [][]byte{
		[]byte("$inboundSchema"), []byte("serialization.object("), []byte("parseOrThrow("),
		[]byte("_response_types_map"), []byte("unmarshal_json_response("), []byte("parse_obj_as("), []byte("makeApi("), []byte("responseValidator"),
	}
}

// clients reads what the generated clients among the dependencies declare about
// answers: the operations of a server are often in a package of their own. Each package
// is read as it is imported or required, not twice.
func (r *reading) clients(ctx context.Context) ([]*ir.File, error) {
	byPURL, marked := map[string][]entry{}, map[string]int{}
	var order []string
	left := int64(maxSearched)
	search := marks()
	for _, e := range r.survey.dependencies {
		if e.size > maxDependencyFile || ctx.Err() != nil {
			continue
		}
		if byPURL[e.purl] == nil {
			order = append(order, e.purl)
		}
		byPURL[e.purl] = append(byPURL[e.purl], e)
		if left -= e.size; left < 0 || marked[e.purl] >= 3 || strings.HasSuffix(e.path, ".d.ts") {
			continue
		}
		text, err := readFile(r.fsys, e.path, maxDependencyFile)
		if err == nil && slices.ContainsFunc(search, func(m []byte) bool { return bytes.Contains(text, m) }) {
			marked[e.purl]++
		}
	}
	var entries []entry
	total := int64(0)
	for _, purl := range order {
		if marked[purl] == 0 {
			continue
		}
		for _, e := range oneFormat(byPURL[purl]) {
			if total += e.size; total > maxClients || len(entries) >= maxClientFiles {
				break
			}
			e.declared = true
			entries = append(entries, e)
		}
	}
	return r.aside(ctx, entries)
}

// aside reads files that are counted and noted elsewhere.
func (r *reading) aside(ctx context.Context, entries []entry) ([]*ir.File, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	counts, notes := r.result.Files, len(r.notes)
	files, err := r.read(ctx, entries)
	r.result.Files, r.notes = counts, r.notes[:notes]
	return files, err
}

// oneFormat leaves out what a package has as well in another format: CommonJS beside
// modules, TypeScript beside what is compiled, types. Its operations come first.
func oneFormat(list []entry) []entry {
	rank := func(e entry) int {
		switch p := "/" + e.path; {
		case strings.HasSuffix(p, ".d.ts"), strings.HasSuffix(p, ".d.mts"), strings.HasSuffix(p, ".d.cts"):
			return 9
		case e.lang == ir.Python, strings.HasSuffix(p, ".mjs"), strings.Contains(p, "/esm/"):
			return 0
		case strings.HasSuffix(p, ".cjs"), strings.Contains(p, "/commonjs/"), strings.Contains(p, "/cjs/"):
			return 2
		case e.lang == ir.TypeScript:
			return 3
		}
		return 1
	}
	best := 9
	for _, e := range list {
		if small := strings.Contains(path.Dir(e.path), "/examples"); !small {
			best = min(best, rank(e))
		}
	}
	out := slices.DeleteFunc(slices.Clone(list), func(e entry) bool { return rank(e) != best || best == 9 })
	operations := func(e entry) int {
		for i, name := range []string{"/funcs/", "/api/", "/apis/", "/resources/", "/models/"} {
			if strings.Contains(e.path, name) {
				return i
			}
		}
		return 9
	}
	slices.SortStableFunc(out, func(a, b entry) int { return cmp.Compare(operations(a), operations(b)) })
	return out
}
