package refusal

import "github.com/mcpsf/mcpsf"

// typeRules are about types and formats.
func typeRules() []rule {
	const typ, form, miss = mcpsf.WishType, mcpsf.WishFormat, mcpsf.WishMissing
	return []rule{
		{kind: miss, words: `\b(?:no|missing|lacks|lacking|without|needs?|requires?|must have|must contain|expected)(?: an?| the)?(?: required)? columns?:? (?P<names>{quoted}(?:(?:, ?|,? and |,? or ){quoted})*)`, typ: mcpsf.TypeColumn, alone: true, bare: true},
		{kind: form, words: `(?:must|should|does not|doesn't|needs to) (?:start|begin) with (?:an? )?(?P<prefix>{quoted}|[/#@.]\S*)`},
		{kind: form, words: `{be} (?:an? )?(?:[a-z]+ )?(?:address|link)(?:es|s)?(?:,? (?:such as|like|e\.g\.|for example))?:? {q}https?://`, typ: "url"},
		{kind: miss, words: `\b(?:lacks|misses|is missing|are missing|has no)(?: the)?(?: (?:required )?(?:fields?|members?|keys?|properties|attributes?))?:? (?P<names>(?-i:[a-z][\w]*)(?:, (?-i:[a-z][\w]*))+(?:,? and (?-i:[a-z][\w]*))?)$`, bare: true},
		{kind: form, words: `\bbegins? with (?P<prefix><[^<>\n]{2,62}>)`, bare: true},
		{kind: form, words: `\bends? (?:with|in) (?P<suffix>{quoted}|\.\w+)`},
		{kind: form, words: `must have (?:an? |the )?(?P<suffix>{quoted}|\.\w+) (?:file )?extension|must be (?:an? )?(?P<suffix2>\.\w+) file`},
		{kind: form, words: `(?:must|should) (?:contain|include) (?P<contains>{quoted})$`},
		{kind: form, words: `(?:match(?: the)?(?: regex| regular expression)? pattern|does not match(?: pattern| regex)?:?) (?P<pattern>{quoted}|/\S+/)`},
		{kind: form, words: `only (?:contain )?(?:alphanumeric|letters|a-z)|contain only (?:alphanumeric|letters)|must be alphanumeric|only alphanumeric|is not a valid [\w ]{1,30}name$`, typ: "identifier"},
		{kind: form, words: `match format {q}(?P<format>[\w-]+){q}`},
		{kind: form, words: `time data (?P<value>{quoted}) does not match format`, typ: "date"},
		{kind: form, words: `invalid isoformat string: (?P<value>{quoted})`, typ: "date-time"},
		{kind: form, words: `(?P<format>cron) expression (?:must|should|is (?:not valid|invalid))`, bare: true},
		{kind: form, words: `(?P<value>{quoted}|[\w./-]+)? ?(?:did not|does not|could not be|cannot be|can't be|failed to) resolved? to an? (?:object|commit|revision|ref)|(?:unknown|bad|ambiguous|invalid) (?:git )?(?:revision|ref|commit|treeish|tree-ish)\b[^'"]{0,20}(?P<value2>{quoted})?`, typ: "git ref", bare: true},
		{kind: form, words: `badly formed hexadecimal uuid`, typ: "uuid"},
		{kind: form, words: `{be}(?: set)?(?: a| at a)?(?: date| time| moment)?(?: that is)? (?:later than|after|beyond|past) (?:now|today|the (?:current|present))|{be}(?: a| set)?(?: date| time)? ?in the future|\b(?:is|lies|was) (?:already )?in the past\b|\bhas already passed\b`, typ: "future"},
		{kind: form, words: `\bexpected\b[^.;]{0,40}\bfeaturecollection\b|\b(?:must|should|has to) be (?:an? )?(?:geojson )?featurecollection\b`, typ: "GeoJSON", bare: true},
		{kind: form, words: `unexpected (?:token|non-whitespace|end|number|string|identifier)[^"]*, (?P<value>{quoted})(?:\.\.\.)? is not valid json`, typ: "JSON", bare: true},
		{kind: form, words: `(?:pars|decod|read|load|deserializ|unmarshal|interpret)(?:e|ing|ed|s)? (?:the |your )?(?P<name>{quoted}|{id})(?: {args})? (?:as|into|from) (?:valid )?json`, typ: "JSON"},
		{kind: form, words: `expected (?:valid |an? )?json (?:for|in)(?: the)?(?: {args})? (?P<name>{quoted}|{id})`, typ: "JSON"},
		{kind: form, words: `(?:invalid|malformed|bad|broken|illegal) json (?:in|for|given for|passed to|passed as|provided for|received for|supplied for|as)(?: the)?(?: {args})? (?P<name>{quoted}|{id})`, typ: "JSON"},
		{kind: form, words: `\b(?P<format>csv|tsv)\b(?: file| text| data| document| content)? (?:needs?|must have|should have|requires?|has no|lacks|without|is missing) (?:an? |the )?(?:header|column|row|line)`, alone: true, bare: true},
		{kind: form, words: `expected (?:an? )?(?P<format>(?:yaml|json) (?:list|array|sequence))\b`, bare: true},
		{kind: form, words: `{be} (?:an? )?(?:valid )?(?:[\w-]+ )?(?:addresse?s?|urls?|uris?|templates?|patterns?|paths?|strings?|texts?)? ?(?:that )?(?:with|has|contains?|containing|including|includes) (?P<placeholders>\{\w+\}(?:(?:, ?| and |, and |/)\{\w+\})*)|{be} ?(?:contain|include|have) (?P<placeholders2>\{\w+\}(?:(?:, ?| and |, and |/)\{\w+\})*)`, alone: true},
		{kind: form, words: `{be}(?: in| an?| the| valid| properly| formatted| as| full| single| well-formed| non-empty| proper| http| https| \(| \d+-character)* ?[(]?(?P<format>{format})s?\b(?: strings?| format| array| object| \w+)?`},
		{kind: form, words: `(?:invalid|malformed|bad|not (?:a )?valid|not an?|incorrect)(?: or missing)? (?P<format>{format})(?: format| string| value| syntax| address| content| data| input| payload| in)?(?:$|[\s]*[:,.;("'` + "`" + `]| for | at | in | expected | {quoted})`},
		{kind: form, words: `(?:\bis not|isn't|\bnot|\bas|contains? (?:invalid|malformed|broken)|(?:does not|doesn't) contain(?: any| valid)?|{be}(?: an?)?|\ban?) (?:parseable |parsable |stringified |seriali[sz]ed |encoded |decodable )*(?P<format>json(?: array| object)?)\b`},
		{kind: form, words: `expecting value: line|expecting (?:property name|',' delimiter|':' delimiter)|extra data: line|unexpected token .* in json|unexpected end of (?:json|data)|json ?decode ?error|json[ .]?parse(?: error|:)|` +
			`jsonerror|no json object could be decoded|invalid character .* (?:looking for beginning|after)|(?:expected value|expected ident|trailing characters|eof while parsing an? \w+|key must be a string) at line|unterminated string in json|(?:failed|unable) to (?:parse|decode|load|read) (?:the )?(?:input )?(?:as )?json|(?:could not|cannot|can't) (?:parse|decode|load|read) (?:the )?json`, typ: "JSON", bare: true},
		{kind: form, words: `invalid (?:[\w-]+ ){1,3}(?P<format>url|uuid|email)(?:$|[\s:,.])`},
		{kind: form, words: `expected(?: an?)?(?: valid)? (?P<format>{format})\b(?: address| string| format)`},
		{kind: form, words: `(?:in|use|using)(?: the)? (?P<format>yyyy-mm-dd|iso[ -]?8601(?: date| date-?time)?|json|e\.164|cron)(?: format| string)?`},

		{kind: typ, words: `invalid type: \w+ (?P<value>{quoted}|\S+), expected (?:an? )?(?P<type>{type})\b`, bare: true},
		{kind: typ, words: `invalid type: .*, expected (?:an? )?(?P<type>{type})\b`, bare: true},
		{kind: typ, words: `(?P<value>{quoted}|[^\s:]+) is not of type '(?P<type>{type})'`, bare: true},
		{kind: typ, words: `(?:unable to parse string as|invalid literal for|could not convert string to) (?:an? )?(?P<type>{type})\b(?:\(\) with base \d+)?(?:: (?P<value>{quoted}))?`},
		{kind: typ, words: `invalid (?P<type>boolean|integer|number|array|object|float)(?: value)?: (?P<value>\S+)`},
		{kind: typ, words: `cannot unmarshal \S+ into (?:go )?(?:struct field \w+\.(?P<name>[\w.]+)|value) of type (?:\[\]\w+|map\S+|\*?(?P<type>[\w.]+))`, alone: true},
		{kind: typ, words: `(?:is not|isn't|be) of type {q}(?P<type>{type}){q}\b`},
		{kind: typ, words: `(?:value is not a valid|should be a valid|is not a valid|is not an?|expected(?: a| an| type)?(?: valid)?|want) {q}(?P<type>{type}){q}{end}`},
		{kind: typ, words: `{be}(?: of type| an?| valid| non-empty| non-negative| positive| negative| whole| single| finite| real| plain| in| type|-)* ?{q}(?P<type>{type}){q}{end}`},
		{kind: typ, words: `\b(?P<type>{type}) (?:expected|required)\b`},
		{kind: typ, words: `has type {q}\w+{q}, want (?:one of )?{q}(?P<type>{type})`},
	}
}

