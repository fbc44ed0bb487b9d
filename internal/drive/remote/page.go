package remote

import (
	"context"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// stranger is the host of a web page of another origin.
func (p *prober) stranger() string { return p.opts.Nonce + ".example" }

// rebinding makes requests as a web page does after DNS rebinding: the page's own
// name now resolves to the server's address, so that the browser takes both for
// one origin. That matters only for servers that the page's author cannot reach
// directly.
func (p *prober) rebinding(ctx context.Context) {
	if !p.opts.Private {
		return
	}
	host := p.stranger()
	if port := p.url.Port(); port != "" {
		host += ":" + port
	}
	a := p.ask(ctx, ask{
		method: protocol.MethodInitialize, bare: p.open, host: host, header: http.Header{"Origin": {p.url.Scheme + "://" + host}},
	})
	p.tell(mcpsf.RemoteDetail{
		Check: mcpsf.CheckRebinding, Method: "initialize", Sent: "Host and Origin of a stranger", Got: a.String(), Want: "HTTP 403", Weak: a.taken(),
	})
	p.leave(ctx, a.session, p.open)
}

// origin makes requests as a web page of another origin does without a CORS
// preflight: browsers send a form or plain text to any server.
func (p *prober) origin(ctx context.Context) {
	header := http.Header{"Origin": {"https://" + p.stranger()}, "Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"no-cors"}}
	sent := "Origin of a stranger"
	if !p.old { // with HTTP+SSE the first request carries no message
		header.Set("Content-Type", "text/plain;charset=UTF-8")
		header.Set("Accept", "*/*")
		sent += ", as plain text"
	}
	a := p.ask(ctx, ask{method: protocol.MethodInitialize, bare: p.open, header: header})
	p.tell(mcpsf.RemoteDetail{
		Check: mcpsf.CheckOrigin, Method: "initialize", Sent: sent, Got: a.String(), Want: "HTTP 403", Weak: a.taken() && !p.old,
	})
	p.leave(ctx, a.session, p.open)
}

// cors sends the CORS preflight by which a browser asks whether a page of another
// origin may send more than plain text, and read the answer.
func (p *prober) cors(ctx context.Context) {
	if p.pace(ctx) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	origin := "https://" + p.stranger()
	method := http.MethodPost
	r, err := p.request(ctx, http.MethodOptions, p.url, &ask{bare: true, header: http.Header{
		"Origin": {origin}, "Access-Control-Request-Method": {method}, "Access-Control-Request-Headers": {"content-type"},
	}}, nil)
	if err != nil {
		return
	}
	response, err := p.doer.Do(r)
	if err != nil {
		return
	}
	_ = response.Body.Close()
	h := response.Header
	allowed := h.Get("Access-Control-Allow-Origin")
	d := mcpsf.RemoteDetail{
		Check: mcpsf.CheckCORS, Sent: "Origin of a stranger", Want: "no Access-Control-Allow-Origin", Got: "no Access-Control-Allow-Origin",
	}
	switch {
	case response.StatusCode/100 != 2 || allowed == "":
	case allowed == origin && strings.EqualFold(h.Get("Access-Control-Allow-Credentials"), "true"):
		d.Got, d.Weak = withLogins, true
	case allowed == origin || allowed == "*":
		// Without credentials it matters only if the server needs none.
		d.Got, d.Weak = "the pages of anybody may ask and read the answers", p.open && p.opts.Private && mayAsk(h)
	default:
		d.Got = "the pages of " + cut(allowed, 100) + " may ask"
	}
	p.tell(d)
}

// withLogins describes a server that trusts every web page.
const withLogins = "the pages of anybody may ask with the user's cookies and read the answers"

// mayAsk reports whether the page may also send a message.
func mayAsk(h http.Header) bool {
	headers := strings.ToLower(h.Get("Access-Control-Allow-Headers"))
	return strings.Contains(headers, "content-type") || strings.Contains(headers, "*")
}
