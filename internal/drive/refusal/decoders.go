package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// decoder is what a library says that could not read a document: an answer of a service
// mostly, so only an argument with that very name is meant otherwise. Its groups are
// type (the right one, in the words of the language), got, path ($.items[0].name or
// items.name), names, media, and member, with the places of the errors of Jackson in
// chain.
type decoder struct {
	kind  mcpsf.WishKind
	words string
	find  *lazyregexp.Regexp // made of words
	typ   string
	// answer says that it is about an answer for sure.
	answer bool
}

// decoderWords are the abbreviations in the expressions.
//
//nolint:gochecknoglobals // as constant as the expressions
var decoderWords = strings.NewReplacer(
	"{q}", "[\"'`]?",
	"{name}", `(?-i:[A-Za-z_][\w.\[\]-]{0,63})`,
	"{media}", `(?:application|text|image|audio|video|multipart)/[\w.+*-]+`,
	"{at}", `at line \d+,? column \d+`,
	"{answer}", `(?:response|reply|answer)`,
	"{lacks}", `(?:is missing|was missing|misses|missing|has no|had no|lacks|lacked|came without|does not (?:contain|have|include)|did not (?:contain|have|include|return))`,
	"{such}", `(?: the| an?| any| required| expected| valid| usable| such| non-empty| proper| field| property| member| key)*`,
	"{list}", `(?:map|filter|forEach|reduce|some|every|find|findIndex|flatMap|slice|sort|entries|join|flat)`,
)

// decoders are the forms of words of the languages and of authors who check an answer.
//
//nolint:gochecknoglobals // as constant as the expressions
var decoders = func(list []decoder) []decoder {
	for i := range list {
		list[i].find = lazyregexp.New(`(?i)` + decoderWords.Replace(list[i].words))
	}
	return list
}([]decoder{
	{kind: mcpsf.WishType, typ: "array", words: `\)\.{list} is not a function`},
	{kind: mcpsf.WishType, words: `requires an element of type '(?P<type>\w+)', but the target element has type '(?P<got>\w+)'`},
	{kind: mcpsf.WishMissing, words: `missing required properties,? including(?: the following)?: (?P<names>'?[\w$-]+'?(?:[,;] ?'?[\w$-]+'?)*)`},
	{kind: mcpsf.WishType, words: `json value could not be converted to (?P<type>[\w.` + "`" + `\[\], +]+?)\. Path: (?P<path>\$[\w.$\[\]'-]*)`},
	{kind: mcpsf.WishType, words: `cannot unmarshal (?P<got>object|array|string|number|bool)(?: \S+)? into go (?:struct field \w+\.(?P<path>[\w.]+)|value) of type (?P<type>[\w.*\[\]{}]+)`},
	{kind: mcpsf.WishMissing, words: "missing field `(?P<names>[^`]+)` {at}"},
	{kind: mcpsf.WishType, words: `invalid type: (?P<got>map|sequence|null|unit)(?: value)?, expected (?:an? |borrowed )*(?P<type>[\w]+)[^\n]{0,60}? {at}`},
	{kind: mcpsf.WishType, words: "cannot deserialize (?:value|instance) of (?:type )?`(?P<type>[^`]+)` (?:from|out of) (?P<got>object|array)\\b"},
	{kind: mcpsf.WishUnexpected, words: `unrecognized field "(?P<names>[\w$-]+)" \(class `},
	{kind: mcpsf.WishType, words: `expected (?:an? )?(?P<type>begin_array|begin_object|string|int|long|double|boolean) but was (?P<got>\w+) at line \d+ column \d+ path (?P<path>\$[\w.$\[\]]*)`},
	{kind: mcpsf.WishType, words: `expected start of the (?P<type>array|object) '.', but had '(?P<got>.)' instead at path: (?P<path>\$[\w.$\[\]]*)`},
	{kind: mcpsf.WishMissing, answer: true, words: `(?:missing|no|invalid|unexpected|malformed) {q}(?P<names>{name}){q}(?: (?P<type>array|list|object|map|string|number|boolean))?(?: field| property| member| key)? (?:in|from) (?:the )?(?:(?:api|server|json|http|service)(?:'s)? )?{answer}\b`},
	{kind: mcpsf.WishMissing, answer: true, words: `\b{answer}(?: from [\w .-]{1,40}?)? {lacks}{such} (?P<type>array|list|object|map|string|number|boolean) (?:called |named )?["'` + "`" + `](?P<names>{name})["'` + "`" + `]`},
	{kind: mcpsf.WishMissing, answer: true, words: `\b{answer}(?: from [\w .-]{1,40}?)? {lacks}{such} {q}(?P<names>{name}){q}(?: (?P<type>array|list|object|map|string|number|boolean)\b)?`},
	{kind: mcpsf.WishMissing, answer: true, words: `expect(?:ed|ing|s)? (?:an? |the )?(?:(?:api|server|json|http|service)(?:'s)? )?{answer}(?: object| body| data)? (?:with|to have|to contain|to include|containing)(?: an?| the)* {q}(?P<names>{name}){q} (?:property|field|key|member)`},
	{kind: mcpsf.WishMissing, answer: true, words: `(?:failed|unable) to (?:get|obtain|fetch|retrieve|acquire)(?: the| an?)? {q}(?P<names>(?-i:[a-z]+(?:_[a-z0-9]+)+)){q}(?:$|[,.:; ])`},
	{kind: mcpsf.WishFormat, answer: true, words: `content[- ]?type[^\n]{0,80}?(?:expected|expecting|wanted|must be|should be|not one of|is not)(?: an?)? {q}(?P<media>{media})`},
	{kind: mcpsf.WishFormat, answer: true, words: `^(?:error: ?)?(?:expected|expecting) {q}(?P<media>{media}){q}(?:$|[\s.,;])`},
	{kind: mcpsf.WishType, typ: "object", words: `list indices must be integers or slices`},
	{kind: mcpsf.WishMissing, answer: true, words: `(?:unexpected|bad|malformed|invalid|unusable|incomplete|strange) {answer}\b[^\n]{0,80}?: (?:it )?(?:{lacks}|no|without|lacking){such} {q}(?P<names>{name})`},
	{kind: mcpsf.WishMissing, answer: true, words: `\b(?:upstream|server|service|api|backend|provider|endpoint|remote|host)(?: at \S+| \S+\.\S+)? (?:returned|gave|sent|answered|responded)(?: with)? no{such} {q}(?P<names>(?-i:[a-z]+(?:_[a-z0-9]+|[A-Z]\w*|\.[a-z]\w*)+))`},
})

