package declared

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Annotated tells whether the tool sets an annotation to a value. A missing annotation
// counts as unset: the protocol's defaults are no statement of the server.
func (t *Tools) Annotated(tool, name string, value bool) bool {
	raw := t.tools[tool].Annotations
	var hints map[string]json.RawMessage
	if len(raw) == 0 || len(raw) > lex.MaxParams || json.Unmarshal(raw, &hints) != nil {
		return false
	}
	var said bool
	return hints[name] != nil && string(hints[name]) != "null" && json.Unmarshal(hints[name], &said) == nil && said == value
}

// offline matches descriptions that promise that nothing leaves the machine.
var offline = lazyregexp.New(`(?i)\bworks? (?:fully |entirely |completely |purely )?offline\b|\boffline only\b|\b(?:fully|entirely|completely|100%) (?:local|offline)\b` +
	`|\bnothing (?:is (?:stored or |ever |logged or )?(?:sent|uploaded|transmitted)|(?:ever )?leaves|gets sent)\b` +
	`|\b(?:never|not) (?:leaves?|leave|sends? anything|uploads? anything)\b|\bwithout (?:any )?(?:network|internet)\b` +
	`|\bno (?:data|network|internet|text|input)\b[^.]{0,24}\b(?:leaves|is sent|is needed|is used|needed|required|access)\b|\bstays? on (?:this|your|the) (?:machine|computer|device)\b`)

var (
	// unsent matches sentences that say that something is not sent.
	unsent = lazyregexp.New(`(?i)[^.;!?]*\b(?:never|not) (?:sent|uploaded|transmitted)\b[^.;!?]*`)
	// anywhere matches those that say so of every place.
	anywhere = lazyregexp.New(`(?i)\b(?:anywhere|anyone|nobody|machine|computer|device|network|internet|cloud|servers?|third part(?:y|ies)|outside)\b`)
	// notYet matches those that speak of a mail or a change that waits.
	notYet = lazyregexp.New(`(?i)\b(?:drafts?|e?-?mails?|messages?|invitations?|until|unless|yet|if|when|before|automatically|immediately)\b`)
)

// SaysOffline tells whether a tool promises that nothing leaves the machine.
func (t *Tools) SaysOffline(tool string) bool {
	about := t.description(tool)
	draft := t.Mentions(tool, "draft") || t.Mentions(tool, "drafts")
	return offline.MatchString(about) || slices.ContainsFunc(unsent.FindAllString(about, -1), func(said string) bool {
		return anywhere.MatchString(said) || !draft && !notYet.MatchString(said)
	})
}

// WrongKind tells whether a tool whose name says that it makes files of one kind
// (such as pictures) accesses a file of another kind, or one without an
// extension.
func WrongKind(tool, file string) bool {
	words := lex.Words(tool)
	for _, k := range []struct{ words, endings []string }{
		{[]string{"screenshot", "image", "picture", "photo", "snapshot", "thumbnail"}, []string{"png", "jpg", "jpeg", "webp", "gif", "bmp", "svg", "avif", "tiff"}},
		{[]string{"recording", "record", "video", "screencast"}, []string{"mp4", "webm", "mov", "mkv", "avi", "gif", "mp3", "wav", "ogg", "m4a"}},
		{[]string{"pdf"}, []string{"pdf"}},
	} {
		if slices.ContainsFunc(k.words, func(w string) bool { return slices.Contains(words, w) }) {
			return !slices.Contains(k.endings, strings.ToLower(strings.TrimPrefix(path.Ext(file), ".")))
		}
	}
	return false
}
