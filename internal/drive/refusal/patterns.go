package refusal

import "github.com/mcpsf/mcpsf"

// The forms of words, by what they ask for. Of each kind the first that fits a
// clause is taken, so the more special one stands first.

// memberRules are about members that are there or not.
func memberRules() []rule {
	const one, miss, extra = mcpsf.WishOneMember, mcpsf.WishMissing, mcpsf.WishUnexpected
	return []rule{
		{kind: mcpsf.WishOneOf, words: `(?:must|should|has to|needs to) be set to (?P<list>true|false|{quoted}(?: or {quoted})*)`, alone: true},
		{kind: mcpsf.WishOneOf, words: `\b(?:pass|set|use|give|specify|add|with)(?: the)?(?: {args})? {q}(?P<name>{id}){q}\s?[=:]\s?(?P<list>{quoted}|true|false|-?\d+|[\w-]+)`, alone: true},
		{kind: mcpsf.WishOneOf, words: `\b(?:pass|set|give|specify|switch|turn)(?: the)?(?: {args})? {q}(?P<name>{id}){q}(?: {args}| flag)? to (?P<list>{quoted}|true|false)`, alone: true},
		{kind: mcpsf.WishOneOf, words: `\b(?:or|and|to|must|please|either|,) (?:set|pass|enable|use) {q}(?P<name>(?-i:{ident})){q}(?:$|[.;,]| to (?:skip|disable|enable|allow|use|bypass|connect)\b)`, typ: "boolean", accept: "true", alone: true},
		{kind: mcpsf.WishOneOf, words: `requires? (?P<name>{quoted}|(?-i:{ident})) to be (?:set to )?(?P<list>{quoted}|[\w-]+)$`, alone: true},
		{kind: mcpsf.WishOneOf, words: `(?:provide|specify|pass|set|use|be) either (?P<list>{quoted} or {quoted}) for (?:[\w']+ ){0,4}?(?P<name>{id})(?: setting| {args})`, alone: true},
		{kind: mcpsf.WishOneOf, words: `number of (?:\w+ )?rows\b[^.]{0,40} does not match (?:the )?(?:size of the )?(?P<name>range)`, accept: "A1:A1", alone: true},
		{kind: extra, words: `(?:cannot|can't|can not|must not|do not|don't|may not)(?: be)? (?:provide|specify|use|set|pass|combine|supply|give|contain|have)d? both (?P<names>.+)`, later: true, alone: true},
		{kind: extra, words: `\b(?:use|provide|specify|give|pass|set) (?P<names>(?:{quoted}|{id})(?: \([^)]*\))? or (?:{quoted}|{id})(?: \([^)]*\))?),? (?:but )?not both`, later: true, alone: true},
		{kind: extra, words: `(?P<name>{quoted}|{id}) (?:cannot|can't|must not|may not) be (?:used|set|combined|given|specified|provided) (?:together )?with `, alone: true},
		{kind: extra, words: `only one of (?P<names>.+?) (?:can|may|must|should|is|are)\b`, later: true, alone: true},
		{kind: extra, words: `(?P<names>(?:{quoted}|{id}) and (?:{quoted}|{id})) (?:are mutually exclusive|(?:cannot|can't|must not|may not) be (?:used|set|provided|specified|given|combined|both)[\w ]*)`, later: true, alone: true},
		{kind: one, words: `(?:provide|specify|supply|pass|requires?|need|give|include|set|contain|have|expects?)s?(?: either)?(?: at least one| exactly one| one) of(?: the)?(?: following)?(?: {args})?:?\s*(?P<names>.+)`, alone: true},
		{kind: one, words: `(?:at least|exactly) one of(?: the)?(?: following)?(?: {args})?:?\s*(?P<names>.+?)(?: {args})? (?:must|is|are|should|needs?|has|have)\b`, alone: true},
		{kind: one, words: `one of (?P<names>.+?)(?: {args})? (?:must be (?:provided|specified|set|given|present)|(?:is|are) (?:required|needed))`, alone: true},
		{kind: one, words: `(?:provide|specify|supply|pass|requires?|use|need|give|include|set)s? either (?P<names>(?:{quoted}|{id}|[,/()\s]|\([^)]*\))+)`, alone: true},
		{kind: one, words: `\beither (?P<names>.+? or .+?)(?: {args})? (?:must|is|are|should|needs?|has)\b(?: to)?(?: be)?(?: provided| specified| given| set| supplied| required| present)`, alone: true},
		{kind: one, words: `(?:provide|specify|supply|pass) (?P<names>{quoted} or {quoted})`, alone: true},
		{kind: one, words: `(?:must|should|has to|needs to) (?:have|contain|include|specify|provide|define)(?: an?| the)? (?P<names>{quoted}(?:, (?:an? )?{quoted})*,? or (?:an? )?{quoted})(?: {args})?`, alone: true},
		{kind: one, words: `^(?P<names>(?:{quoted}|{id})(?:, (?:{quoted}|{id}))*,? or (?:{quoted}|{id}))(?: {args})? (?:is|are|must be) (?:required|needed|provided|specified)`, alone: true},

		{kind: extra, words: `unrecogni[sz]ed (?:key|{args})(?:s|\(s\))?(?: in object)?: (?P<names>.+)`, alone: true},
		{kind: extra, words: `additional propert(?:y|ies)(?: (?:is|are) not allowed)? \(?(?P<names>.+?) (?:was|were) unexpected`, alone: true},
		{kind: extra, words: `(?:unexpected )?additional properties \[?(?P<names>{quoted}(?:,? {quoted})*)\]?`, alone: true},
		{kind: extra, words: `unexpected (?:keyword )?argument(?:s|\(s\))?:? (?P<names>{quoted}|{id})$`, alone: true},
		{kind: extra, words: `(?:unknown|unexpected|unsupported|extra|additional) {args}(?: for {quoted})?:? ?(?P<names>{quoted}(?:, {quoted})*|(?-i:{ident}))(?:$|, expected|,? at )`, alone: true},
		{kind: extra, words: `(?:unknown|unexpected|extra) (?:parameter|argument|field|property|key)s?(?: for {quoted})?: (?P<names>{id}(?:, {id})*)$`, alone: true},
		{kind: extra, words: `\bremove (?P<names>{quoted}|(?-i:{ident})|\w+) from |\b(?:omit|leave out) (?P<names2>{quoted}.*|(?-i:{ident}).*|[a-z]+(?:,.*)?)$`, alone: true},
		{kind: extra, words: `property {q}(?P<name>{id}?){q} is not defined in the schema`, alone: true},
		{kind: extra, words: `extra (?:inputs|fields) (?:are )?not permitted|unexpected keyword argument|must not have additional properties|^"(?P<name>[\w.-]+)" is not allowed$|can only be (?:used|set|provided|specified) (?:with|when|if|together)|is not (?:a|an) (?:permitted|recogni[sz]ed|known|valid|supported) {args}`, alone: true},

		{kind: miss, words: `\bjson(?:[- ]encoded|[- ]formatted)?(?: object| document| text| string| body)? (?:with|containing|having|including|holding|that (?:has|contains|holds)|which (?:has|contains)|must (?:have|contain))(?: an?| the| at least| both)?(?: required| following| top-level)*(?: {args}| members?)?:? ?(?P<names>{quoted}.*|(?-i:[a-z]\w*)(?:(?:, |,? and | \+ )(?-i:[a-z]\w*))*)`, under: true},
		{kind: miss, words: `\bnull value in column (?P<name>{quoted}|{id})|\bnot null constraint failed: (?:\w+\.)?(?P<name2>\w+)|\bcolumn (?P<name3>{quoted}|{id}) cannot be null|\bfield (?P<name4>{quoted}) doesn't have a default value`, alone: true},
		{kind: miss, words: `missing (?:\d+ )?(?:required |mandatory |positional |keyword-only |following |or empty |one of the )*{args}(?: for [^:]{1,60})?: ?\[?(?P<names>.+)`},
		{kind: miss, words: `missing (?:the )?(?:\d+ )?(?:required |mandatory |positional |keyword-only )*(?:{args}|creator property|header|path) (?P<names>{quoted}(?:(?:,|,? and|,? or) {quoted})*|(?-i:{ident}))`},
		{kind: miss, words: `(?:required {args}|{args}) (?P<name>{quoted}|(?-i:{ident})) (?:is |was )?(?:missing|not (?:found|provided|set|specified|present)|required)`, alone: true},
		{kind: miss, words: `creator (?:parameter|property) {q}(?P<name>\w+)`, alone: true},
		{kind: miss, words: `(?P<name>{quoted}|{id}) {args} required`},
		{kind: miss, words: `must have required propert(?:y|ies) (?P<names>.+)`},
		{kind: miss, words: `(?:must|should|needs to) (?:include|contain|have|specify|provide|supply|define) (?:a |an |the )?(?:valid |non-empty )?(?P<names>{quoted}(?:(?:,|,? and) {quoted})*|(?-i:{ident})|\w+(?: {args}))(?: {args})?(?:$|[,.;)]| for| to| in| when| that)`},
		{kind: miss, words: `missing (?:field )?(?P<names>` + "`[^`]+`" + `)|missing (?:a |the )?(?:required )?(?P<name>{ident}|{quoted}|[a-z]+)(?: {args})?(?:$|[.,;(])`},
		{kind: miss, words: `\bno (?:valid )?(?P<name>{quoted}|{id}(?: id| name| path)?)(?: {args})?(?: was| were)? (?:provided|specified|given|supplied|passed|set)\b`},
		{kind: miss, words: `requires? (?:a |an |the )?(?:valid )?(?:{args} )?(?P<names>{quoted}(?:(?:,|,? and| \+) (?:a |an |the )?{quoted})*)`},
		{kind: miss, words: `requires? (?:a |an |the )?(?:valid )?(?P<names>(?-i:{ident})(?:(?:,|,? and) (?-i:{ident}))*|\w+(?: {args}))(?: {args})?`},
		{kind: miss, words: `requires (?P<names>(?-i:[a-z]+)(?: and (?-i:[a-z]+))?)$`},
		{kind: miss, words: `(?:please |must |you must |need to )?(?:provide|specify|supply|pass|include|give) (?:a |an |the )?(?:valid )?(?P<names>(?:{quoted}|(?-i:{ident}))(?:(?:,|,? and) (?:{quoted}|(?-i:{ident})))*|\w+(?: {args}))(?: {args})?(?:$|[,.;(]| or | for| to | when| with| in )`},
		{kind: miss, words: `^(?:must|you must|please) (?:provide|specify|supply) (?:a |an |the )?(?P<name>\w+)$`},
		{kind: miss, words: ` (?:none|null|undefined) (?:is |was )?(?:out of range|invalid|not (?:found|valid|supported)|does not exist)$`},
		{kind: miss, words: `\b(?:is|are|was|were) (?:also |always )?(?:an? )?(?:required|mandatory|missing|undefined|needed)\b|field required|missing required argument|^required$|: required$|` +
			`(?:must|should|has to|needs to) be (?:provided|specified|set|given|supplied|present|defined|included|filled)|` +
			`(?:must|can|may|should)(?: not|not|n't) be (?:null|undefined|none|nil|omitted|absent)|(?:is|was|were) not (?:provided|set|specified|defined|supplied|given)|none is not an allowed value|must not be null|required but|is null\b`},
	}
}

