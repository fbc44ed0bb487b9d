package refusal

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// statementWord is what a statement of SQL begins with.
var statementWord = lazyregexp.New(`^(?:select|insert|update|delete|create|alter|drop)\b`)

// statementRules are about the statements of SQL that a tool takes.
func statementRules() []rule {
	const form = mcpsf.WishFormat
	return []rule{
		{kind: form, words: `\bonly (?P<format>{sql})(?:(?:,? or |,? and |, ?|/)(?-i:[A-Z]+)(?: (?-i:[A-Z]+))?)*(?: (?:statements?|quer(?:y|ies)|commands?|operations?|sql))+`, alone: true, bare: true},
		{kind: form, words: `{be} (?:an? |a valid |single )*(?P<format>{sql})(?:(?:,? or |,? and |, ?|/)(?-i:[A-Z]+)(?: (?-i:[A-Z]+))?)* (?:statement|query|command)`, alone: true, bare: true},
		{kind: form, words: `\bselect (?:statements?|quer(?:y|ies)|commands?) (?:are|is) not (?:allowed|supported|permitted|accepted)`, typ: "sql insert", alone: true, bare: true},
		{kind: form, words: `(?:insert|update|delete|write|modif\w+|ddl|dml|non-select)(?: \w+){0,3} (?:are|is) not (?:allowed|supported|permitted|accepted)|\bread-?only (?:quer(?:y|ies)|statements?) (?:are|is) (?:allowed|supported|permitted|accepted)`, typ: "sql select", alone: true, bare: true},
	}
}
