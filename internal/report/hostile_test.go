package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/terminal"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// pwn is what a hostile server would like to print: a new window title, reversed
// text, a new line, C1, zero width, a tag character, DEL, invalid UTF-8.
const pwn = "\x1b]0;pwn\a\u202e\n\r\u009b31m\u200b\U000e0041\x7f\xff\x9b"

var rawMessage = reflect.TypeFor[json.RawMessage]()

// fill sets every string below v to pwn and gives every slice and pointer one
// element.
func fill(v reflect.Value, depth int) {
	if depth > 8 {
		return
	}
	if v.Type() == rawMessage {
		// A body as the decoder leaves it: the string is valid JSON with the
		// hidden characters unescaped.
		v.SetBytes([]byte("{\"k\u202e\":[\"\u009b\u200b\x7f\xff\"]}"))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(pwn)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), depth+1)
			}
		}
	}
}

// hostileEvents has every kind of event, once with one detail set and once with
// all of them.
func hostileEvents() []mcpsf.Event {
	var all []mcpsf.Event
	kinds := []mcpsf.Kind{
		pwn, mcpsf.KindProcessExec, mcpsf.KindProcessFork, mcpsf.KindProcessExit,
		mcpsf.KindFileOpen, mcpsf.KindFileChmod, mcpsf.KindFileRename, mcpsf.KindNetConnect,
		mcpsf.KindMCPRequest, mcpsf.KindMCPResponse, mcpsf.KindMCPStderr, mcpsf.KindMCPMalformed,
		mcpsf.KindCanaryRead, mcpsf.KindPrivilegeAttempt, mcpsf.KindProbeSandbox,
		mcpsf.KindLimitHit, mcpsf.KindSandboxError,
	}
	details := reflect.TypeFor[mcpsf.Event]()
	for _, kind := range kinds {
		for i := range details.NumField() {
			if details.Field(i).Type.Kind() != reflect.Pointer {
				continue
			}
			var e mcpsf.Event
			v := reflect.ValueOf(&e).Elem()
			fill(v.Field(i), 0)
			e.Kind, e.Proc, e.PID, e.Phase = kind, pwn, 7, mcpsf.Phase(pwn)
			e.Call = fmt.Sprintf("%s%d", pwn, len(all)%5)
			if e.MCP != nil && len(all)%2 == 0 {
				e.MCP.Method, e.MCP.Tool = "", ""
				e.MCP.Body, _ = json.Marshal(pwn)
			}
			all = append(all, e)
		}
		var e mcpsf.Event
		fill(reflect.ValueOf(&e).Elem(), 0)
		e.Kind = kind
		all = append(all, e)
	}
	for i := range all {
		all[i].Seq = int64(i + 1)
	}
	return all
}

func hostileReport() *mcpsf.Report {
	var r mcpsf.Report
	fill(reflect.ValueOf(&r).Elem(), 0)
	return &r
}

// raw returns the first character of out that must not be there.
func raw(out string) string {
	for i := 0; i < len(out); {
		r, size := utf8.DecodeRuneInString(out[i:])
		if r == utf8.RuneError && size == 1 || r != '\n' && safetext.Hidden(r) {
			return fmt.Sprintf("%q in %q", out[i:i+size], out[max(0, i-20):min(len(out), i+20)])
		}
		i += size
	}
	return ""
}

func TestNothingHostileReachesTheOutput(t *testing.T) {
	evidence := hostileReport()
	for _, e := range hostileEvents() {
		evidence.Findings[0].Evidence = append(evidence.Findings[0].Evidence, e.Seq)
	}
	inverted := hostileReport()
	inverted.Session.Initialized, inverted.Coverage.Events.Complete = true, true
	inverted.Verdict.Band = mcpsf.BandPass
	inverted.Summary = ""
	for name, r := range map[string]*mcpsf.Report{"plain": hostileReport(), "evidence": evidence, "inverted": inverted} {
		for _, f := range All() {
			for _, s := range []Style{{}, {Unicode: true}, {Unicode: true, Width: 40}, {Width: 200, Dir: pwn}} {
				t.Run(fmt.Sprintf("%s/%s/%+v", name, f, s), func(t *testing.T) {
					var buf bytes.Buffer
					if err := Write(&buf, f, r, hostileEvents(), s); err != nil {
						t.Fatal(err)
					}
					if found := raw(buf.String()); found != "" {
						t.Errorf("raw %s", found)
					}
					if !strings.Contains(buf.String(), "pwn") {
						t.Error("the hostile text was dropped rather than escaped")
					}
					if f == FormatTimeline && s.Width <= terminal.MaxWidth {
						check(t, buf.String(), Style{Unicode: s.Unicode, Width: max(s.Width, terminal.MinWidth, (1-min(s.Width, 1))*terminal.DefaultWidth)})
					}
				})
			}
		}
	}
}