// failureRules are about members that a program failed to read in something that
// it was given.
func failureRules() []rule {
	const miss, typ, more = mcpsf.WishMissing, mcpsf.WishType, mcpsf.WishMore
	return []rule{
		{kind: miss, words: `cannot use 'in' operator to search for '(?P<member>[^']+)' in (?:undefined|null)`, loose: true, alone: true},
		{kind: miss, words: `cannot (?:read|set) propert(?:y|ies) of (?:undefined|null) \((?:reading|setting) '(?P<member>[^']+)'\)`, loose: true, alone: true},
		{kind: miss, words: `cannot read property '(?P<member>[^']+)' of (?:undefined|null)`, loose: true, alone: true},
		{kind: miss, words: `cannot destructure property '(?P<member>[^']+)' of`, loose: true, alone: true},
		{kind: miss, words: `(?:undefined|null) is not an object \(evaluating '(?P<member>[^']+)'\)`, loose: true, alone: true},
		{kind: miss, words: `\bkeyerror\b[:(]? ?['"](?P<member>[^'"]+)['"]`, loose: true, alone: true},
		{kind: miss, words: `^(?:error )?(?:calling|executing|running) (?:tool )?\S+: '(?P<member>[\w-]+)'$|^(?:error: ?)?'(?P<member2>\w+)'$`, loose: true, alone: true},
		{kind: miss, words: `'(?:nonetype|dict|\w+)' object has no attribute '(?P<member>[^']+)'`, loose: true, alone: true},
		{kind: miss, words: `undefined method [` + "`" + `'](?P<member>\w+)[?!]?' for nil`, loose: true, alone: true},
		{kind: typ, words: `(?P<member>[\w$.?()\[\]]+\.\w+) is not a function`, loose: true, alone: true},
		{kind: typ, words: `'nonetype' object is not iterable|object of type 'nonetype' has no len|'(?:int|float|bool)' object is not iterable`, typ: "array", loose: true, alone: true, bare: true},
		{kind: typ, words: `'nonetype' object is not subscriptable|(?:string|list) indices must be integers|cannot convert undefined or null to object`, typ: "object", loose: true, alone: true, bare: true},
		{kind: typ, words: `(?P<member>[\w$.]+) is not iterable`, typ: "array", loose: true, alone: true},
		{kind: more, words: `(?:list|tuple) index out of range|index out of range \[\d+\] with length|index \d+ out of bounds`, typ: "array", least: 1, loose: true, alone: true, bare: true},
	}
}

