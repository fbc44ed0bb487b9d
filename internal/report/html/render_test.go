package html_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report"
)

var update = flag.Bool("update", false, "take the screenshots anew")

// run is a report and the events behind it.
type run struct {
	report *mcpsf.Report
	events []mcpsf.Event
}

func render(t testing.TB, r run) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := report.Write(&buf, report.FormatHTML, r.report, r.events, report.Style{}); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// thief is a stored run of examples/thief-python.
func thief(t testing.TB) run {
	t.Helper()
	dir := filepath.Join("testdata", "thief")
	r, err := report.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "events.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var events []mcpsf.Event
	dec := json.NewDecoder(z)
	for {
		var e mcpsf.Event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return run{r, events}
		} else if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
}

// marker is in every string of a hostile run, to find the target's text in the page.
const marker = "zqx"

// evil are hostile names of servers, tools and files.
func evil() []string {
	return []string{
		marker + `<script>alert(1)</script>`,
		marker + `"><img src=x onerror=alert(1)>`,
		marker + `' onfocus=alert(1) autofocus='`,
		marker + "`${alert(1)}`",
		"javascript:alert('" + marker + "')",
		marker + `</script><!--<script>`,
		marker + `</style><style>*{display:none}`,
		marker + `{{.}}{{template "page"}}`,
		marker + "\u202egnp.exe\u2066\u200b\u2028\u0000\x1b[31m\xff",
		marker + `]]>&lt;b&gt;&#60;`,
		"https://" + marker + ".example/" + strings.Repeat("a/", 400),
		marker + strings.Repeat("W", 500),
	}
}

// fill sets the strings below v, one after another.
func fill(v reflect.Value, next func() string, depth int) {
	if depth > 8 {
		return
	}
	switch v.Interface().(type) {
	case json.RawMessage:
		data, _ := json.Marshal(map[string]any{next(): []string{next()}})
		v.SetBytes(data)
		return
	case time.Time:
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(next())
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(2)
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(3)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range v.Len() {
			fill(v.Index(i), next, depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), next, depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), next, depth+1)
			}
		}
	}
}

// kinds returns all kinds of events, and one that does not exist.
func kinds() []mcpsf.Kind {
	return []mcpsf.Kind{
		mcpsf.KindProcessExec, mcpsf.KindProcessFork, mcpsf.KindProcessExit, mcpsf.KindFileOpen, mcpsf.KindFileRead, mcpsf.KindFileWrite,
		mcpsf.KindFileDelete, mcpsf.KindFileRename, mcpsf.KindFileStat, mcpsf.KindNetConnect, mcpsf.KindNetDNS, mcpsf.KindNetHTTP, mcpsf.KindNetFlow,
		mcpsf.KindMCPRequest, mcpsf.KindMCPResponse, mcpsf.KindMCPStderr, mcpsf.KindMCPMalformed, mcpsf.KindMCPNotification, mcpsf.KindCanaryRead,
		mcpsf.KindCanaryLeak, mcpsf.KindEnvRead, mcpsf.KindPrivilegeAttempt, mcpsf.KindSandboxStart, mcpsf.Kind(marker + "<b>." + marker),
	}
}

// hostile is a run in which every string is hostile. Every seventh of its n
// events proves a finding.
func hostile(n int) run {
	list, i := evil(), 0
	next := func() string { i++; return list[i%len(list)] }
	r := &mcpsf.Report{}
	fill(reflect.ValueOf(r).Elem(), next, 0)
	r.Verdict.Band, r.Verdict.Score = mcpsf.BandHigh, 77
	for j := range r.Findings {
		f := &r.Findings[j]
		f.Severity, f.Evidence = mcpsf.SeverityHigh, nil
		for seq := 1; seq <= n; seq += 7 {
			f.Evidence = append(f.Evidence, int64(seq))
		}
	}
	for j := range r.Accesses {
		r.Accesses[j].Kind = mcpsf.AccessHost
	}
	return run{r, hostileEvents(n, next)}
}

func hostileEvents(n int, next func() string) []mcpsf.Event {
	var all []mcpsf.Event
	details := reflect.TypeFor[mcpsf.Event]()
	for len(all) < n {
		kind := kinds()[len(all)%len(kinds())]
		e := mcpsf.Event{Seq: int64(len(all) + 1), T: float64(len(all)) / 10, Kind: kind, Proc: next(), PID: 1 + len(all)%9, Phase: mcpsf.Phase(next())}
		for j := range details.NumField() {
			family, _, _ := strings.Cut(string(kind), ".")
			name, _, _ := strings.Cut(details.Field(j).Tag.Get("json"), ",")
			if details.Field(j).Type.Kind() == reflect.Pointer && (name == family || strings.HasSuffix(string(kind), name) || kind == kinds()[len(kinds())-1]) {
				fill(reflect.ValueOf(&e).Elem().Field(j), next, 0)
			}
		}
		if len(all)%3 > 0 {
			e.Call = fmt.Sprintf("%s%d", next(), len(all)%50)
		}
		all = append(all, e)
	}
	return all
}

// flowing is a run whose server makes a toxic flow, with hostile tool names.
func flowing(r run) run {
	copied := *r.report
	for i, name := range evil() {
		copied.Session.Tools = append(slices.Clip(copied.Session.Tools), mcpsf.Tool{Name: name})
		why := mcpsf.Explanation{By: mcpsf.ByArgument, Reason: name}
		kind, what := mcpsf.AccessHost, name
		if i%2 > 0 {
			kind, what = mcpsf.AccessRead, "/"+name
		}
		copied.Accesses = append(slices.Clip(copied.Accesses), mcpsf.Access{Kind: kind, Tool: name, Name: what, Event: int64(i), Explanation: why})
	}
	return run{&copied, r.events}
}