// With colour the output contains our own escapes. Hostile escapes must not be
// mistaken for ours, so the text must be the same as without colour.
func TestHostileTextInColor(t *testing.T) {
	var plain, colored bytes.Buffer
	for buf, c := range map[*bytes.Buffer]bool{&plain: false, &colored: true} {
		if err := Write(buf, FormatTimeline, hostileReport(), hostileEvents(), Style{Unicode: true, Color: c}); err != nil {
			t.Fatal(err)
		}
	}
	var rest strings.Builder
	out := colored.String()
	for {
		before, after, found := strings.Cut(out, "\x1b[")
		rest.WriteString(before)
		if !found {
			break
		}
		parameters, tail, _ := strings.Cut(after, "m")
		if strings.Trim(parameters, "0123456789;") != "" {
			t.Fatalf("an escape that sets no colour: %q", parameters)
		}
		out = tail
	}
	trim := func(s string) string {
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		return strings.Join(lines, "\n")
	}
	if trim(rest.String()) != trim(plain.String()) {
		t.Error("colour changes more than colour")
	}
}

func TestSaveIsCleanAndValid(t *testing.T) {
	dir := t.TempDir()
	if err := Save(dir, hostileReport()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	if found := raw(string(data)); found != "" {
		t.Errorf("raw %s", found)
	}
	var back mcpsf.Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	want := strings.ToValidUTF8(pwn[:len(pwn)-2], "") + "\ufffd\ufffd"
	if back.Summary != want {
		t.Errorf("summary came back as %q, want %q", back.Summary, want)
	}
}

// Events without the detail of their kind must not crash the report.
func TestEventsWithoutDetail(t *testing.T) {
	var all []mcpsf.Event
	for _, e := range hostileEvents() {
		all = append(all, mcpsf.Event{Seq: e.Seq, Kind: e.Kind, Call: "c1"}, mcpsf.Event{Kind: e.Kind})
	}
	var buf bytes.Buffer
	if err := Write(&buf, FormatTimeline, &mcpsf.Report{}, all, Style{}); err != nil {
		t.Fatal(err)
	}
}

// Very many events must not fill the screen or the memory.
func TestFloodIsFolded(t *testing.T) {
	var all []mcpsf.Event
	r := &mcpsf.Report{}
	for i := range 20_000 {
		all = append(all, mcpsf.Event{
			Seq: int64(i + 1), Kind: mcpsf.KindNetConnect, Call: fmt.Sprintf("c%d", i%500), Phase: mcpsf.PhaseDrive,
			Net: &mcpsf.NetDetail{Family: "ip4", Address: fmt.Sprintf("192.0.2.%d", i%251), Port: i},
		})
		r.Findings = append(r.Findings, mcpsf.Finding{Title: "x", Severity: mcpsf.SeverityInfo})
		r.Coverage.Gaps = append(r.Coverage.Gaps, mcpsf.Gap{Text: "x"})
		r.Recommendations = append(r.Recommendations, strings.Repeat("x ", 1<<10))
	}
	var buf bytes.Buffer
	if err := Write(&buf, FormatTimeline, r, all, Style{}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(buf.String(), "\n"); lines > 600 {
		t.Errorf("%d lines for one run", lines)
	}
}

// Deep nesting by a target must not multiply the size by indentation.
func TestDeepNestingStaysSmall(t *testing.T) {
	const depth = 5000
	deep := json.RawMessage(strings.Repeat("[", depth) + strings.Repeat("]", depth))
	r := &mcpsf.Report{Session: mcpsf.Session{Tools: []mcpsf.Tool{{Name: "t", InputSchema: deep}}}}
	var buf bytes.Buffer
	if err := Write(&buf, FormatJSON, r, nil, Style{}); err != nil {
		t.Fatal(err)
	}
	if buf.Len() > 4*depth {
		t.Errorf("%d bytes for %d brackets", buf.Len(), 2*depth)
	}
	if !json.Valid(buf.Bytes()) {
		t.Error("not valid JSON any more")
	}
}
