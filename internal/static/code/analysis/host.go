package analysis

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

var (
	urlInText     = lazyregexp.New(`(?i)\b(?:https?|wss?|ftp|tcp)://([^\s/'"<>\\^` + "`" + `{}|]+)`)
	hostAlone     = lazyregexp.New(`^(?i)[a-z0-9](?:[a-z0-9\-]{0,62}\.)+[a-z]{2,12}$`)
	ipAlone       = lazyregexp.New(`^(\d{1,3}\.){3}\d{1,3}$`)
	discordHook   = lazyregexp.New(`(?i)discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{15,21}/[\w-]{20,}`)
	slackHook     = lazyregexp.New(`(?i)hooks\.slack\.com/(?:services|workflows)/T[A-Z0-9]{6,}/B?[A-Z0-9]{6,}/`)
	telegramBot   = lazyregexp.New(`(?i)api\.telegram\.org/bot\d{6,12}:[\w-]{20,}`)
	teamsHook     = lazyregexp.New(`(?i)(?:outlook|[\w-]+\.webhook)\.office\.com/webhookb?2?/[\w-]{10,}`)
	collectorHost = lazyregexp.New(`(?i)\b(?:webhook\.site|(?:[\w-]+\.)?requestbin\.(?:com|net)|[\w-]+\.m\.pipedream\.net|[\w-]+\.(?:free\.)?beeceptor\.com|[\w-]+\.requestcatcher\.com|hookbin\.com|[\w-]+\.oast\.(?:fun|pro|live|me|site|online)|[\w-]+\.interact\.sh|[\w-]+\.burpcollaborator\.net|[\w-]+\.oastify\.com|[\w.-]+\.dnslog\.cn|ptsv\d?\.com|eo\w+\.m\.pipedream\.net|canarytokens\.com)\b`)
	tunnelHost    = lazyregexp.New(`(?i)\b(?:[\w-]+\.(?:ngrok\.io|ngrok-free\.(?:app|dev)|ngrok\.app|trycloudflare\.com|loca\.lt|localtunnel\.me|serveo\.net|lhr\.life|pinggy\.(?:link|io)|bore\.pub|localhost\.run|telebit\.io))\b`)
	pasteHost     = lazyregexp.New(`(?i)\b(?:pastebin\.com/raw|paste\.ee/r|hastebin\.com/raw|rentry\.(?:co|org)/\w+/raw|ghostbin\.\w+|dpaste\.(?:com|org)|ix\.io|0x0\.st|termbin\.com|sprunge\.us|controlc\.com|paste\.rs)\b`)
	dropHost      = lazyregexp.New(`(?i)\b(?:transfer\.sh|file\.io|anonfiles?\.com|(?:store\d+|api)\.gofile\.io|bashupload\.com|oshi\.at|catbox\.moe|temp\.sh|uguu\.se|filebin\.net)\b`)
)

// named is a pattern and what it fits.
type named struct {
	re   *lazyregexp.Regexp
	name string
}

func receivers() []named {
	return []named{
		{discordHook, "discord webhook"},
		{slackHook, "slack webhook"},
		{telegramBot, "telegram bot"},
		{teamsHook, "teams webhook"},
		{collectorHost, "request collector"},
		{tunnelHost, "tunnel"},
		{pasteHost, "pastebin"},
		{dropHost, "file drop"},
	}
}

// webhooks finds services where anybody can receive data anonymously.
func webhooks(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	all := receivers()
	for f, t := range p.texts() {
		if len(t.Text) < 6 || len(t.Text) > 4000 || !strings.Contains(t.Text, ".") || t.Compared || isMessage(t) {
			continue
		}
		for _, w := range all {
			m := w.re.FindString(t.Text)
			if m != "" && !placeholder.MatchString(m) {
				out = append(out, fact(f, t.Line, w.name, m))
				break
			}
		}
	}
	return out
}

// hosts finds suspicious destinations: bare addresses, dynamic DNS, hidden
// services, shorteners, lookalike names.
func hosts(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for f, t := range p.texts() {
		if t.Compared || isMessage(t) {
			continue
		}
		for _, h := range hostsIn(t) {
			if what := suspicious(h); what != "" {
				out = append(out, fact(f, t.Line, h, what))
			}
		}
	}
	return out
}

// hostsIn are the hosts that a text names.
func hostsIn(t *ir.Text) []string {
	var out []string
	s := t.Text[:min(len(t.Text), 4000)]
	var found [][]string
	if strings.Contains(s, "://") {
		found = urlInText.FindAllStringSubmatch(s, 10)
	}
	for _, m := range found {
		u, err := url.Parse("x://" + m[1])
		if err != nil || u.Hostname() == "" || strings.Contains(m[1], ir.Hole) && !strings.Contains(u.Hostname(), ".") {
			continue
		}
		if h := strings.ToLower(u.Hostname()); !strings.Contains(h, ir.Hole) && !strings.ContainsFunc(h, notInHost) {
			out = append(out, strings.TrimSuffix(h, "."))
		}
	}
	connects := strings.Contains(t.Into, "connect") || t.Name == "host" || t.Name == "hostname" || strings.Contains(t.Into, "socket") || strings.EqualFold(t.Name, "server") || strings.Contains(strings.ToLower(t.Name), "host")
	if connects && (hostAlone.MatchString(s) || ipAlone.MatchString(s)) {
		out = append(out, strings.ToLower(s))
	}
	return out
}

// notInHost are characters that no name has.
func notInHost(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._[]:", r)
}

// suspicious says what is odd about a host's name, "" if nothing.
func suspicious(h string) string {
	if ip, err := netip.ParseAddr(strings.Trim(h, "[]")); err == nil {
		if ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || resolver(h) {
			return ""
		}
		return "address without a name"
	}
	switch {
	case strings.Contains(h, "xn--"):
		return "name in another alphabet"
	case strings.ContainsFunc(h, func(r rune) bool { return r > unicode.MaxASCII }):
		return "name with letters beyond ASCII"
	case strings.HasSuffix(h, ".onion"):
		return "hidden service"
	case below(h, dynamicDNS()):
		return "name that anybody can point anywhere"
	case slices.Contains(shorteners(), h):
		return "short address that leads elsewhere"
	}
	return ""
}

func dynamicDNS() []string {
	return []string{"duckdns.org", "no-ip.com", "no-ip.org", "ddns.net", "hopto.org", "zapto.org", "sytes.net", "dynu.net", "freemyip.com", "dyndns.org", "dynv6.net", "servebeer.com", "myftp.org", "serveftp.com", "chickenkiller.com", "mooo.com", "gotdns.ch", "nsupdate.info", "1337.cx"}
}

func shorteners() []string {
	return []string{"bit.ly", "tinyurl.com", "t.co", "goo.gl", "is.gd", "cutt.ly", "rb.gy", "shorturl.at", "ow.ly", "tiny.cc", "rebrand.ly", "v.gd", "t.ly", "s.id"}
}

func below(h string, list []string) bool {
	for _, d := range list {
		if h == d || strings.HasSuffix(h, "."+d) {
			return true
		}
	}
	return false
}

func resolver(h string) bool {
	return slices.Contains([]string{"1.1.1.1", "8.8.8.8", "8.8.4.4", "1.0.0.1", "9.9.9.9", "255.255.255.255", "169.254.169.254", "208.67.222.222"}, h)
}
