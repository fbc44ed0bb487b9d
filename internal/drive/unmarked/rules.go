package unmarked

import "github.com/mcpsf/mcpsf/internal/lazyregexp"

// verb is what could not be done: in a title it would be capitalised.
const verb = `(?-i:[a-z]+)`

// kinds of errors, places where they come from.
const errorOf = `(?:(?:internal|unexpected|unknown|fatal|critical|network|connection|server|client|api|https?|database|db|sql|query|auth(?:entication|orization)?|validation|request|response|runtime|pars(?:e|er|ing)|input|output|tool|command|git|permission|timeout|config(?:uration)?|i/?o|file|graphql|mcp|rpc|json-?rpc|execution|search|fetch|protocol|browser|ssl|tls|web|service|system|docker|kubernetes|redis|mysql|postgres(?:ql)?|sqlite|mongo(?:db)?|elasticsearch|argument|parameter|download|upload|(?-i:[A-Z])\w+) ){1,3}`

// beginnings are the words with which errors begin, whatever follows.
//
//nolint:gochecknoglobals // as constant as the expressions
var beginnings = startingWith(
	`error(?:\s*[:!]|\s+[-–—]\s|\s+[(\[]|[.]?$|\s+(?:while|when|during|in|from|at|on|with|code:?|status:?)\b[^\n]*[:(]|\s+`+verb+`ing\b[^\n]*:|\s+-?\d{3,5}\b|\s+occur+ed\b|\s*[:：])`,
	`(?:err|fatal|exception|panic)(?:: | - )|(?:fatal|exception) (?:error|occurred|in|while|during|when)\b`,
	`(?-i:(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?:: |:?$| \[| \(|\())`,
	errorOf+`(?:error|exception)(?:s?\s*[:!,(]|\s+[-–—]?\s*-?\d|[.]?$|\s+(?:occurred|while|when|during|from|at|response)\b)`,
	`\d+ validation errors? for `,
	`(?:an?|the following|some) (?:[\w-]+ ){0,3}(?:errors?|exception|problem) (?:has |have |was |were )?(?:occur+ed|happened|encountered|thrown|raised)`,
	`there (?:was|has been) an? (?:\w+ ){0,2}(?:error|problem)\b|encountered an? (?:\w+ ){0,2}(?:error|exception)\b`,
	`something went wrong|oops\b|sorry[,.!:] (?:but )?[a-z]`,
	`fail(?:ed|ure) to `+verb+`|failed (?:with|because|due to|while|during) |failed: [^\d\s]`,
	`(?:[a-z][\w/'-]* ){1,4}(?:has )?failed(?:: ?(?:[^\d\s]|[45]\d\d\b)| with\b| due to\b| after \d)`,
	`(?:i |we |was |were |is |are )?(?:unable|not able) to `+verb+`|(?:i |we )?could ?n[o'’]t `+verb+`|(?:i |we )?(?:can ?not|can['’]t) `+verb,
	`invalid ["'`+"`"+`]?(?-i:[a-zA-Z])|(?:unsupported|unrecogni[sz]ed|malformed|illegal|no such) ["'`+"`"+`]?\w`,
	`(?:missing|required) (?:required |mandatory |or invalid |or empty |one of )?(?:argument|parameter|field|input|value|property|query|api[ _-]?key|credential|token|env(?:ironment)?\b|config)`,
	`missing (?:required |mandatory )?["'`+"`"+`]?(?-i:[a-z]+(?:_[a-z0-9]+|[A-Z]\w*)+)|missing (?:required|mandatory)\b|missing:? ["'`+"`"+`]`,
	`unknown (?:or \w+ )?(?:tool|command|action|operation|method|type|mode|param(?:eter)?|argument|option|format|resource|key|field|column|table|id|user|project|error|currency|unit|language|category|model|host|function|name|variable|property|device|symbol|provider|region)\b`,
	`unexpected (?:error|token|argument|keyword|end\b|response|status|character|field|property|type|value|exception|input|reply)|(?:incorrect|wrong) (?:password|api|credentials?|type|number|argument|format|param)`,
	`bad (?:request|gateway|credentials|input|argument|response)|unauthori[sz]ed(?:$|\s*[:.!,(-])|forbidden(?:$|\s*[:.!,(-])|access (?:to [^\n]{1,80} )?(?:is |was )?denied|permission (?:is |was )?denied|denied:`,
	`operation not (?:permitted|supported|allowed)|rate[ -]limit(?:ed| exceeded| reached| hit)|too many requests|(?:quota|limit) exceeded`,
	`(?:the )?(?:\w+ )?timed out(?:$|[.:!,]| after\b| while\b| waiting\b| connecting\b)|timeout (?:of|after|while|waiting|exceeded|error)\b`,
	`connection (?:refused|reset|aborted|closed|lost|timed out|failed|to [^\n]{1,80} failed)|service (?:temporarily )?unavailable|internal server error|gateway timeout|network is unreachable|max retries exceeded`,
	`(?:http(?:/[\d.]+)? ?(?:error |status |status code )?|status(?: code)?:? ?|code:? ?)?(?:40[0-9]|41[0-9]|42[0-9]|451|50[0-9])(?::| -| (?:client|server) error| bad | not found| unauthori| forbidden| internal| too many| service| gateway| method| unprocessable| payment)|http (?:error |status |status code )?:? ?[45]\d\d\b`,
	`(?-i:E[A-Z]{4,}): |\[errno -?\d+\]|spawn \S+ (?-i:E[A-Z]+)|(?:connect|getaddrinfo|read|write|request to \S+ failed|fetch failed)(?: (?-i:E[A-Z]{4,})|, reason)|fetch failed|\S{1,60}: (?:command )?not found$|(?:/bin/)?(?:ba|z)?sh: |npm err`,
	`cannot read propert|undefined is not|(?-i:\w+)'? object (?:has no attribute|is not (?:callable|iterable|subscriptable))|[\w.]+\(\) (?:missing|got an|takes|argument)|name '\w+' is not defined|[\w.]+ is not (?:a function|defined|iterable|callable)|unsupported operand|(?:list|string|tuple) index out|division by zero|\w*connectionpool\(|expecting value: line|unterminated string|(?:client|server) error '[45]`,
	`input (?:validation|should be|must)|output validation error|argument of type|expected [^\n]{1,80}(?:, | but )(?:but )?(?:got|received|found)\b`,
	`(?-i:\{'(?:error|err)': ?["'{]\S|\{'(?:success|ok)': False|\{'status': '(?:error|failed)')[^\[]*$|<(?:error|tool_use_error|tool_error)\b`,
	`(?:错误|出错|发生错误|请求失败|无效|缺少|エラー|오류|ошибка|erreur ?:|fehler:|erro:)|\p{Han}{1,10}(?:失败|错误|出错)\s*[:：]`,
)

