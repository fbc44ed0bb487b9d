package contract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// operation is what a function says about one request: it is one if all is known.
type operation struct {
	urls    []string
	method  string
	answers []answer
	// statuses are codes that are compared apart from the form.
	statuses []int
	// calls are the functions that may make the request for it.
	calls []string
}

// answer is a form that is accepted.
type answer struct {
	status int
	form   *ir.Form
	key    string
	// weak says that only a validation of the answer tells it.
	weak bool
}

// no gap: what is not found out about answers is only answered as usual
const (
	maxURLs    = 4
	maxAnswers = 16
	maxURL     = 300
)

var (
	// addressName matches the names of what is or makes an address.
	addressName = lazyregexp.New(`(?i)(path|url|uri|route|endpoint)(\w*)?$`)
	// otherAddress matches those of what is not all of the request's.
	otherAddress = lazyregexp.New(`(?i)base|server|redirect|callback|docs|hook|host`)
	// pathLike matches texts that are paths or addresses.
	pathLike = lazyregexp.New(`^(https?://[\w.:-]+)?/?[\w.~%@:+,!{}$-]+(/[\w.~%@:+,!{}$*()-]*)*/?(\?.*)?$|^(https?://[\w.:-]+)?/[\w.~%@:+,!{}$-]+$`)
	// mediaType matches what only looks like a path.
	mediaType = lazyregexp.New(`^(application|text|image|audio|video|multipart|font|message)/`)
	// answerLike matches the names of what was answered, asked those of what was not.
	answerLike = lazyregexp.New(`(?i)(resp|res$|result|json|body|data|payload|raw|answer|content)`)
	asked      = lazyregexp.New(`(?i)(err|req$|request|args?$|input|param|env|config|option)`)
	success    = lazyregexp.New(`^2(\d\d|XX)$`)
)

// assigned reads path = "/v1/users".
func (o *operation) assigned(n *syntax.Node) {
	if n.Text == "" && n.Kid(0).Is(syntax.Name) {
		o.property(n.Kid(0).Text, n.Kid(1))
	}
}

// property reads a member or argument that says what is requested.
func (o *operation) property(name string, value *syntax.Node) {
	switch {
	case value == nil || len(name) > maxName:
	case name == "method" || name == "http_method" || name == "httpMethod" || name == "requestMethod":
		if m := method(value); m != "" && o.method == "" {
			o.method = m
		}
	case addressName.MatchString(name) && !otherAddress.MatchString(name):
		o.url(value)
	}
}

func method(n *syntax.Node) string {
	if !n.Is(syntax.String) {
		return ""
	}
	switch m := strings.ToUpper(n.Text); m {
	case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD":
		return m
	}
	return ""
}

// url reads an address.
func (o *operation) url(n *syntax.Node) {
	text := address(n)
	if text != "" && len(o.urls) < maxURLs && !slices.Contains(o.urls, text) {
		o.urls = append(o.urls, text)
	}
}

// address returns a text that is an address or a path, "" if it is none. What is not
// known of it is {}.
func address(n *syntax.Node) string {
	text := ""
	switch {
	case n.Is(syntax.String):
		text = n.Text
	case n.Is(syntax.Join), n.Is(syntax.Binary) && n.Text == "+":
		for _, k := range n.Kids[:min(len(n.Kids), maxURL)] {
			switch {
			case !k.Is(syntax.String):
				text += "{}"
			case len(k.Text) > maxURL:
				return ""
			default:
				text += k.Text
			}
		}
		text = strings.TrimPrefix(text, "{}")
	case n.Is(syntax.Call) && n.Op == "tag":
		return address(n.Kid(1))
	}
	if len(text) > maxURL || !strings.Contains(text, "/") || len(text) < 2 || mediaType.MatchString(text) || !pathLike.MatchString(text) {
		return ""
	}
	parts := strings.Split(text, "/")
	for i, p := range parts {
		if strings.HasPrefix(p, ":") && len(p) > 1 { // /users/:id
			parts[i] = "{}"
		}
	}
	return strings.Join(parts, "/")
}

// add adds what a callback says.
func (o *operation) add(more *operation) {
	for _, u := range more.urls {
		if len(o.urls) < maxURLs && !slices.Contains(o.urls, u) {
			o.urls = append(o.urls, u)
		}
	}
	if o.method == "" {
		o.method = more.method
	}
	o.answers = append(o.answers, more.answers[:min(len(more.answers), maxAnswers-len(o.answers))]...)
	o.statuses = append(o.statuses, more.statuses[:min(len(more.statuses), maxAnswers-len(o.statuses))]...)
}

