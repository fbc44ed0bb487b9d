package html_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/mcpsf/mcpsf"
)

func runs(t *testing.T) map[string]run {
	return map[string]run{
		"thief": thief(t), "hostile": hostile(500), "empty": {report: &mcpsf.Report{}},
		"no events": {report: thief(t).report}, "composed": composed(thief(t), 300), "hostile report": {report: hostile(0).report}, "flowing": flowing(thief(t)),
	}
}

// All elements and attributes of the page are ours.
func TestNothingOfTheTargetIsMarkup(t *testing.T) {
	elements := strings.Fields(`html head meta title style body svg symbol path circle rect use a div p span nav ul ol li button main header h1 h2 h3
		section dl dt dd article details summary pre code b br table thead tbody tr th td figure figcaption label input select option footer script abbr`)
	attributes := strings.Fields(`lang charset http-equiv content name class id href type hidden aria-hidden aria-label aria-labelledby role tabindex
		width height viewBox preserveAspectRatio d x y cx cy r fill-rule fill-opacity stroke-width vector-effect scope data-label title value autocomplete spellcheck open`)
	for name, r := range runs(t) {
		t.Run(name, func(t *testing.T) {
			seen := 0
			for n := range parse(t, render(t, r)).Descendants() {
				if n.Type == html.CommentNode {
					t.Errorf("a comment: %.80q", n.Data)
				}
				if n.Type == html.TextNode && strings.Contains(n.Data, marker) {
					seen++
				}
				if n.Type != html.ElementNode {
					continue
				}
				if !slices.Contains(elements, n.Data) {
					t.Errorf("element %q", n.Data)
				}
				for _, a := range n.Attr {
					if !slices.Contains(attributes, a.Key) {
						t.Errorf("attribute %q of %s", a.Key, n.Data)
					}
					if strings.Contains(a.Val, marker) {
						t.Errorf("text of the target in %s of %s: %.80q", a.Key, n.Data, a.Val)
					}
					if a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
						t.Errorf("a reference to %.80q", a.Val)
					}
				}
			}
			if strings.HasPrefix(name, "hostile") && seen < 100 {
				t.Errorf("only %d texts of the target are shown", seen)
			}
		})
	}
}

// Ids are unique, references exist, and no heading level is skipped.
func TestOutline(t *testing.T) {
	for name, r := range runs(t) {
		t.Run(name, func(t *testing.T) {
			doc := parse(t, render(t, r))
			ids := make(map[string]int)
			level := 0
			for n := range doc.Descendants() {
				if id := attr(n, "id"); id != "" {
					ids[id]++
				}
				if len(n.Data) == 2 && n.Data[0] == 'h' && n.Type == html.ElementNode && n.Data[1] >= '1' && n.Data[1] <= '6' {
					if now := int(n.Data[1] - '0'); now > level+1 {
						t.Errorf("h%d after h%d: %s", now, level, text(n))
					}
					level = int(n.Data[1] - '0')
				}
			}
			for id, count := range ids {
				if count > 1 {
					t.Errorf("the id %q is there %d times", id, count)
				}
			}
			for n := range doc.Descendants() {
				for _, to := range []string{strings.TrimPrefix(attr(n, "href"), "#"), attr(n, "aria-labelledby")} {
					if to != "" && ids[to] == 0 {
						t.Errorf("%s refers to %q, which is nowhere", n.Data, to)
					}
				}
			}
		})
	}
}

// The policy comes before everything it applies to, and pins the style and script.
func TestPolicy(t *testing.T) {
	doc := parse(t, render(t, thief(t)))
	var policy string
	for n := range doc.Descendants() {
		switch {
		case n.Data == "meta" && attr(n, "http-equiv") == "Content-Security-Policy":
			policy = attr(n, "content")
		case n.Data == "style", n.Data == "script" && attr(n, "type") == "":
			sum := sha256.Sum256([]byte(text(n)))
			if pin := n.Data + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, pin) {
				t.Errorf("%s is not in %s", pin, policy)
			}
		}
	}
	for _, want := range []string{"default-src 'none'", "img-src 'none'", "base-uri 'none'", "form-action 'none'", "connect-src 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("no %s in %s", want, policy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Error(policy)
	}
}

// The script's data cannot end its element, and is complete.
func TestData(t *testing.T) {
	page := render(t, hostile(3000))
	for n := range parse(t, page).Descendants() {
		if attr(n, "id") != "data" {
			continue
		}
		var data struct {
			Calls, Events [][]any
			Tools         []string
		}
		if err := json.Unmarshal([]byte(text(n)), &data); err != nil {
			t.Fatal(err)
		}
		if len(data.Events) != 3000 || len(data.Tools) == 0 {
			t.Errorf("%d events, %d tools", len(data.Events), len(data.Tools))
		}
		if strings.ContainsAny(text(n), "<>&") {
			t.Error("markup in the data")
		}
		return
	}
	t.Error("no data")
}

// The page stays small enough to be opened, whatever happened. It always
// contains the events that prove findings.
func TestSize(t *testing.T) {
	const most = 5 << 20
	big := hostile(20_000)
	huge := strings.Repeat(`<&"'\`+"\u202e", 2<<20/8)
	for i := range 400 {
		f := big.report.Findings[0]
		f.Evidence = []int64{int64(1 + 7*i)}
		f.ID, f.Title, f.Message, f.Reproduce = fmt.Sprint("rule", i), huge, huge, huge
		big.report.Findings = append(big.report.Findings, f)
		big.report.Waived = append(big.report.Waived, mcpsf.Waived{Finding: f, Reason: huge})
		big.report.Session.Tools = append(big.report.Session.Tools, mcpsf.Tool{Name: fmt.Sprint(i, huge[:1000]), Description: huge})
		big.report.Accesses = append(big.report.Accesses, mcpsf.Access{Kind: mcpsf.AccessRead, Tool: fmt.Sprint(i, huge[:1000]), Name: huge})
	}
	for i := range big.events {
		if e := &big.events[i]; e.File != nil {
			e.File.Path = fmt.Sprintf("/%d/%d/%s", i%500, i, huge[:1000])
			if i < 300 {
				e.File.Path = huge
			}
		}
	}
	for i := range 10_000 {
		name := fmt.Sprint(i, huge[:100])
		in := big.report.Inspection
		in.Packages = append(in.Packages, mcpsf.Package{Name: name, PURL: name, Licences: []string{name}, Via: []string{huge, name}})
		in.Advisories = append(in.Advisories, mcpsf.Advisory{ID: huge, Package: name, Summary: huge, Aliases: []string{huge}, Fixed: []string{huge}})
		in.Tools = append(in.Tools, mcpsf.SourceTool{Tool: mcpsf.Tool{Name: name, Description: huge}, Path: huge})
		in.Capabilities = append(in.Capabilities, mcpsf.Capability{Declared: huge, Packages: slices.Repeat([]string{huge}, 100), Places: slices.Repeat([]mcpsf.CodePlace{{Path: huge, Name: huge, Tools: []string{huge}}}, 100)})
	}
	page := render(t, big)
	t.Logf("%.1f MB", float64(len(page))/(1<<20))
	if len(page) > most {
		t.Errorf("the page has %d bytes", len(page))
	}
	if want := "can be filtered here: first what findings rest on"; !bytes.Contains(page, []byte(want)) {
		t.Error("it does not say that events were left out")
	}
	if !bytes.Contains(page, []byte("[cut, 2")) {
		t.Error("it does not say that texts were cut")
	}
}

func parse(t *testing.T, page []byte) *html.Node {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && n.Type == html.ElementNode {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