// choiceRules are about the values that are accepted.
func choiceRules() []rule {
	const oneOf = mcpsf.WishOneOf
	return []rule{
		{kind: oneOf, words: `must be equal to (?:one of the allowed values|constant)`},
		{kind: oneOf, words: `unknown variant (?P<value>{quoted}), expected(?: one of)? (?P<list>.+)`, bare: true},
		{kind: oneOf, words: `{is}(?: either)?(?: equal to)?(?: exactly| any)? ?(?:one of|any of|in|among)\b(?: the| these)?(?: following)?(?: allowed| valid| supported)?(?: {many}\b)?[:\s]*(?P<list>[^\s:].*)`},
		{kind: oneOf, words: `expected(?: a value)?(?: to be)? one of(?: the)?(?: following)?(?: {many})?[:\s]*(?P<list>.+)`},
		{kind: oneOf, words: `(?P<value>{quoted}|-?[\d.]+|none|null|true|false) is not one of (?P<list>\[.*)`, bare: true},
		{kind: oneOf, words: `from string (?P<value>{quoted}): not one of the values accepted for enum class: (?P<list>.+)`, bare: true},
		{kind: oneOf, words: `is not (?:one of|any of|in|among)(?: the)?(?: (?:allowed|valid|supported|enum|permitted))?(?: {many})?:? (?P<list>[\[({"'` + "`" + `].*)`},
		{kind: oneOf, words: `is not one of(?: the)? (?P<list>\w+, .*)`},
		{kind: oneOf, words: `(?:does not equal any of|does not have a value in the enumeration|not one of the values accepted for enum class|permitted):? (?P<list>.+)`},
		{kind: oneOf, words: `{is} (?:either )?(?P<list>{quoted}(?:(?:\s*,\s*|\s*\|\s*|\s*/\s*|,? or |,? and )+{quoted})*)(?:$|[\s,.;)])`},
		{kind: oneOf, words: `expected (?P<list>{quoted}(?:(?:\s*,\s*|\s*\|\s*|,? or )+{quoted})*)(?:$|[\s,.;)])`},
		{kind: oneOf, words: `(?P<list>{quoted}) was expected`},
		{kind: oneOf, words: `\b(?:valid|allowed|supported|available|accepted|acceptable|possible|permitted|known|recogni[sz]ed|legal|existing)(?: {q}[\w -]{1,40}?{q})?(?:\s*(?:are|is|include|includes))?\s*(?::|=)\s*(?P<list>.+)`},
		{kind: oneOf, words: `\b(?:valid|allowed|supported|available|accepted|acceptable|possible|permitted)(?: [\w -]{1,30}?)? (?:are|is|include|includes) (?P<list>.+)`},
		{kind: oneOf, words: `\b(?:options|choices|supported|allowed|valid|available)(?: are)?: (?P<list>.+)`},
		{kind: oneOf, words: `(?:choose|pick|select|use|try|expected|specify)(?: a value)? (?:from|one of|between|any of)(?: the following)?:? (?P<list>.+)`},
		{kind: oneOf, words: `^use (?:(?:a|an|one of the|either) (?:\w+ )?\(?)?(?P<list>{quoted}(?:(?:, |,? and |,? or )+(?:{quoted}|none))+)\)?`},
		{kind: oneOf, words: `only (?P<list>{quoted}(?:(?:, |,? and |,? or ){quoted})*) (?:is|are) (?:supported|allowed|accepted|valid)`},
		{kind: oneOf, words: `only supports? (?P<list>{quoted}(?:(?:, |,? and |,? or ){quoted})*)`},
		{kind: oneOf, words: `\buse (?P<name>{id}|{quoted})[ =:]+(?P<list>{quoted}) instead`, alone: true},
		{kind: oneOf, words: `{is} (?:either )?(?P<list>(?-i:[\w+-]+)(?:, (?-i:[\w+-]+))*,? or (?-i:[\w+-]+))(?:$|[.,;)]| \()`},
		{kind: oneOf, words: `expected (?P<list>[\w-]+(?:\|[\w-]+)+)`},
		{kind: oneOf, words: `^(?P<name>(?-i:[A-Z][a-z]+))s(?: are)?: (?P<list>(?-i:[a-z][\w.-]*)(?:, (?-i:[a-z][\w.-]*)){2,})$`},
		{kind: oneOf, words: `^(?P<name>(?-i:[A-Z][a-z]+))s(?: are)?: (?P<list>(?-i:[A-Za-z]+[-_][\w-]+)(?:, (?-i:[A-Za-z]+[-_][\w-]+))*)$`},
		{kind: oneOf, words: `is not a valid enumeration member|(?P<value>{quoted}) is not a valid (?-i:[A-Z])\w+$|invalid enum value`},
	}
}