// projectRules are about folders without what a program expects there.
func projectRules() []rule {
	const project = mcpsf.WishProject
	return []rule{
		{kind: project, words: `(?:could not|couldn't|cannot|can't|unable to|failed to) (?:find|locate|load)(?: an?| the| any)?(?: valid)? (?:(?P<project>[\w+#][\w.+#-]{1,30}) )?config(?:uration)?(?: files?)?(?:$|[\s.,;:])|\bno (?P<project2>[\w+#][\w.+#-]{1,30}) config(?:uration)?(?: files?)? (?:was |were )?found`, alone: true, bare: true},
		{kind: project, words: `\b(?:not an?|no|isn't an?|without an?|not inside an?|not in an?) (?P<project>git) (?:repository|repo|checkout|work(?:ing)? tree)\b`, alone: true, bare: true},
		{kind: project, words: `(?:not|isn't|\bno|invalid|contains? no|without|not contain|missing|could not find|cannot find|unable to find)(?: an?| the| any)?(?: valid)? (?P<project>[\w+#][\w.+#-]{1,30}) (?:project|workspace|vault|crate|solution|monorepo|graph)\b`, alone: true, bare: true},
		{kind: project, words: `(?:\bno|not contain|contains? no|missing|could not find|couldn't find|cannot find|can't find|unable to find|without)(?: an?| the| any| required)?(?: file)? {q}(?P<project>{projectfile}){q}`, alone: true, bare: true},
		{kind: project, words: `{q}(?P<project>{projectfile}){q}(?: file| folder| directory)? (?:(?:was |is |could |can)?(?: ?not|not)(?: be)? found|(?:is )?missing|does not exist|doesn't exist)`, alone: true, bare: true},
	}
}

