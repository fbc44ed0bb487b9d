package hostname

import "strings"

// Class is what a well-known host is there for, apart from the services a
// server may be made for.
type Class string

const (
	// ClassNone: nothing is known of it.
	ClassNone Class = ""
	// classTelemetry counts users and collects crashes.
	classTelemetry Class = "telemetry"
	// classRegistry hands out packages and tells which is the newest.
	classRegistry Class = "registry"
	// classCatcher shows whatever is sent to it to the one who made the
	// address, who needs no machine and no name for that.
	classCatcher Class = "request catcher"
	// classTunnel leads to a machine behind a router.
	classTunnel Class = "tunnel"
	// classPaste keeps a text or file for everybody.
	classPaste Class = "paste or file drop"
	// classChat puts a message into somebody's chat room.
	classChat Class = "chat room"
	// classOnion leads into the Tor network.
	classOnion Class = "onion service"
	// ClassResolver answers questions for names.
	ClassResolver Class = "public resolver"
)

// classes lists the domains of each class. Only services that exist for that
// alone are here, in general terms: whoever uses one to collect what servers
// know picks it because it costs nothing and tells nothing about him.
func classes() map[Class][]string {
	return map[Class][]string{
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
		ClassResolver: {"dns.google", "cloudflare-dns.com", "one.one.one.one", "dns.quad9.net", "dns.adguard.com", "doh.opendns.com", "dns.nextdns.io", "1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "2606:4700:4700::1111", "2001:4860:4860::8888"},
	}
}

// Directory finds what is known of a host: its own name and those above it.
type Directory map[string]Class

func newDirectory() Directory {
	d := Directory{}
	for c, domains := range classes() {
		for _, name := range domains {
			d[name] = c
		}
	}
	return d
}

// Of is the class of a host.
func (d Directory) Of(host string) Class {
	for {
		if c, ok := d[host]; ok {
			return c
		}
		_, rest, more := strings.Cut(host, ".")
		if !more || IsAddress(host) {
			return ClassNone
		}
		host = rest
	}
}

// domain is what is known of a host by its name.
type domain struct {
	Name  string
	Class Class
}

// MaxHosts bounds the hosts that are remembered.
const MaxHosts = 2000

// Domains looks hosts up, each once.
type Domains struct {
	Directory Directory
	known     map[string]domain
}

// NewDomains knows the well-known hosts.
func NewDomains() *Domains { return &Domains{newDirectory(), map[string]domain{}} }

// Of is what is known of a host.
func (d *Domains) Of(host string) domain {
	found, known := d.known[host]
	if !known {
		found = domain{Registrable(host), d.Directory.Of(host)}
		if len(d.known) < MaxHosts {
			d.known[host] = found
		}
	}
	return found
}

// Collects tells whether whoever receives something through a host of that
// class can do without a machine and a name of his own.
func (c Class) Collects() bool {
	switch c {
	case classCatcher, classTunnel, classPaste, classChat:
		return true
	}
	return false
}

// IsMetadata knows where the machines of a cloud get their keys.
func IsMetadata(host string) bool {
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

// CheapEnding knows the endings of domains that cost next to nothing and are blocked
// by many networks for it.
func CheapEnding(domain string) bool {
	ending := domain[strings.LastIndexByte(domain, '.')+1:]
	switch ending {
	case "tk", "ml", "ga", "cf", "gq", "top", "cam", "icu", "rest", "cyou", "bond", "sbs", "click", "quest", "monster", "zip", "mov", "country",
		"stream", "gdn", "loan", "men", "date", "racing", "download", "review", "buzz", "surf", "hair", "beauty", "makeup", "lol", "pw":
		return true
	}
	return false
}
