package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// rule is one form of words and what it asks for. Named groups of the expression
// are parts of the wish: name and names (members), list (accepted values), type,
// format, least, most, over, under (bounds that are excluded), value. Without a
// name the wish is about what stands before.
type rule struct {
	kind  mcpsf.WishKind
	words string
	find  *lazyregexp.Regexp // made of words
	// typ and least are those of the wish if no group says so.
	typ   string
	least float64
	// accept is the accepted value if the text names none.
	accept string
	// loose is a failure to read something, alone leaves nothing else to read in the
	// clause, later means all names but the first, and bare that the words before
	// are not what it is about. under means that the names are members of what stands
	// before.
	loose, alone, later, bare, under bool
}

// words are the abbreviations in the expressions of the rules.
//
//nolint:gochecknoglobals // as constant as the expressions
var words = strings.NewReplacer(
	"{quoted}", "(?:\"[^\"\\n]{1,256}\"|'[^'\\n]{1,256}'|`[^`\\n]{1,256}`|“[^”\\n]{1,256}”|‘[^’\\n]{1,256}’)",
	"{q}", "[\"'`“”‘’]?",
	"{id}", `[A-Za-z_$][\w$.\[\]-]*`,
	"{ident}", `[a-z]+(?:_[a-z0-9_]+|[A-Z]\w*)`,
	"{n}", `-?\d[\d,_]*(?:\.\d+)?|(?-i:one|two|three|four|five)`,
	"{args}", `(?:(?:query |input |body |tool )?(?:parameter|argument|property|properties|field|key|option|input|attribute|member|value)(?:s|\(s\))?)`,
	"{type}", `string|str|text|integers?|int|u?int(?:8|16|32|64)|[ui](?:8|16|32|64|128)|usize|isize|f32|f64|floats?|double|long|numbers?|numeric|decimal|`+
		`boolean|bool|arrays?|lists?|sequence|tuple|objects?|dictionary|dict|map|mapping|a map|struct`,
	"{format}", `uuid|guid|url|uri|e-?mail(?: address)?|iso[ -]?8601(?: date-?time| timestamp| date| duration)?|iso date-?time|iso date|iso|date-?time|timestamp|date|yyyy-mm-dd|time|`+
		`geojson|json(?: array| object)?|cron(?: expression)?|ip(?:v4|v6)?(?: address)?|hexadecimal|hex colou?r|hex|base64|regex|regular expression|semver|semantic version|`+
		`hostname|domain(?: name)?|(?:hex )?colou?r|phone(?: number)?|time ?zone|duration|xml|yaml|csv|html|svg|sql|alphanumeric|cell (?:reference|range)|`+
		`arxiv(?: paper)? id(?:entifier)?|arxiv|doi|pmid|pmcid|orcid(?: id)?|isbn|issn|nct (?:id|number)|uniprot (?:accession|id)|pdb (?:id|code)|cve(?: id)?|cwe(?: id)?|`+
		`youtube (?:video )?(?:id|url)|imdb id|iata(?: airport)? code|iata|icao code|iban|mac address|cidr(?: block)?|locale|bounding box|ethereum address|transaction hash|git ref(?:erence)?`,
	"{sql}", `(?:select|insert|update|delete|create|alter|drop)(?: table| into| from)?`,
	"{be}", `(?:must|should|has to|have to|needs? to|can only)(?: only)?(?: be| contain| have| match| use| equal)`,
	"{is}", `(?:must|should|has to|have to|needs? to|can only)(?: only)?(?: be| equal| match)`,
	"{end}", `(?:$|[,.;:)\](]|\s(?:of|with|containing|or|and|between|but|in|that|values?|when|if|representing|greater|less|from|for|not|at|types?|\(|input|format)\b)`,
	// files by which programs know a project: package.json, project.godot, .obsidian
	"{projectfile}", `(?:package|nx|angular|tsconfig|deno|app|turbo|lerna)\.json|(?:pyproject|Cargo|netlify|fly|wrangler)\.toml|project\.godot|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|pubspec\.yaml|`+
		`Package\.swift|ProjectVersion\.txt|ProjectSettings|docker-compose\.ya?ml|compose\.ya?ml|Chart\.yaml|dbt_project\.yml|manage\.py|requirements\.txt|Gemfile|composer\.json|platformio\.ini|mkdocs\.yml|\.obsidian|`+
		`[\w*-]*\.(?:xcodeproj|xcworkspace|sln|csproj|uproject|tf|kicad_pro)`,
	"{many}", `(?:methods?|values?|options?|types?|modes?|choices|actions?|operations?|commands?|formats?|\w+s)`,
)

// rules are compiled once, like any regular expression.
//
//nolint:gochecknoglobals // as above
var rules = compile(slices.Concat(statementRules(), projectRules(), memberRules(), choiceRules(), swapRules(), failureRules(), typeRules(), placeRules(), boundRules()))

func compile(list []rule) []rule {
	for i := range list {
		list[i].find = lazyregexp.New(`(?i)` + words.Replace(list[i].words))
	}
	return list
}