// called reads a call: of what makes an address, a request, or checks an answer.
func (r *reader) called(n *syntax.Node, o *operation) {
	callee, args := n.Kid(0), n.Kids[1:]
	name := lastName(callee)
	switch strings.ToLower(name) {
	case "get", "post", "put", "patch", "delete", "head":
		if len(args) > 0 && callee.Is(syntax.Member) {
			before := len(o.urls)
			if o.url(args[0]); len(o.urls) > before && o.method == "" {
				o.method = strings.ToUpper(name)
			}
		}
		if len(args) > 0 && args[0].Is(syntax.Object) { // client.get({url: "/users", responseValidator: ...})
			r.record(args[0], strings.ToUpper(name))
		}
	case "fetch", "request":
		for _, a := range args[:min(len(args), 2)] {
			o.url(a)
			if m := method(a); m != "" && o.method == "" {
				o.method = m
			}
		}
	default:
		if addressName.MatchString(name) {
			for _, a := range args {
				o.url(a)
			}
		}
	}
	if len(o.calls) < maxAnswers && len(name) <= maxName && strings.Contains(name, "serialize") {
		o.calls = append(o.calls, name)
	}
	r.matched(name, args, o)
	r.checked(n, o)
}

// matched reads json(201, Schema): a form for a status. What is compared with a status
// in Python has its form elsewhere.
func (r *reader) matched(name string, args []*syntax.Node, o *operation) {
	if len(args) < 2 || len(o.answers) >= maxAnswers || len(name) > maxName {
		return
	}
	lower := strings.ToLower(name)
	if strings.Contains(lower, "err") || strings.Contains(lower, "fail") {
		return
	}
	if codes := statuses(args[1]); len(codes) > 0 && strings.Contains(lower, "match") && len(o.statuses) < maxAnswers {
		o.statuses = append(o.statuses, codes[0])
		return
	}
	codes := statuses(args[0])
	if len(codes) == 0 || r.python {
		return
	}
	a := answer{status: codes[0]}
	switch lower {
	case "nil", "bytes", "stream", "text", "sse", "jsonl":
	case "json":
		a.form = r.form(args[1], 0)
	default:
		if !args[1].Is(syntax.Call) && !schemaName(dotted(args[1])) {
			return
		}
		if a.form = r.form(args[1], 0); a.form == nil {
			return
		}
	}
	if len(args) > 2 {
		if k := member(args[2], "key"); k.Is(syntax.String) && len(k.Text) <= maxName {
			a.key = k.Text
		}
	}
	o.answers = append(o.answers, a)
}

// statuses reads the codes of success that are meant; nil if it is no status.
func statuses(n *syntax.Node) []int {
	list := []*syntax.Node{n}
	if n.Is(syntax.List) {
		list = n.Kids
	}
	var out []int
	for _, k := range list {
		if !k.Is(syntax.String) && !k.Is(syntax.Number) || !success.MatchString(k.Text) {
			continue
		}
		code, err := strconv.Atoi(k.Text)
		if err != nil { // 2XX
			code = 200
		}
		out = append(out, code)
	}
	slices.Sort(out)
	return out
}

// checked reads Schema.parse(response) and the like.
func (r *reader) checked(n *syntax.Node, o *operation) {
	callee, args := n.Kid(0), n.Kids[1:]
	if len(args) == 0 || len(o.answers) >= maxAnswers {
		return
	}
	form, data := callee.Kid(0), args[0]
	switch lastName(callee) {
	case "parse", "safeParse", "parseAsync", "safeParseAsync", "parseOrThrow", "model_validate", "model_validate_json", "from_dict", "validate_python", "validate_json", "parse_obj":
		if !callee.Is(syntax.Member) {
			form = nil
		}
		if len(args) > 1 && form.Is(syntax.Name) && len(form.Text) <= 2 { // v.parse(Schema, data)
			form, data = args[0], args[1]
		}
	case "parse_obj_as", "construct_type", "unmarshal_json_response", "unmarshal_json", "convert", "structure":
		if form = args[0]; len(args) > 1 {
			data = args[1]
		}
	default:
		return
	}
	if form.Is(syntax.Keyword) {
		form = form.Kid(0)
	}
	if form == nil || !answered(data, 0) {
		return
	}
	a := answer{weak: true}
	if r.python {
		a.form = annotations{r}.annotation(form, 0)
	} else if form.Is(syntax.Name) || form.Is(syntax.Member) || form.Is(syntax.Call) {
		a.form = r.form(form, 0)
	}
	if a.form != nil {
		o.answers = append(o.answers, a)
	}
}

// answered reports whether an expression is named like an answer.
func answered(n *syntax.Node, depth int) bool {
	if n == nil || depth > 8 {
		return false
	}
	if n.Is(syntax.Name) || n.Is(syntax.Member) {
		if asked.MatchString(n.Text) {
			return false
		}
		if answerLike.MatchString(n.Text) {
			return !n.Is(syntax.Member) || !n.Kid(0).Is(syntax.Member) || !asked.MatchString(n.Kid(0).Text)
		}
	}
	for _, k := range n.Kids {
		if answered(k, depth+1) {
			return true
		}
	}
	return false
}