// placeRules are about files and other things that exist or not.
func placeRules() []rule {
	const relative, absolute, existing, fresh = mcpsf.WishRelative, mcpsf.WishAbsolute, mcpsf.WishExisting, mcpsf.WishNew
	return []rule{
		{kind: relative, words: `(?:is |are |resolves? |resolved |falls |lies |points |target )?outside (?:of )?(?:the |of the |your )?(?:\w+ )?(?:allowed|permitted|project|workspace|root|base|sandbox|working|configured|repository|vault|director(?:y|ies)|folder|data)\b`, alone: true},
		{kind: relative, words: `absolute (?:file )?paths?(?: like (?P<value>{quoted}))? (?:(?:are|is) not|not) (?:allowed|supported|permitted|accepted)|{be} (?:an? )?relative\b|must not be (?:an )?absolute|path relative to|relative path (?:is )?(?:required|expected)`, alone: true},
		{kind: relative, words: `(?:not in|not within|not inside|not under|is not in) (?:the )?(?:subpath of|allowed|workspace|root|project|base|vault|working)|{be} (?:inside|within|under|below) |escapes? (?:the )?(?:\w+ )?(?:root|workspace|directory|vault|base|folder|sandbox)|path traversal|not (?:an )?allowed (?:path|directory|folder)|(?:path|directory|folder) (?:is )?not allowed`, alone: true},
		{kind: absolute, words: `{be} (?:an? )?(?:full )?absolute|absolute (?:file )?path (?:is )?(?:required|expected)|(?:requires?|provide|expected|use|expects) an absolute|is not (?:an )?absolute|relative paths? (?:are|is) not|not absolute`},
		{kind: existing, words: `(?:cannot|can't|could not|unable to|failed to) (?:change|chdir|cd|switch)(?: the)?(?: directory| folder)? (?:in)?to:? (?P<value>{quoted}|/\S+)|^no (?:such )?(?:folder|directory)(?: at| called| named| is)? (?P<value2>{quoted}|/\S+)`, typ: "directory", alone: true, bare: true},
		{kind: existing, words: `(?:is not|isn't|\bnot|must be|should be|expected|is no)(?: an?| the)?(?: valid| existing)? (?:director(?:y|ies)|folder)\b(?: that)?(?::? ?(?P<value>{quoted}|/\S+))?|\benotdir\b|is a (?:regular )?file\b`, typ: "directory", alone: true},
		{kind: existing, words: `\b(?:plain|bare|simple|base) (?:file ?)?name (?:of (?:an? |the )?(?:file|document|image|picture|attachment)|without)|\b(?:only|just) the (?:file ?)?name\b|\bname without (?:an? |any )?(?:path|folder|director)|\bnot a path\b`, typ: "file", alone: true},
		{kind: existing, words: `\beisdir\b|(?:is|was|got|received) a (?:director(?:y|ies)|folder)\b|(?:is not|isn't|\bnot|must be) a (?:valid |regular |existing )*file(?:$|[\s,.:;](?:a |the )?(?:path|but|(?P<value>{quoted}|/\S+))?)`, typ: "file", alone: true},
		{kind: existing, words: `\b(?:only|just)\b[^.;]{0,24} (?:for|with|on|from|accepts?|supports?|takes?) (?:a )?local files?(?: paths?)?\b`, typ: "file", alone: true, bare: true},
		{kind: fresh, words: `(?P<value>{quoted}|(?-i:v?\d[\w.-]*|\w+[-_.][\w.-]*\w)) (?:already exists|exists already|is already (?:taken|used|there|released|published))`, alone: true},
		{kind: fresh, words: `already exists?|exists already|\beexist\b|file exists|must not (?:already )?exist|already (?:taken|in use)|duplicate (?:name|key|id)`, alone: true},
		{kind: fresh, words: `\b(?:{id}) and (?P<name>{id}) (?:are|is|must not be|cannot be|may not be|should not be) (?:the )?(?:same|identical|equal)\b|\b(?:{id}) and (?P<name2>{id}) (?:must|have to|should|need to) (?:differ|be different)\b`, alone: true, bare: true},
		{kind: fresh, words: `{be} (?:some(?:body|one|thing)|any(?:body|one|thing)|a person) (?:else|other)\b|{be} (?:different|distinct) (?:from|than)\b|{be} another (?:\w+ )?than\b|(?:must|should|can|may)(?:not|n't| not) be (?:the )?(?:same|identical|equal)\b|(?:must|should|has to|have to) differ\b`, alone: true},
		{kind: existing, words: `\b(?:does not|doesn't|do not|don't|did not|didn't) (?:have|know|recogni[sz]e|contain|offer)(?: an?| any| the)? (?P<name>(?-i:[a-z]+)(?: (?-i:[a-z]+))?) (?P<value>{quoted})`},
		{kind: existing, words: `(?:^|\bhas |^there is |^there's )no (?P<name>(?-i:[a-z]+)(?: (?-i:[a-z]+))?) (?P<value>{quoted})$`},
		{kind: existing, words: `(?:does not|doesn't|do not|don't|did not) exist|(?:was|were|is|could|can|be)?(?: ?not| cannot)(?: be)? found\b|no such (?:file|directory|table|column|\w+)|no (?:[a-z]+ )?files? (?:match(?:ing|es|ed)?|found (?:for|at|matching)|at|named|called)(?: the pattern| pattern)? (?P<value>{quoted}|[\w./*-]+)|\benoent\b|(?:cannot|can't|could not|couldn't|unable to) find|non-?existent|must (?:already )?exist|must be an existing|not a (?:file|directory) that exists`},
	}
}
