package declared

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// ownFolder matches phrases that name the folder a tool keeps to: "in the notes
// folder", "relative to the vault", "from ./reports".
var ownFolder = lazyregexp.New(`(?i)\b(?:in|inside|within|under|below|from|relative to|of) (?:the |its |our |a )?` +
	`(?:([a-z][a-z0-9_-]{1,30}) (?:folder|directory|dir)\b|(?:[a-z0-9_-]{1,20} )?(vault)\b|["'\x60]?((?:\./|/(?:srv|opt|var|data|app)/)[\w./-]{2,60}))`)

// NamesItsFolder tells whether the tool says that it keeps to a folder of its own.
// A tool that lets the caller choose the folder has none.
func (t *Tools) NamesItsFolder(tool, place string) bool {
	if t.takesFolder(tool) {
		return false
	}
	about, _ := t.property(tool, place)
	for _, m := range ownFolder.FindAllStringSubmatch(t.description(tool)+"\n"+about, maxSentences) {
		if m[1] == "" || !anyFolder(strings.ToLower(m[1])) {
			return true
		}
	}
	return false
}

// anyFolder tells whether a word before "folder" does not say which one it is.
func anyFolder(word string) bool {
	return slices.Contains([]string{
		"the", "a", "this", "that", "each", "every", "any", "given", "specified", "provided", "certain", "specific", "particular", "chosen", "selected",
		"current", "working", "present", "local", "target", "same", "source", "output", "destination", "parent", "root", "home", "project", "user",
		"file", "files", "your", "other", "another", "new", "temporary", "temp", "allowed", "remote", "base", "single", "whole", "entire", "git",
	}, word)
}

// takesFolder tells whether an argument of the tool is a folder.
func (t *Tools) takesFolder(tool string) bool {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(t.tools[tool].InputSchema, &schema) != nil {
		return true
	}
	for name := range schema.Properties {
		for _, w := range lex.Words(name) {
			if slices.Contains([]string{"dir", "directory", "folder", "root", "workspace", "vault", "cwd", "base", "repo", "repository", "project"}, w) {
				return true
			}
		}
	}
	return false
}