// described reads an object that has all of an operation.
func (r *reader) described(n *syntax.Node) { r.record(n, "") }

// record reads {method: "get", path: "/users", response: Schema}; verb is the method
// that is known besides.
func (r *reader) record(n *syntax.Node, verb string) {
	if len(n.Kids) < 2 || len(r.out.Operations) >= maxOperations {
		return
	}
	o := &operation{method: verb}
	var form *syntax.Node
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) || p.Kid(1) != nil {
			continue
		}
		switch p.Text {
		case "method":
			o.method = method(p.Kid(0))
		case "path", "url":
			o.url(p.Kid(0))
		case "response", "responseSchema", "output", "responses", "responseValidator":
			form = p.Kid(0)
		}
	}
	if o.method == "" || len(o.urls) == 0 || form == nil {
		return
	}
	switch {
	case form.Is(syntax.Func): // async (data) => await Schema.parseAsync(data)
		if call := result(form); call.Is(syntax.Unary) {
			r.checked(call.Kid(0), o)
		} else if call.Is(syntax.Call) {
			r.checked(call, o)
		}
	case form.Is(syntax.Object): // {200: Schema}
		for _, p := range form.Kids {
			if p.Is(syntax.Pair) && success.MatchString(p.Text) && len(o.answers) < maxAnswers {
				codes := statuses(&syntax.Node{Kind: syntax.String, Text: p.Text})
				o.answers = append(o.answers, answer{status: codes[0], form: r.form(p.Kid(0), 0)})
			}
		}
	default:
		o.answers = append(o.answers, answer{form: r.form(form, 0)})
	}
	r.emit(o)
}

// member returns the value of a property that is written out.
func member(n *syntax.Node, name string) *syntax.Node {
	if n.Is(syntax.Object) {
		for _, p := range n.Kids {
			if p.Is(syntax.Pair) && p.Text == name {
				return p.Kid(0)
			}
		}
	}
	return nil
}

// responses reads the types that a generated client of Python has for each status:
// {"200": "User"}.
func (r *reader) responses(n *syntax.Node, o *operation) {
	if !r.python || !n.Kid(1).Is(syntax.Object) || !strings.Contains(dotted(n.Kid(0)), "response") {
		return
	}
	for _, p := range n.Kid(1).Kids {
		if !p.Is(syntax.Pair) || !success.MatchString(p.Text) || !p.Kid(0).Is(syntax.String) || len(o.answers) >= maxAnswers {
			continue
		}
		codes := statuses(&syntax.Node{Kind: syntax.String, Text: p.Text})
		o.answers = append(o.answers, answer{status: codes[0], form: annotations{r}.typeText(p.Kid(0).Text)})
	}
}

// emit writes an operation of which all is known; false if it is none.
func (r *reader) emit(o *operation) bool {
	if len(o.urls) != 1 || o.method == "" || len(o.answers) == 0 {
		return false
	}
	a := o.best()
	if a.form == nil && a.status == 0 {
		return false
	}
	if a.status == 0 && len(o.statuses) > 0 {
		a.status = o.statuses[0]
	}
	if len(r.out.Operations) < maxOperations {
		r.out.Operations = append(r.out.Operations, ir.Operation{Method: o.method, URL: o.urls[0], Status: a.status, Answer: a.form, Key: a.key})
	}
	return true
}

// best is the answer that tells most: one with a form and a status.
func (o *operation) best() answer {
	for _, ok := range []func(answer) bool{
		func(a answer) bool { return a.form != nil && !a.weak },
		func(a answer) bool { return a.form != nil },
	} {
		if i := slices.IndexFunc(o.answers, ok); i >= 0 {
			return o.answers[i]
		}
	}
	return o.answers[0]
}

// keep remembers what a function says that is no whole operation.
func (r *reader) keep(name string, o *operation) {
	if len(r.named) < 4*maxOperations && len(name) <= maxName && (len(o.urls) == 1 && o.method != "" || len(o.answers) > 0 && len(o.calls) > 0) {
		r.named[name] = o
	}
}

// join makes operations of functions that know the answer and have another one make
// the request.
func (r *reader) join() {
	for _, name := range sorted(r.named) {
		o := r.named[name]
		for _, callee := range o.calls {
			if made := r.named[callee]; made != nil && made != o && len(o.urls) == 0 && len(o.answers) > 0 {
				r.emit(&operation{urls: made.urls, method: made.method, answers: o.answers, statuses: o.statuses})
				break
			}
		}
	}
}