// boundRules are about sizes.
func boundRules() []rule {
	const more, less = mcpsf.WishMore, mcpsf.WishLess
	return []rule{
		{kind: more, words: `(?P<value>-?[\d.]+) is less than the minimum of (?P<least>{n})`, bare: true},
		{kind: less, words: `(?P<value>-?[\d.]+) is greater than the maximum of (?P<most>{n})`, bare: true},
		{kind: more, words: `(?P<value>'[^']*'|\[\]|\{\}) (?:is too short|should be non-empty)`, bare: true, least: 1},
		{kind: more, words: `\b(?:list|array|set) of (?:at least )?(?P<least>{n})(?: to | or | ?- ?)(?:{n})\b`},
		{kind: more, words: `\b(?:needs?|requires?|expects?|takes) (?:at least )?(?P<least>{n})(?: (?:or|to) {n})? (?P<name>(?-i:[a-z]+s))$`},
		{kind: more, words: `(?:between|from) (?P<least>{n})(?: and | to | ?- ?)(?:{n})`},
		{kind: less, words: `(?:between|from) (?:{n})(?: and | to | ?- ?)(?P<most>{n})`},
		{kind: more, words: `(?:{be}|range:?|in) \[?(?P<least>{n})\s*(?:-|–|to|\.\.+|,)\s*(?:{n})\b`},
		{kind: less, words: `(?:{be}|range:?|in) \[?(?:{n})\s*(?:-|–|to|\.\.+|,)\s*(?P<most>{n})\b`},
		{kind: more, words: `\((?P<least>\d+) ?(?:-|–|to|\.\.+) ?\d+(?: \w+)?\)$`, bare: true},
		{kind: less, words: `\(\d+ ?(?:-|–|to|\.\.+) ?(?P<most>\d+)(?: \w+)?\)$`, bare: true},
		{kind: more, words: `not (?:have|be|contain) (?:fewer|less|shorter|smaller|lower) than (?P<least>{n})`},
		{kind: less, words: `not (?:have|be|contain) (?:more|longer|greater|larger|higher) than (?P<most>{n})`},
		{kind: more, words: `(?:at least|no fewer than|no less than|minimum(?: value| length| size)?(?: of| is|:)?|min(?:Length|Items|imum)?: got \S+, want|>=|≥|greater than or equal to|should be greater than or equal to) ?(?P<least>{n})`},
		{kind: more, words: `(?:ensure this value has at least|has a minimum of) (?P<least>{n})`},
		{kind: less, words: `(?:at most|no more than|maximum(?: value| length| size| allowed)?(?: of| is|:)?|max(?:Length|Items|imum)?: got \S+, want|<=|≤|less than or equal to|(?:not|cannot|can't) exceed|exceeds?(?: the)?(?: maximum| limit| max)?(?: allowed)?(?: length| size)?(?: of)?|up to|cannot be (?:more|longer|greater|larger) than) ?(?P<most>{n})`},
		{kind: more, words: `(?:{be}|be|is not|not|ensure this value is) (?:greater|more|larger|higher|longer) than (?P<over>{n})|must be > ?(?P<over2>{n})`},
		{kind: less, words: `(?:{be}|be|is not|not|ensure this value is) (?:less|fewer|smaller|lower|shorter) than (?P<under>{n})|must be < ?(?P<under2>{n})`},
		{kind: more, words: `(?:exactly|a) (?P<least>\d+)[ -](?:characters?|digits?|chars|items?|elements?)`},
		{kind: less, words: `(?:exactly|a) (?P<most>\d+)[ -](?:characters?|digits?|chars|items?|elements?)`},
		{kind: more, words: `non-?negative|not be negative|>= ?0`},
		{kind: more, words: `\bpositive\b`, least: 1},
		{kind: more, words: `(?:must not|cannot|can't|can not|should not|may not|must be not|must not be an) (?:be )?(?:empty|blank)|(?:is|are|was) (?:empty|blank)|^[\w ]{1,40} is too short|non-?empty|non-?blank|{be} at least one`, least: 1},
		{kind: less, words: `\b(?:is|are) too (?:long|large|big)\b`},
	}
}
