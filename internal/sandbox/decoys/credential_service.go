package decoys

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// brand is the format of one service's secrets.
type brand struct {
	// words: one of them is in the variable's name.
	words []string
	// prefix begins its secrets, "" if they have no common prefix.
	prefix string
	make   func(o *order) string
}

// brands lists the formats. Of several with the same words, the first is used
// if there is no example.
func brands() []brand {
	plain := func(prefix string, n int, alphabet string) func(*order) string {
		return func(o *order) string { return o.secret(prefix, n, alphabet) }
	}
	checked := func(prefix string) func(*order) string {
		return func(o *order) string { return o.checked(prefix) }
	}
	uuid := func(o *order) string { return o.keep(o.uuid()) }
	return []brand{
		{[]string{"GITHUB", "GH"}, "ghp_", checked("ghp_")},
		{nil, "github_pat_", func(o *order) string { return "github_pat_" + o.keep(o.text(22, alnum)+"_"+o.text(59, alnum)) }},
		{nil, "gho_", checked("gho_")},
		{[]string{"NPM"}, "npm_", checked("npm_")},
		{[]string{"GITLAB"}, "glpat-", plain("glpat-", 20, urlsafe)},
		{[]string{"ANTHROPIC", "CLAUDE"}, "sk-ant-", func(o *order) string { return "sk-ant-api03-" + o.keep(o.text(93, urlsafe)+"AA") }},
		{[]string{"OPENROUTER"}, "sk-or-", plain("sk-or-v1-", 64, hexits)},
		{[]string{"OPENAI"}, "sk-proj-", plain("sk-proj-", 156, urlsafe)},
		{[]string{"DEEPSEEK"}, "", plain("sk-", 32, hexits)},
		{[]string{"GROQ"}, "gsk_", plain("gsk_", 52, alnum)},
		{[]string{"PERPLEXITY"}, "pplx-", plain("pplx-", 48, alnum)},
		{[]string{"REPLICATE"}, "r8_", plain("r8_", 37, alnum)},
		{[]string{"XAI"}, "xai-", plain("xai-", 80, alnum)},
		{[]string{"VOYAGE", "VOYAGEAI"}, "pa-", plain("pa-", 43, urlsafe)},
		{[]string{"HF", "HUGGINGFACE", "HUGGING"}, "hf_", plain("hf_", 34, upper+lower)},
		{nil, "xapp-", func(o *order) string {
			return "xapp-1-A0" + o.keep(o.text(9, upper+digits)+"-"+o.text(13, digits[1:])+"-"+o.text(64, hexits))
		}},
		{nil, "xoxp-", slackToken("xoxp-")},
		{[]string{"SLACK"}, "xoxb-", slackToken("xoxb-")},
		{nil, "sk_live_", plain("sk_live_51", 97, alnum)},
		{nil, "rk_test_", plain("rk_test_51", 97, alnum)},
		{[]string{"STRIPE"}, "sk_test_", plain("sk_test_51", 97, alnum)},
		{[]string{"AIRTABLE"}, "pat", func(o *order) string { return "pat" + o.keep(o.text(14, alnum)+"."+o.text(64, hexits)) }},
		{[]string{"NOTION"}, "ntn_", plain("ntn_", 46, alnum)},
		{nil, "secret_", plain("secret_", 43, alnum)},
		{[]string{"LINEAR"}, "lin_api_", plain("lin_api_", 40, alnum)},
		{[]string{"SENDGRID"}, "SG.", func(o *order) string { return "SG." + o.keep(o.text(22, urlsafe)+"."+o.text(43, urlsafe)) }},
		{[]string{"MAILGUN"}, "key-", plain("key-", 32, hexits)},
		{[]string{"RESEND"}, "re_", func(o *order) string { return "re_" + o.keep(o.text(8, alnum)+"_"+o.text(24, alnum)) }},
		{[]string{"FIGMA"}, "figd_", plain("figd_", 40, urlsafe)},
		{[]string{"SHOPIFY"}, "shpat_", plain("shpat_", 32, hexits)},
		{[]string{"FIRECRAWL"}, "fc-", plain("fc-", 32, hexits)},
		{[]string{"BRAVE"}, "BSA", plain("BSA", 28, urlsafe)},
		{[]string{"TAVILY"}, "tvly-", plain("tvly-", 32, alnum)},
		{[]string{"PINECONE"}, "pcsk_", func(o *order) string { return "pcsk_" + o.keep(o.text(6, alnum)+"_"+o.text(63, alnum)) }},
		{[]string{"SENTRY"}, "sntryu_", plain("sntryu_", 64, hexits)},
		{[]string{"POSTHOG"}, "phx_", plain("phx_", 43, alnum)},
		{[]string{"GRAFANA"}, "glsa_", func(o *order) string { return "glsa_" + o.keep(o.text(32, alnum)+"_"+o.text(8, hexits)) }},
		{[]string{"APIFY"}, "apify_api_", plain("apify_api_", 36, alnum)},
		{[]string{"HUBSPOT"}, "pat-na1-", func(o *order) string { return "pat-na1-" + o.keep(o.uuid()) }},
		{[]string{"NEON"}, "napi_", plain("napi_", 64, lower+digits)},
		{[]string{"ELEVENLABS"}, "sk_", plain("sk_", 48, hexits)},
		{[]string{"PLANE"}, "plane_api_", plain("plane_api_", 32, hexits)},
		{[]string{"DIGITALOCEAN"}, "dop_v1_", plain("dop_v1_", 64, hexits)},
		{[]string{"VERCEL"}, "", plain("", 24, alnum)},
		{[]string{"POSTMAN"}, "PMAK-", func(o *order) string { return "PMAK-" + o.keep(o.text(24, hexits)+"-"+o.text(34, hexits)) }},
		{[]string{"DYNATRACE", "DT"}, "dt0", func(o *order) string { return "dt0s16." + o.keep(o.text(8, base32)+"."+o.text(64, base32)) }},
		{[]string{"LAUNCHDARKLY", "LD"}, "api-", func(o *order) string { return "api-" + o.keep(o.uuid()) }},
		{[]string{"JIRA", "CONFLUENCE", "ATLASSIAN", "BITBUCKET"}, "ATATT", func(o *order) string {
			return "ATATT3xFfGF0" + o.keep(o.text(168, urlsafe)+"="+o.text(8, "0123456789ABCDEF"))
		}},
		{[]string{"SUPABASE"}, "sbp_", supabase},
		{[]string{"PYPI", "TWINE"}, "pypi-", func(o *order) string { return o.macaroon("packages." + o.who.domain) }},
		{[]string{"MAPBOX"}, "pk.", func(o *order) string {
			claims := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"u":%q,"a":%q}`, o.who.login, "cl"+o.text(23, lower+digits)))
			return "pk." + o.keep(claims+"."+o.text(22, urlsafe))
		}},
		{[]string{"TELEGRAM"}, "", func(o *order) string {
			return o.keep(o.text(1, digits[1:]) + o.text(9, digits) + ":AA" + o.text(33, urlsafe))
		}},
		{[]string{"DISCORD"}, "", func(o *order) string {
			id := base64.RawURLEncoding.EncodeToString([]byte("1" + o.text(17, digits)))
			return o.keep(id + "." + o.text(6, urlsafe) + "." + o.text(38, urlsafe))
		}},
		{[]string{"TWILIO", "SID"}, "", func(o *order) string {
			if o.has("KEY") && !o.has("SECRET") {
				return o.secret("SK", 32, hexits)
			}
			return o.secret("", 32, hexits)
		}},
		{[]string{"DATADOG", "DD"}, "", func(o *order) string {
			if o.has("APP", "APPLICATION") {
				return o.secret("", 40, hexits)
			}
			return o.secret("", 32, hexits)
		}},
		{[]string{"AWS", "AMAZON"}, "AKIA", func(o *order) string { return o.secret("", 40, base64ab) }},
		{[]string{"GOOGLE", "GEMINI", "YOUTUBE", "GCP", "GMAIL"}, "AIza", google},
		{[]string{"AZURE", "ENTRA"}, "", func(o *order) string { return o.keep(o.text(3, alnum) + "8Q~" + o.text(34, urlsafe)) }},
		{[]string{"TRELLO"}, "", plain("", 32, hexits)},
		{[]string{"CLOUDFLARE"}, "", plain("", 40, urlsafe)},
		{[]string{"CIRCLECI"}, "CCIPAT_", func(o *order) string { return "CCIPAT_" + o.keep(o.text(22, alnum)+"_"+o.text(40, hexits)) }},
		{[]string{"EXA", "HEROKU", "BROWSERBASE"}, "", uuid},
	}
}

func slackToken(prefix string) func(*order) string {
	return func(o *order) string { return o.slack(prefix) }
}

// supabase has tokens for its own API and signed ones for a project's.
func supabase(o *order) string {
	if o.has("ANON", "SERVICE", "ROLE", "JWT") || o.ends("KEY") {
		return o.webToken()
	}
	return o.secret("sbp_", 40, hexits)
}

func google(o *order) string {
	if o.ends("SECRET") {
		return o.secret("GOCSPX-", 28, urlsafe)
	}
	if o.has("REFRESH") {
		return o.secret("1//0", 98, urlsafe)
	}
	return o.secret("AIzaSy", 33, urlsafe)
}

// byPrefix chooses by the example's prefix. The longest match counts.
func (o *order) byPrefix(example string) string {
	var best *brand
	for _, b := range brands() {
		rest, ok := strings.CutPrefix(example, b.prefix)
		if ok && distinct(b.prefix) && tokenTail.MatchString(rest) && (best == nil || len(b.prefix) > len(best.prefix)) {
			best = &b
		}
	}
	switch {
	case best == nil && strings.HasPrefix(example, "sk-") && tokenTail.MatchString(example[3:]):
		return o.secret("sk-", 48, alnum)
	case best == nil:
		return ""
	case best.prefix == "AKIA":
		return o.secret("AKIA", 16, base32)
	}
	return best.make(o)
}

// tokenTail matches what follows a prefix in an example: not another word, as
// in "secret_key".
var tokenTail = lazyregexp.New(`^(?:[xX*.…<]|(?i:your)|[\w-]*\d)`)

// distinct reports prefixes that do not begin ordinary words.
func distinct(prefix string) bool {
	return strings.ContainsAny(prefix, "-_.") || strings.ToLower(prefix) != prefix
}

// byService chooses by the words of the name, in order, and by those of an
// example such as YOUR_GITLAB_TOKEN.
func (o *order) byService() string {
	all := brands()
	for _, word := range append(slices.Clip(o.said), nameWords(o.example)...) {
		for _, b := range all {
			if slices.Contains(b.words, word) {
				return b.make(o)
			}
		}
	}
	return ""
}

func (o *order) knownService() bool {
	for _, b := range brands() {
		if o.has(b.words...) {
			return true
		}
	}
	return false
}

// identity makes an id. Ids are not secret, but an access key's id is as
// specific as its secret half.
func (o *order) identity() string {
	switch {
	case o.has("KEY") && o.has("ACCESS", "AWS"):
		return o.secret("AKIA", 16, base32)
	case o.has("SLACK") && o.has("TEAM", "WORKSPACE"):
		return "T0" + o.text(9, upper+digits)
	case o.has("SLACK"):
		return "C0" + o.text(9, upper+digits)
	case o.has("TWILIO", "SID") && o.has("ACCOUNT"):
		return o.secret("AC", 32, hexits)
	case o.has("TWILIO", "SID"):
		return o.secret("SK", 32, hexits)
	case o.ends("NUMBER"):
		return "+15550100" + o.text(3, digits)
	case uuidShape.MatchString(o.example) || o.ends("UUID", "GUID") || o.has("AZURE", "TENANT", "SUBSCRIPTION"):
		return o.keep(o.uuid())
	case o.has("CLOUDFLARE"):
		return o.secret("", 32, hexits)
	case o.has("GOOGLE", "GMAIL") && o.has("CLIENT"):
		return o.keep(o.text(12, digits[1:]) + "-" + o.text(32, lower+digits) + ".apps.googleusercontent.com")
	case o.has("GOOGLE", "GCP") && o.has("PROJECT"):
		return o.who.company + "-" + o.text(6, digits[1:])
	case o.has("AWS"):
		return o.text(1, digits[1:]) + o.text(11, digits)
	case digitsShape.MatchString(o.example) || o.has("CHAT", "APP", "PROJECT", "USER", "GUILD", "CHANNEL", "GROUP"):
		return o.text(1, digits[1:]) + o.text(8, digits)
	}
	return o.keep(o.uuid())
}