// sentences are those about an argument, or about a thing that is not there: they are
// refusals only if they stand alone.
//
//nolint:gochecknoglobals // as above
var sentences = startingWith(
	`(?:(?:the|an?|required|parameter|argument|field|property|input|option|both|either|at least one of|one of) ){0,3}`+thing+`(?:(?:,| and| or|,? &|/) `+thing+`){0,4}`+kind+` (?:is|are|was|were) (?:required|an? required (?:field|parameter|argument|property)|mandatory|missing|undefined|invalid|needed|not (?:set|configured|provided|specified|valid|an?|installed|supported|enabled|allowed|initiali[sz]ed|authenticated|found|recogni[sz]ed))\b`,
	`(?:the |parameter |argument |field |property )*`+thing+kind+` (?:must|has to|needs to|cannot|can't|may not|must not) (?:not )?(?:be (?:an?|one of|between|at least|at most|in|greater|less|positive|non-?empty|empty|provided|specified|set|either|valid|of|absolute|relative|unique|defined|supplied|given|present|within|null|blank|longer|shorter|negative|the|\W|strings?|numbers?|integers?)|have (?:at|a|the|no)|contain|include|start|end with|match|exist|exceed|point to)`,
	`(?:(?:the|requested|specified|given) ){0,2}[a-z][\w-]*(?: [a-z][\w-]*){0,2}?`+which+`:? ?`+value+`(?: (?:was|is|does|do|did|could))?(?: ?n[o'’]t|n['’]t)(?: be)? (?:found|exists?|recogni[sz]ed|registered|loaded|accessible|known)\b`,
	`no (?:[\w-]+ ){1,4}(?:found |exists? |available )?(?:with|for|by|having|matching|named|called|under|at)(?: the| that| this| given| specified| provided){0,3} (?:[\w-]+ )?(?:ids?|uuid|name|key|slug|number|identifier|doi|url|path|symbol|code|handle|username|email|address)\b`,
	`no (?:\w+ ){0,2}(?:api[ -]?key|api token|(?:access |auth\w* )?token|credentials?|authentication|configuration|permission|access|license|subscription)s?(?:[.!]?$| (?:is |was |are |were |has been |have been )?(?:found|provided|set|configured|available|specified|given|supplied|for|to)\b)`,
	`no (?:active|current|open|opened|valid|running|existing|default|such) (?:\w+ )?(?:session|connection|project|browser|page|document|workspace|database|game|tab|file|editor|window|context|user|account|device|repository|sheet|presentation|model|scene|instance|client|configuration|profile|tool)\b`,
	`no (?:[\w-]+ )?(?:\w*[^s\W]|arguments|parameters|credentials) (?:is |was |has been |were )?(?:currently |yet )?(?:provided|specified|supplied|given|selected|configured|loaded|open|opened|initiali[sz]ed)\b`,
	`not (?:found: |authenticated|authori[sz]ed|logged in|signed in|connected|initiali[sz]ed|implemented|supported|allowed|permitted|configured|enabled|installed|an? (?:\w+ )?(?:\w+ )(?:file|path|directory|folder|project|repository|vault|url)|a valid )`,
	`please (?:(?:first|also) )?(?:provide|specify|supply|enter|configure|select|choose|pass|log ?in|sign ?in|authenticate|authori[sz]e|connect (?:to|first)|try (?:again|another|a different)|install|initiali[sz]e|call \S+ first|set (?:the|your|an?|(?-i:[A-Z])))`,
	`(?:you )?(?:must|need to|have to) (?:first )?(?:provide|specify|supply|pass|include|set|select|call|log ?in|sign ?in|authenticate|connect|initiali[sz]e|be (?:logged|signed|authenticated|authori[sz]ed|connected|provided))`,
	`you (?:are not|aren't|do not have|don't have|haven't|have not) (?:yet )?(?:been )?(?:logged|signed|authenticated|authori[sz]ed|connected|allowed|permitted|permission|access|provided|configured|set|initiali[sz]ed|selected)`,
	`(?:(?:absolute |relative )?(?:paths?|urls?|hosts?|files?|director(?:y|ies)|folders?|operations?|commands?|tools?|methods?|features?|writing|reading|protocols?|schemes?)|access to)\b[^\n]{0,120} (?:is |are |was )?(?:not (?:allowed|permitted|supported|within|inside)|outside|blocked|disabled|forbidden|denied|restricted)\b`,
	`(?:only|at least|exactly) one of [^\n]{1,120} (?:must|is required|should|can|may)\b|either [^\n]{1,120} (?:must be|is required|are required|has to be)\b`,
	`(?:login|log-in|sign-?in|authentication|authori[sz]ation|api key|an api key) (?:is )?(?:required|needed|failed|missing|invalid)`,
	`(?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?: environment variable| env var)? (?:is |was )?(?:not (?:set|found|configured|provided)|missing|required|undefined|must be set)`,
	`[a-z][\w-]{0,40} failed(?: because [^\n]+)?[.!]?$|[a-z]\w+ (?:server |service )?failed to `+verb,
	`(?:an? |the )?[a-z][\w-]*(?: [^\s]{1,60}){0,3} already exists\b|`+thing+` can only be (?:used|set|provided|specified) (?:with|when|if|together)|provide either\b|`+thing+kind+` requires? (?:either |exactly |at least |["'`+"`"+`])`,
	`not enough (?:arguments|parameters|permissions?)|too (?:many|few) (?:arguments|parameters)|insufficient (?:permissions?|scope|privileges?|access|arguments)`,
)

// The parts of a sentence about an argument, or about something that is looked up.
const (
	thing = `["'` + "`" + `“«]?[\w.\[\]-]{1,40}["'` + "`" + `”»]?`
	kind  = `(?: (?:parameter|argument|field|property|value|id|key|name|path|url|token|header|environment variable|variable|string|number|query|list|array|input|file|text)s?){0,2}`
	which = `(?: (?:with|for|by|named|called|at|of)(?: the| given)?(?: (?:ids?|uuid|name|key|path|title|slug|number|url|symbol))?)?`
	value = `["'` + "`" + `<\[(“]?[^\s"'` + "`" + `]{0,120}["'` + "`" + `>\])”]?`
)

func startingWith(list ...string) []*lazyregexp.Regexp {
	out := make([]*lazyregexp.Regexp, len(list))
	for i, text := range list {
		out[i] = lazyregexp.New(`(?i)^(?:` + text + `)`)
	}
	return out
}
