// Package described reads documents in which a package describes the answers of
// services: OpenAPI and JSON Schema, GraphQL schemas, and the declarations that
// TypeScript leaves beside JavaScript.
//
// It takes the name and the bytes of a file and returns the answers that the
// file describes. The bytes are a stranger's: it reads a bounded part of them
// and checks nothing that it returns; package expect does.
package described

import (
	"bytes"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// no gap: what is not found out about answers is only answered as usual
const (
	// MaxBytes is the size of the largest document that is read.
	MaxBytes = 1 << 20
	// maxShapes bounds the values of all shapes of a document, maxDepth their
	// depth, maxAnswers how many there are.
	maxShapes  = 6_000
	maxDepth   = 6
	maxAnswers = 200
)

// answerName matches the names of what is an answer.
var answerName = lazyregexp.New(`(?i)(response|reply|apiresult|resultset)s?(schema|type|body|data|dto)?$`)

// Wanted reports whether a file can be such a document, by its name.
func Wanted(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch path.Ext(base) {
	case ".json":
		return base != "package.json" && base != "package-lock.json" && !strings.HasPrefix(base, "tsconfig")
	case ".yaml", ".yml", ".graphql", ".gql", ".graphqls":
		return true
	}
	return strings.HasSuffix(base, ".d.ts") || strings.HasSuffix(base, ".d.mts")
}

// Answers returns the answers that a file describes.
func Answers(name string, data []byte) []mcpsf.ExpectedAnswer {
	if len(data) > MaxBytes {
		return nil
	}
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".json", ".yaml", ".yml":
		return documented(name, ext, data)
	case ".graphql", ".gql", ".graphqls":
		return graphQL(string(data))
	case ".ts", ".mts":
		return declared(string(data))
	}
	return nil
}

// documented reads OpenAPI, or a JSON Schema whose name says that it is of an
// answer.
func documented(name, ext string, data []byte) []mcpsf.ExpectedAnswer {
	api := bytes.Contains(data, []byte("openapi")) || bytes.Contains(data, []byte("swagger"))
	stem := strings.TrimSuffix(strings.TrimSuffix(path.Base(name), path.Ext(name)), ".schema")
	if !api && !(answerName.MatchString(stem) && bytes.Contains(data, []byte("properties"))) {
		return nil
	}
	var doc *document.Value
	if ext == ".json" {
		doc, _ = document.JSON(data) // of a broken document what is before the mistake
	} else if docs, _ := document.YAML(data); len(docs) > 0 {
		doc = docs[0]
	}
	s := &schemas{left: maxShapes, named: map[string]*document.Value{}}
	if doc.Get("paths").IsObject() {
		return s.openAPI(doc)
	}
	if api || !doc.Get("properties").IsObject() {
		return nil
	}
	s.define("#/definitions/", doc.Get("definitions"))
	s.define("#/$defs/", doc.Get("$defs"))
	return []mcpsf.ExpectedAnswer{{Shape: s.shape(doc, 0)}}
}
