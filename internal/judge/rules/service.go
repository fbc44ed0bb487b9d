package rules

import "strings"

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

// class is what a well-known host is there for, apart from the services a
// server may be made for.
type class string

const (
	// classNone: nothing is known of it.
	classNone class = ""
	// classTelemetry counts users and collects crashes.
	classTelemetry class = "telemetry"
	// classRegistry hands out packages and tells which is the newest.
	classRegistry class = "registry"
	// classCatcher shows whatever is sent to it to the one who made the
	// address, who needs no machine and no name for that.
	classCatcher class = "request catcher"
	// classTunnel leads to a machine behind a router.
	classTunnel class = "tunnel"
	// classPaste keeps a text or file for everybody.
	classPaste class = "paste or file drop"
	// classChat puts a message into somebody's chat room.
	classChat class = "chat room"
	// classOnion leads into the Tor network.
	classOnion class = "onion service"
	// classResolver answers questions for names.
	classResolver class = "public resolver"
)

// classes lists the domains of each class. Only services that exist for that
// alone are here, in general terms: whoever uses one to collect what servers
// know picks it because it costs nothing and tells nothing about him.
func classes() map[class][]string {
	return map[class][]string{
		classTelemetry: {
			"sentry.io", "posthog.com", "segment.io", "segment.com", "mixpanel.com", "amplitude.com", "datadoghq.com", "datadoghq.eu",
			"applicationinsights.azure.com", "services.visualstudio.com", "monitor.azure.com", "google-analytics.com", "analytics.google.com",
			"googletagmanager.com", "bugsnag.com", "rollbar.com", "newrelic.com", "nr-data.net", "honeycomb.io", "heapanalytics.com", "heap.io",
			"rudderstack.com", "rudderlabs.com", "statsig.com", "statsigapi.net", "launchdarkly.com", "logrocket.com", "logrocket.io",
			"fullstory.com", "scarf.sh", "plausible.io", "countly.com", "raygun.com", "raygun.io", "loggly.com", "papertrailapp.com", "axiom.co",
			"grafana.net", "logtail.com", "betterstack.com", "instana.io", "dynatrace.com", "lightstep.com", "signalfx.com", "aptabase.com",
			"pendo.io", "hotjar.com", "clarity.ms", "events.data.microsoft.com", "telemetry.nextjs.org", "telemetry.vercel.com", "logfire.pydantic.dev",
			"langfuse.com", "smith.langchain.com", "snowplowanalytics.com", "appsignal.com", "appsignal-endpoint.net", "openreplay.com", "agnost.ai",
		},
		classRegistry: {"registry.npmjs.org", "registry.yarnpkg.com", "pypi.org", "files.pythonhosted.org", "crates.io", "rubygems.org", "proxy.golang.org"},
		classCatcher: {
			"webhook.site", "requestbin.com", "requestbin.net", "pipedream.net", "requestcatcher.com", "beeceptor.com", "hookbin.com", "webhookinbox.com",
			"mockbin.org", "postb.in", "typedwebhook.tools", "webhook-test.com", "request.ngrok.app", "hookdeck.com", "interact.sh", "oast.fun",
			"oast.live", "oast.me", "oast.online", "oast.pro", "oast.site", "oastify.com", "burpcollaborator.net", "dnslog.cn", "ceye.io",
			"canarytokens.com", "canarytokens.org", "dnsbin.zhack.ca", "rbndr.us", "requestrepo.com", "ptsv3.com", "ptsv2.com", "httpdump.app",
		},
		classTunnel: {
			"ngrok.io", "ngrok.app", "ngrok.dev", "ngrok-free.app", "ngrok-free.dev", "trycloudflare.com", "loca.lt", "localtunnel.me", "serveo.net",
			"localhost.run", "lhr.life", "pagekite.me", "bore.pub", "localxpose.io", "loclx.io", "telebit.io", "zrok.io", "pinggy.io", "pinggy.link",
			"tunnelmole.net", "devtunnels.ms", "duckdns.org", "no-ip.org", "ddns.net", "hopto.org", "zapto.org", "serveousercontent.com", "playit.gg", "nip.io", "sslip.io", "xip.io", "traefik.me",
		},
		classPaste: {
			"pastebin.com", "paste.ee", "hastebin.com", "ghostbin.com", "dpaste.org", "dpaste.com", "rentry.co", "termbin.com", "ix.io", "0x0.st",
			"transfer.sh", "file.io", "gofile.io", "anonfiles.com", "bashupload.com", "catbox.moe", "tmpfiles.org", "temp.sh", "oshi.at", "controlc.com",
			"privatebin.net", "paste.rs", "sprunge.us", "clbin.com", "filebin.net", "uguu.se", "pixeldrain.com", "wetransfer.com", "paste.mozilla.org",
			"justpaste.it", "keep.sh", "envs.sh", "pastie.org", "nopaste.net", "filetransfer.io", "jsonbin.io", "jsonblob.com", "npoint.io",
			"api.myjson.com", "extendsclass.com", "kvdb.io", "textdb.dev", "api.anonfile.com", "ufile.io", "sendspace.com", "bin.sh",
		},
		classChat: {
			"discord.com", "discordapp.com", "api.telegram.org", "hooks.slack.com", "webhook.office.com", "maker.ifttt.com", "hooks.zapier.com",
			"ntfy.sh", "api.pushover.net", "api.pushbullet.com", "hook.integromat.com", "hook.make.com", "qyapi.weixin.qq.com", "oapi.dingtalk.com",
			"chat.googleapis.com", "script.google.com", "forms.gle", "formspree.io", "getform.io", "formsubmit.co", "api.web3forms.com",
		},
		classOnion:    {"onion", "onion.ws", "onion.ly", "onion.pet", "onion.sh", "tor2web.org", "tor2web.io", "onion.to", "onion.cab", "onion.city"},
		classResolver: {"dns.google", "cloudflare-dns.com", "one.one.one.one", "dns.quad9.net", "dns.adguard.com", "doh.opendns.com", "dns.nextdns.io", "1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "2606:4700:4700::1111", "2001:4860:4860::8888"},
	}
}

// directory finds what is known of a host: its own name and those above it.
type directory map[string]class

func newDirectory() directory {
	d := directory{}
	for c, domains := range classes() {
		for _, name := range domains {
			d[name] = c
		}
	}
	return d
}

func (d directory) of(host string) class {
	for {
		if c, ok := d[host]; ok {
			return c
		}
		_, rest, more := strings.Cut(host, ".")
		if !more || isAddress(host) {
			return classNone
		}
		host = rest
	}
}

// domain is what is known of a host by its name.
type domain struct {
	name  string
	class class
}

// domains looks hosts up, each once.
type domains struct {
	directory directory
	known     map[string]domain
}

func newDomains() *domains { return &domains{newDirectory(), map[string]domain{}} }

func (d *domains) of(host string) domain {
	found, known := d.known[host]
	if !known {
		found = domain{registrable(host), d.directory.of(host)}
		if len(d.known) < maxHosts {
			d.known[host] = found
		}
	}
	return found
}

// collects tells whether whoever receives something through a host of that
// class can do without a machine and a name of his own.
func (c class) collects() bool {
	switch c {
	case classCatcher, classTunnel, classPaste, classChat:
		return true
	}
	return false
}

// isMetadata knows where the machines of a cloud get their keys.
func isMetadata(host string) bool {
	if strings.HasPrefix(host, "169.254.169.254.") { // a name for any address
		return true
	}
	switch host {
	case "169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23",
		"metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata", "instance-data", "instance-data.ec2.internal",
		"metadata.packet.net", "metadata.platformequinix.com":
		return true
	}
	return false
}

// cheapEnding knows the endings of domains that cost next to nothing and are blocked
// by many networks for it.
func cheapEnding(domain string) bool {
	ending := domain[strings.LastIndexByte(domain, '.')+1:]
	switch ending {
	case "tk", "ml", "ga", "cf", "gq", "top", "cam", "icu", "rest", "cyou", "bond", "sbs", "click", "quest", "monster", "zip", "mov", "country",
		"stream", "gdn", "loan", "men", "date", "racing", "download", "review", "buzz", "surf", "hair", "beauty", "makeup", "lol", "pw":
		return true
	}
	return false
}
