package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// endingWords are the abbreviations in the expressions about the endings of files.
// {list} is a list of endings, {formats} one of formats that are known by their name.
//
//nolint:gochecknoglobals // as constant as the expressions
var endingWords = strings.NewReplacer(
	"{list}", "(?P<list>{one}(?:(?:\\s*[,|/]\\s*|,? (?:or|and) |\\s){one})*)",
	"{one}", "[\"'`*“‘(\\[]{0,2}\\.[A-Za-z][A-Za-z0-9]{0,7}\\b[\"'`”’)\\]]{0,2}",
	"{formats}", `(?P<formats>{format}(?:(?:,|,? or|,? and|/) ?{format})*)`,
	"{format}", `(?:pdf|png|jpe?g|gif|svg|webp|tiff?|bmp|docx|xlsx|pptx|odt|epub|ipynb|parquet|wav|mp3|mp4|zip)\b`,
	"{be}", `(?:must|should|has to|have to|needs? to|can only)(?: only)? (?:be|have|end|point|use|refer|name|lead|carry|contain)\b`,
	"{good}", `\b(?:supported|allowed|accepted|valid|permitted|acceptable|recogni[sz]ed|known|possible)\b`,
	"{file}", `\b(?P<noun>file|image|document|picture|photo|path|attachment|video|audio|workbook|presentation|notebook|extension)\b`,
)

// endingRules are the forms of words by which a text says which ending a file must have.
//
//nolint:gochecknoglobals // as constant as the expressions
var endingRules = endingExpressions(
	`{be}[^.;]{0,60}?[\s(]{list}`,
	`{good}[^.;:]{0,40}?(?:: ?|\bare:? |\bis:? |\binclude:? ){list}`,
	`\b(?:only|just)(?: supports?| accepts?| allows?)? {list}(?: (?:file|format|extension)s?)?`,
	`\b(?:is not|isn't|not an?|must be|expected|expects|requires?|need) (?:an? )?(?:valid )?(?:\w+ ){0,3}?{list}(?:$|[\s.,;)])`,
	`{file}[^.;]{0,40}? (?:is not|isn't|must be|should be|has to be|needs to be) (?:(?:an?|in|valid|of|type|either) )*{formats}(?: (?:file|image|format|document))?`,
	`\bonly {formats} (?:files?|images?|formats?|documents?)`,
	`\bnot an? (?:valid )?{formats} (?:file|image|document)`,
)

func endingExpressions(list ...string) []*lazyregexp.Regexp {
	out := make([]*lazyregexp.Regexp, len(list))
	for i, text := range list {
		for range 2 { // a list has parts that are abbreviations, too
			text = endingWords.Replace(text)
		}
		out[i] = lazyregexp.New(`(?i)` + text)
	}
	return out
}

var (
	ending     = lazyregexp.New(`\.[A-Za-z][A-Za-z0-9]{0,7}\b`)
	formatWord = lazyregexp.New(`(?i)[a-z]+[0-9]?`)
	// refusedFile is a file that a text names: in quotes, by its path or its name.
	refusedFile = lazyregexp.New("[\"'`“‘]([^\"'`”’\\n]{1,256})[\"'`”’]|(?:^|\\s)((?:/|\\./)?[\\w@+-]+(?:[/.][\\w@+-]+)*/?)\\b")
	refusedKind = lazyregexp.New("(?:^|[\\s\"'`(:])(\\.[A-Za-z][A-Za-z0-9]{0,7})\\b")
	// fileNoun is what a text says of any file, and no name of a value.
	fileNoun = lazyregexp.New(`(?i)^(?:(?:invalid|unsupported|wrong|bad|input|file) )*(?:extension|format|type)s?$`)
)

// endings reads whether a clause says which ending a file must have, and reports
// whether it does. What it is about may stand in the clause before.
func (r *reader) endings(c clause) bool {
	last := r.last
	r.last = c.text
	for _, rule := range endingRules {
		at := rule.FindStringSubmatchIndex(c.text)
		if at == nil || strings.HasSuffix(strings.ToLower(c.text[:at[0]]), "not ") {
			continue // "not allowed: .txt" is no list of what is
		}
		group := func(name string) (from, to int) {
			if i := slices.Index(rule.SubexpNames(), name); i >= 0 {
				return at[2*i], at[2*i+1]
			}
			return -1, -1
		}
		from, to := group("list")
		formats := from < 0
		if formats {
			from, to = group("formats")
		}
		noun := at[0]
		if _, end := group("noun"); end >= 0 {
			noun = end
		}
		wanted := endingsIn(c.text[from:to], formats)
		about := r.ofFile(c, c.text[:noun], c.text[:from]+" "+c.text[to:], last, wanted)
		r.about = about
		r.add(mcpsf.Wish{Kind: mcpsf.WishFormat, Type: mcpsf.FormatSuffix, Path: about.path, Value: about.value, Accepted: wanted})
		return true
	}
	return false
}

// endingsIn lists the endings in a text, each once. Formats are written without a dot.
func endingsIn(text string, formats bool) []string {
	way := ending
	if formats {
		way = formatWord
	}
	var out []string
	for _, e := range way.FindAllString(text, maxAccepted) {
		if formats {
			if e = "." + e; e == ".or" || e == ".and" {
				continue
			}
		}
		if e = strings.ToLower(e); !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// ofFile returns which value the ending is wanted of: the noun before, and the file
// that the text repeats, or the ending that it refuses.
func (r *reader) ofFile(c clause, before, around, last string, wanted []string) subject {
	about := subject{path: c.path}
	if s := spoken(before, true); len(s) > 0 && about.path == nil && !fileNoun.MatchString(strings.Join(s[0].path, " ")) {
		about.path = s[0].path
	}
	for _, text := range []string{around, last} {
		if about.value = refusedName(text, wanted); about.value != "" {
			return about
		}
	}
	if about.path == nil && !fileNoun.MatchString(strings.Join(r.about.path, " ")) {
		about = r.about
	}
	return about
}

// refusedName returns the file that a text names, else the ending that it refuses.
func refusedName(text string, wanted []string) string {
	for _, m := range refusedFile.FindAllStringSubmatch(text, maxTries) {
		if name := m[1] + m[2]; strings.ContainsAny(name, "/.") && !strings.HasPrefix(name, ".") && len(name) > 2 {
			return name
		}
	}
	if m := refusedKind.FindStringSubmatch(text); m != nil && !slices.Contains(wanted, strings.ToLower(m[1])) {
		return m[1]
	}
	return ""
}
