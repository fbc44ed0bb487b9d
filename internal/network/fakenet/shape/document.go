package shape

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Document makes an answer that is no JSON, with its content type; nil if the
// source expects none.
func (e *Expectations) Document(r *Request, want *Reply) (kind string, body []byte) {
	if want.Format == "" || want.node == nil {
		return "", nil
	}
	value := complete(r, want.node, nil)
	if want.Format == "csv" {
		return "text/csv; charset=utf-8", tableOf(value)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	root, name := value, "response"
	if want.Format == "xml-object" {
		root, name = onlyMember(value)
	}
	element(&b, name, root, want.Format == "xml", 0)
	return "application/xml; charset=utf-8", b.Bytes()
}

// onlyMember is the root of a document that is read with its name.
func onlyMember(v any) (root any, name string) {
	o, _ := v.(map[string]any)
	for _, name := range sortedKeys(o) {
		if _, ok := o[name].(map[string]any); ok && xmlName.MatchString(name) {
			return o[name], name
		}
	}
	return v, "response"
}

var xmlName = lazyregexp.New(`^[A-Za-z_][\w.-]{0,63}$`)

// namespaceOf divides a name that begins with a namespace, as "atom..entry".
func namespaceOf(name string) (local, attribute string) {
	space, local, ok := strings.Cut(name, "..")
	uri := map[string]string{
		"atom": "http://www.w3.org/2005/Atom", "opensearch": "http://a9.com/-/spec/opensearch/1.1/", "arxiv": "http://arxiv.org/schemas/atom",
		"dc": "http://purl.org/dc/elements/1.1/", "content": "http://purl.org/rss/1.0/modules/content/", "media": "http://search.yahoo.com/mrss/",
		"sitemap": "http://www.sitemaps.org/schemas/sitemap/0.9",
	}[space]
	if !ok || uri == "" || !xmlName.MatchString(local) {
		return name, ""
	}
	return local, ` xmlns="` + uri + `"`
}

// element writes a value as XML. A member is an element, or an attribute if it is
// a plain value and attributes is set.
func element(b *bytes.Buffer, name string, v any, attributes bool, depth int) {
	if depth > maxDepth || !xmlName.MatchString(name) {
		return
	}
	if list, ok := v.([]any); ok {
		for _, e := range list {
			element(b, name, e, attributes, depth+1)
		}
		return
	}
	name, space := namespaceOf(name)
	b.WriteString("<" + name + space)
	o, _ := v.(map[string]any)
	plain, inner := o, map[string]any{}
	if !attributes {
		plain, _ = o["$"].(map[string]any)
	}
	for _, member := range sortedKeys(plain) {
		if content := shown(plain[member]); content != "" && xmlName.MatchString(member) && !isContent(member) {
			b.WriteString(" " + member + `="`)
			escape(b, content)
			b.WriteString(`"`)
		}
	}
	b.WriteString(">")
	escape(b, shown(v))
	for _, member := range sortedKeys(o) {
		switch content := shown(o[member]); {
		case isContent(member):
			escape(b, content)
		case !attributes || content == "":
			inner[member] = o[member]
		}
	}
	for _, member := range sortedKeys(inner) {
		element(b, member, inner[member], attributes, depth+1)
	}
	b.WriteString("</" + name + ">")
}

// shown is a plain value as text, "" for others.
func shown(v any) string {
	if v == nil {
		return ""
	}
	return written(v)
}

// isContent reports the names that libraries give to the text of an element.
func isContent(name string) bool { return name == "text" || name == "_" || name == "#text" }

func escape(b *bytes.Buffer, text string) { _ = xml.EscapeText(b, []byte(text)) }

// tableOf writes a list of objects as lines with values between commas.
func tableOf(v any) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	list, _ := v.([]any)
	var names []string
	for _, row := range list {
		o, _ := row.(map[string]any)
		if names == nil {
			names = sortedKeys(o)
			_ = w.Write(names)
		}
		cells := make([]string, len(names))
		for i, name := range names {
			cells[i] = shown(o[name])
		}
		_ = w.Write(cells)
	}
	if len(names) == 0 {
		b.Reset()
		return []byte("id,name,value\n1,alpha,12.5\n2,beta,9.75\n")
	}
	w.Flush()
	return b.Bytes()
}
