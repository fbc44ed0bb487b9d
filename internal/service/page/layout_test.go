package page_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// No page is wider than a phone, whatever it shows, and each has two themes.
func TestBrowserNarrow(t *testing.T) {
	w, pages, running := hostileWorld(t)
	for _, e := range hostile(0).events {
		w.tell(running, map[string]any{"event": e})
	}
	b := w.browse()
	b.size(390, 844)
	b.open("/sign-in")
	narrow := func(path string) {
		t.Helper()
		if width := eval[int](b, `document.documentElement.scrollWidth`); width > 390 {
			wide := eval[[]string](b, `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > 390 && !e.closest(".log, .away, .skip")).slice(0, 5).map((e) => e.outerHTML.slice(0, 120))`)
			t.Errorf("%s is %d wide: %q", path, width, wide)
		}
	}
	narrow("/sign-in")
	b.signIn("alpha admin")
	for _, path := range append(pages, "/runs/"+running.Job.ID) {
		b.open(path)
		if strings.HasSuffix(path, running.Job.ID) {
			b.until(`document.querySelectorAll(".row").length > 20 && document.querySelectorAll("#peers tr").length > 1`)
		}
		narrow(path)
		var grounds []string
		for _, scheme := range []string{"light", "dark"} {
			b.colours(scheme)
			grounds = append(grounds, eval[string](b, `getComputedStyle(document.body).backgroundColor + " " + getComputedStyle(document.body).color`))
		}
		if want := []string{"rgb(255, 255, 255) rgb(23, 26, 30)", "rgb(19, 22, 25) rgb(227, 230, 233)"}; !slices.Equal(grounds, want) {
			t.Errorf("%s: %q", path, grounds)
		}
	}
}

// Every page has what screen readers need, and nothing that the policy forbids.
func TestStructure(t *testing.T) {
	w, pages, running := hostileWorld(t)
	pages = append(pages, "/sign-in", "/runs/"+running.Job.ID)
	for _, path := range pages {
		who := "alpha admin"
		if strings.HasPrefix(path, "/sign-in") {
			who = ""
		}
		res := w.get(who, path)
		if got := res.Header.Get("Content-Security-Policy"); got != "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'" {
			t.Errorf("%s: %s", path, got)
		}
		for name, want := range map[string]string{"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin"} {
			if got := res.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		doc, err := html.Parse(strings.NewReader(res.text))
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range structure(doc) {
			t.Errorf("%s: %s", path, problem)
		}
	}
}

// structure returns the problems of a page.
func structure(doc *html.Node) (problems []string) {
	ids, labelled, count := map[string]int{}, map[string]bool{}, map[string]int{}
	level := 0
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		if id := attr(n, "id"); id != "" {
			ids[id]++
		}
		if n.Data == "label" {
			labelled[attr(n, "for")] = true
		}
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			if now := int(n.Data[1] - '0'); now > level+1 {
				problems = append(problems, "a heading is skipped before "+n.Data)
			}
			level = int(n.Data[1] - '0')
		}
	}
	for _, name := range []string{"main", "header", "h1", "title"} {
		if count[name] == 0 {
			problems = append(problems, "no "+name)
		}
	}
	if count["main"] != 1 || count["h1"] != 1 {
		problems = append(problems, "main or h1 is there twice")
	}
	for id, n := range ids {
		if n > 1 {
			problems = append(problems, "the id "+id+" is there twice")
		}
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			problems = append(problems, element(n, ids, labelled)...)
		}
	}
	return problems
}

func element(n *html.Node, ids map[string]int, labelled map[string]bool) (problems []string) {
	for _, a := range n.Attr {
		if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
			problems = append(problems, "an attribute "+a.Key)
		}
		if a.Key == "href" || a.Key == "src" || a.Key == "action" {
			icon := n.Data == "link" && attr(n, "rel") == "icon"
			if !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") && !icon || strings.HasPrefix(a.Val, "//") {
				problems = append(problems, "a reference to "+a.Val)
			}
		}
		if (a.Key == "aria-labelledby" || a.Key == "aria-describedby") && ids[a.Val] == 0 {
			problems = append(problems, a.Key+" refers to "+a.Val)
		}
	}
	switch n.Data {
	case "script":
		if attr(n, "src") == "" || n.FirstChild != nil {
			problems = append(problems, "a script in the page")
		}
	case "style", "img", "object", "embed", "base":
		problems = append(problems, "an element "+n.Data)
	case "th":
		if attr(n, "scope") == "" {
			problems = append(problems, "a heading of a table without scope")
		}
	case "input", "select":
		hidden := slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" }) || attr(n, "type") == "hidden"
		if !hidden && !labelled[attr(n, "id")] && attr(n, "aria-label") == "" && !within(n, "label") {
			problems = append(problems, "a field without a label: "+attr(n, "name"))
		}
	case "table":
		if n.FirstChild == nil || n.FirstChild.Data != "caption" {
			problems = append(problems, "a table without a caption")
		}
	}
	return problems
}

func within(n *html.Node, name string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Data == name {
			return true
		}
	}
	return false
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