// decoded reads what a library says that could not read a document.
func (r *reader) decoded(text string) {
	text = text[:min(len(text), maxProse)]
	for i := range decoders {
		d := &decoders[i]
		m := d.find.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		group := func(name string) string {
			if at := slices.Index(d.find.SubexpNames(), name); at >= 0 {
				return m[at]
			}
			return ""
		}
		r.decode(d, text, group)
		return
	}
}

// decode adds the wishes of a decoder.
func (r *reader) decode(d *decoder, text string, group func(string) string) {
	w := mcpsf.Wish{Kind: d.kind, Loose: !d.answer, Output: d.answer, Type: d.typ, Got: gotType(languageType(group("got")))}
	if typ := group("type"); typ != "" {
		w.Type = languageType(typ)
	}
	if media := strings.TrimRight(group("media"), "."); media != "" {
		w.Type = strings.ToLower(media)
	}
	w.Path = jsonPath(group("path"))
	for _, m := range inChain.FindAllStringSubmatch(text, maxDepth) {
		w.Path = append(w.Path, m[1]+m[2])
	}
	if w.Got == w.Type {
		w.Got = ""
	}
	names := strings.FieldsFunc(group("names"), func(c rune) bool { return strings.ContainsRune(`,;'" `, c) })
	if len(names) == 0 {
		if d.kind == mcpsf.WishType && w.Type == "" {
			return
		}
		r.add(w)
		return
	}
	if d.kind == mcpsf.WishUnexpected && len(w.Path) > 0 { // its own name ends the chain
		w.Path = w.Path[:len(w.Path)-1]
	}
	for _, name := range names {
		one := w
		one.Path = append(slices.Clip(w.Path), jsonPath(name)...)
		if d.answer && stopped(name) {
			continue
		}
		r.add(one)
	}
}

// inChain finds the members and indices in a reference chain of Jackson.
var inChain = lazyregexp.New(`(?:chain: |->)[\w.$]+\[(?:"([^"\]]+)"|(\d+))\]`)

// jsonPath reads $.items[0].name and items.name.
func jsonPath(text string) []string {
	text = strings.NewReplacer("['", ".", "']", "", "[", ".", "]", "").Replace(strings.TrimPrefix(text, "$"))
	return strings.FieldsFunc(text, func(c rune) bool { return c == '.' })
}

// languageType translates the name of a type of .NET, Go, Rust, Java and Kotlin. A class
// is an object.
func languageType(name string) string {
	name = strings.ToLower(strings.TrimLeft(name, "*"))
	short := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case name == "":
		return ""
	case strings.HasPrefix(name, "map[") || strings.Contains(name, "dictionary") || strings.HasPrefix(short, "hashmap") || strings.HasPrefix(short, "linkedhashmap") || strings.HasPrefix(short, "map<"):
		return "object"
	case strings.HasPrefix(name, "[]") || strings.HasSuffix(name, "[]") || anyIn(name, "list`", "list<", "list[", "enumerable", "collection`", "collection<", "arraylist", ".list", ".set") || name == "begin_array" || name == "[" || name == "sequence":
		return "array"
	case name == "begin_object" || name == "{" || name == "struct" || name == "map":
		return "object"
	case name == "null" || name == "unit":
		return "null"
	case slices.Contains([]string{"true", "false", "bool", "boolean"}, short):
		return "boolean"
	case short == "time" || short == "datetime" || short == "datetimeoffset" || short == "uuid" || short == "guid" || short == "uri" || short == "char":
		return "string"
	case short == "biginteger" || short == "short":
		return "integer"
	case slices.Contains([]string{"decimal", "single", "double", "number", "bignumber", "bigdecimal", "float32", "float64"}, short):
		return "number"
	}
	if t := TypeOf(short); t != "" {
		return t
	}
	return "object"
}

func anyIn(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}
