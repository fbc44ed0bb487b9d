package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/markdown"
)

// flowing is a server that fetches any URL and reads documents.
func flowing(names ...string) run {
	r := passed()
	r.Session.Tools = nil
	schema := json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"}}}`)
	for i, name := range names {
		r.Session.Tools = append(r.Session.Tools, mcpsf.Tool{Name: name, InputSchema: schema})
		r.Session.Calls = append(r.Session.Calls, mcpsf.Call{ID: fmt.Sprintf("c%d", 10+i), Method: "tools/call", Tool: name, Status: mcpsf.CallOK})
		if i%2 == 0 {
			r.Accesses = append(r.Accesses, mcpsf.Access{
				Kind: mcpsf.AccessHost, Tool: name, Phase: mcpsf.PhaseDrive, Name: "www.seven.example:443", Count: 1, Event: 16,
				Explanation: mcpsf.Explanation{By: mcpsf.ByArgument, Reason: `the argument "url" names it`},
			})
			continue
		}
		r.Accesses = append(r.Accesses, mcpsf.Access{
			Kind: mcpsf.AccessRead, Tool: name, Phase: mcpsf.PhaseDrive, Name: mcpsf.Home + "/Documents/" + name, Count: 1, Event: 12, Planted: mcpsf.DecoyDocument,
			Explanation: mcpsf.Explanation{By: mcpsf.ByConfiguration, Reason: "the command line names it"},
		})
	}
	return run{r, quietEvents()}
}

func TestFlowsGolden(t *testing.T) {
	r := flowing("fetch_page", "read_file", "post", "list_folder")
	golden(t, "flowing.md", render(t, FormatMarkdown, r, Style{}))
	page := render(t, FormatHTML, r, Style{})
	section := regexp.MustCompile(`(?s)<section id="flows".*?</section>`).Find(page)
	golden(t, "flowing.html", append(section, '\n'))
	if want := `<a href="#flows">Flows</a>`; !strings.Contains(string(page), want) {
		t.Errorf("no %s", want)
	}
}

// A server that lacks a role has no such section, and neither has one that was
// not observed.
func TestNoFlows(t *testing.T) {
	said := flowing("fetch_page")
	said.report.Session.Tools[0].Annotations = json.RawMessage(`{"openWorldHint":true}`)
	for name, r := range map[string]run{"half": flowing("fetch_page"), "said": said, "none": {passed(), nil}} {
		if out := string(render(t, FormatMarkdown, r, Style{})); strings.Contains(out, "flow") {
			t.Errorf("%s: a flow in\n%s", name, out)
		}
		if out := string(render(t, FormatHTML, r, Style{})); strings.Contains(out, `id="flows"`) {
			t.Errorf("%s: a section about flows", name)
		}
	}
}

func TestFlowsAreCleanAndBounded(t *testing.T) {
	names := []string{"<img src=x>" + pwn, "@somebody `x` | #1 " + pwn}
	for i := range 3000 {
		names = append(names, strings.Repeat("W|`", 1000)+fmt.Sprint(i))
	}
	r := flowing(names...)
	out := string(render(t, FormatMarkdown, r, Style{}))
	if found := raw(out); found != "" {
		t.Errorf("raw %s", found)
	}
	if len(out) > markdown.MaxMarkdown {
		t.Errorf("%d bytes", len(out))
	}
	section := regexp.MustCompile(`(?s)<section id="flows".*?</section>`).FindString(string(render(t, FormatHTML, r, Style{})))
	if strings.Contains(section, "<img") || len(section) == 0 || len(section) > 200_000 {
		t.Errorf("a section of %d bytes: %.500s", len(section), section)
	}
}
