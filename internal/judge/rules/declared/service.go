package declared

// service is one that goes by other names than that of its domain, or whose
// name is worth imitating. A word of it explains these domains and no other:
// the name of a well-known service before another ending is a disguise.
type service struct {
	words   []string
	domains []string
}

func services() []service {
	return []service{
		{[]string{"github", "gh"}, []string{"github.com", "githubusercontent.com", "githubassets.com", "githubcopilot.com", "github.io", "ghcr.io", "ghe.com"}},
		{[]string{"gitlab"}, []string{"gitlab.com", "gitlab.io"}},
		{[]string{"bitbucket"}, []string{"bitbucket.org", "atlassian.com"}},
		{
			[]string{"google", "gmail", "gdrive", "gcp", "gcloud", "gemini", "vertex", "firebase", "bigquery", "youtube", "gsuite", "gcal", "chrome", "chromium"},
			[]string{"google.com", "googleapis.com", "googleusercontent.com", "gstatic.com", "youtube.com", "youtu.be", "ytimg.com", "googlevideo.com", "firebaseio.com", "run.app", "google.dev", "ai.google.dev", "chromium.org"},
		},
		{
			[]string{"aws", "amazon", "awslabs", "s3", "bedrock", "dynamodb"},
			[]string{"amazonaws.com", "amazonaws.com.cn", "aws.amazon.com", "amazon.com", "api.aws", "awsstatic.com", "aws.dev"},
		},
		{
			[]string{"azure", "microsoft", "office", "outlook", "sharepoint", "onedrive", "entra", "graph", "msgraph", "powerbi", "teams", "devops"},
			[]string{
				"azure.com", "microsoft.com", "microsoftonline.com", "windows.net", "office.com", "office365.com", "visualstudio.com", "live.com",
				"outlook.com", "sharepoint.com", "azure.net", "azure-api.net", "azurewebsites.net", "powerbi.com", "msftauth.net", "aka.ms",
			},
		},
		{[]string{"atlassian", "jira", "confluence", "trello"}, []string{"atlassian.com", "atlassian.net", "jira.com", "trello.com"}},
		{[]string{"slack"}, []string{"slack.com", "slack-edge.com", "slack-msgs.com"}},
		{[]string{"discord"}, []string{"discord.com", "discordapp.com", "discord.gg", "discord.media"}},
		{[]string{"telegram"}, []string{"telegram.org", "t.me", "telegram.me"}},
		{[]string{"whatsapp", "facebook", "instagram", "meta", "threads"}, []string{"facebook.com", "whatsapp.com", "whatsapp.net", "instagram.com", "fbcdn.net", "threads.net", "threads.com"}},
		{[]string{"twitter", "x"}, []string{"twitter.com", "x.com", "twimg.com", "t.co"}},
		{[]string{"openai", "gpt", "chatgpt", "dalle"}, []string{"openai.com", "chatgpt.com", "oaistatic.com"}},
		{[]string{"anthropic", "claude"}, []string{"anthropic.com", "claude.ai", "claude.com"}},
		{[]string{"huggingface", "hugging", "hf", "hfspace"}, []string{"huggingface.co", "hf.co", "hf.space"}},
		{[]string{"npm", "npmjs"}, []string{"npmjs.org", "npmjs.com"}},
		{[]string{"pypi", "pip"}, []string{"pypi.org", "pythonhosted.org"}},
		{[]string{"docker", "dockerhub"}, []string{"docker.com", "docker.io"}},
		{[]string{"cloudflare"}, []string{"cloudflare.com", "cloudflarestorage.com", "workers.dev", "pages.dev", "cloudflare-dns.com"}},
		{[]string{"stripe"}, []string{"stripe.com"}},
		{[]string{"paypal"}, []string{"paypal.com"}},
		{[]string{"wikipedia", "wikimedia", "wikidata"}, []string{"wikipedia.org", "wikimedia.org", "wikidata.org", "wiktionary.org"}},
		{[]string{"lark", "feishu", "larksuite"}, []string{"feishu.cn", "larksuite.com", "larkoffice.com"}},
		{[]string{"arxiv"}, []string{"arxiv.org"}},
		{[]string{"pubmed", "ncbi", "medline"}, []string{"nih.gov"}},
		{[]string{"openstreetmap", "osm", "nominatim", "overpass"}, []string{"openstreetmap.org", "overpass-api.de"}},
		{[]string{"notion"}, []string{"notion.com", "notion.so", "notion.site"}},
		{[]string{"sentry"}, []string{"sentry.io"}},
		{[]string{"supabase"}, []string{"supabase.co", "supabase.com", "supabase.in"}},
		{[]string{"elastic", "elasticsearch", "kibana"}, []string{"elastic.co", "elastic-cloud.com", "found.io"}},
		{[]string{"salesforce"}, []string{"salesforce.com", "force.com", "salesforce-sites.com"}},
		{[]string{"shopify"}, []string{"shopify.com", "myshopify.com", "shopify.dev"}},
		{[]string{"zoom"}, []string{"zoom.us", "zoom.com"}},
		{[]string{"hubspot"}, []string{"hubspot.com", "hubapi.com", "hsforms.com"}},
		{[]string{"playwright", "puppeteer"}, []string{"playwright.dev", "azureedge.net", "googleapis.com"}},
		{[]string{"coinbase"}, []string{"coinbase.com"}},
		{[]string{"binance"}, []string{"binance.com"}},
	}
}
