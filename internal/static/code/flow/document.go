package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxElements is how many elements of a path in XML are followed, maxLooked how
// many prefixes of namespaces are looked up.
// no gap: what is not found out about answers is only answered as usual
const maxElements, maxLooked = 8, 100

// document follows a text that is read as XML or as a table; false if the call
// does something else.
func (b *libraries) document(path string, args []*syntax.Node) (val, bool) {
	if len(args) == 0 {
		return val{}, false
	}
	switch path {
	case "io.StringIO", "StringIO", "io.BytesIO", "BytesIO":
		return b.expr(args[0]), true
	case "csv.DictReader", "csv.reader", "csv-parse/sync.parse", "d3-dsv.csvParse":
		table := b.readAs(args[0], Table)
		b.calls.arguments(args[1:])
		b.use(table, ir.UseArray)
		return val{node: table}, true
	case "papaparse.parse":
		out := b.fresh()
		b.same(b.member(out, "data"), b.readAs(args[0], Table))
		return val{node: out}, true
	case "fast-xml-parser.XMLParser().parse", "xml2js.parseStringPromise", "xml2js.Parser().parseStringPromise", "xmltodict.parse":
		return val{node: b.readAs(args[0], Objects)}, true
	}
	for _, end := range []string{"ElementTree.fromstring", "etree.fromstring", "ElementTree.XML", "etree.XML"} {
		if strings.HasSuffix(path, end) {
			root := b.readAs(args[0], Elements)
			b.elements[root] = true
			return val{node: root}, true
		}
	}
	return val{}, false
}

// readAs is what a text is read as.
func (b *libraries) readAs(n *syntax.Node, as string) int {
	v := b.expr(n)
	node := v.node
	if node == 0 && len(v.text) == 1 {
		node = v.text[0].Node
	}
	return b.read(node, as)
}

// found follows the methods that look for elements in XML.
func (b *calls) found(on val, name string, args []*syntax.Node) (val, bool) {
	switch name {
	case "find", "findtext", "findall", "iterfind", "iter", "xpath":
	default:
		return val{}, false
	}
	if len(args) == 0 || on.node == 0 || !b.elements[on.node] && !b.readsXML {
		return val{}, false
	}
	path := plainText(b.expr(args[0]))
	if path == "" {
		return val{}, false
	}
	var prefixes val
	if len(args) > 1 {
		prefixes = b.expr(args[len(args)-1])
	}
	node := on.node
	for i, step := range steps(path) {
		if step = b.inSpace(step, prefixes); i < maxElements && isName(step) {
			node = b.read(node, step)
		}
	}
	b.elements[node] = true
	switch name {
	case "find":
		return val{node: node}, true
	case "findtext":
		text := b.read(node, "text")
		b.use(text, ir.UseString)
		return val{node: text}, true
	case "findall", "iterfind", "iter", "xpath":
		b.use(node, ir.UseArray)
		return val{node: node}, true
	}
	return val{}, false
}

// plainText is a text that is known completely.
func plainText(v val) string {
	out := ""
	for _, p := range v.text {
		if p.Node != 0 || p.Text == "" {
			return ""
		}
		out += p.Text
	}
	return out
}

// steps divides a path of elements, whose names can begin with a namespace in
// braces.
func steps(path string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range path {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		case '/':
			if depth == 0 {
				out, start = append(out, path[start:i]), i+1
			}
		}
	}
	return append(out, path[start:])
}

// inSpace puts the name of a known namespace before that of an element:
// "atom..entry".
func (b *calls) inSpace(step string, prefixes val) string {
	uri, local := "", step
	if strings.HasPrefix(step, "{") {
		uri, local, _ = strings.Cut(step[1:], "}")
	} else if prefix, name, ok := strings.Cut(step, ":"); ok {
		local = name
		if m, ok := b.links[link{prefixes.node, prefix}]; ok {
			uri = b.textNear(m)
		}
	}
	if name := namespace(uri); name != "" {
		return name + ".." + local
	}
	return local
}

// textNear is the text of a node, or of one that is the same.
func (b *walker) textNear(n int) string {
	if b.looked++; b.looked > maxLooked {
		return ""
	}
	for _, s := range b.out.Same {
		if s[0] == n && len(b.out.Nodes[s[1]].Text) == 1 {
			return b.out.Nodes[s[1]].Text[0].Text
		}
	}
	return ""
}

// namespace is the usual name of a namespace, "" if it is not known.
func namespace(uri string) string {
	switch uri {
	case "http://www.w3.org/2005/Atom":
		return "atom"
	case "http://a9.com/-/spec/opensearch/1.1/":
		return "opensearch"
	case "http://arxiv.org/schemas/atom":
		return "arxiv"
	case "http://purl.org/dc/elements/1.1/":
		return "dc"
	case "http://purl.org/rss/1.0/modules/content/":
		return "content"
	case "http://search.yahoo.com/mrss/":
		return "media"
	case "http://www.sitemaps.org/schemas/sitemap/0.9":
		return "sitemap"
	}
	return ""
}
