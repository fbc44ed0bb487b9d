package leak

import (
	"encoding/base32"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf"
)

const (
	awsSecret = "wJalrK7MDENGbPxRfiCYzEXAMPLEK3Yq8vT2nLd0"
	npmToken  = "npm_9fQ2xLrT7vWb4KjH8sYd3ZcG6mPnE1uAaRo5"
)

func finder(t *testing.T) *Finder {
	t.Helper()
	f, err := New(append(Decoys([]mcpsf.Decoy{
		{ID: "aws-1", Kind: "aws-credentials", Path: "/home/dev/.aws/credentials", Tokens: []string{awsSecret, "short"}},
		{ID: "npm-1", Kind: "npmrc", Path: "/home/dev/.npmrc", Tokens: []string{npmToken}},
	}), Mark{ID: "c3", Kind: "argument", Source: "tools/call echo", Given: true, Tokens: []string{"quite-unusual-argument-8731"}}))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWhatLeftAndWhere(t *testing.T) {
	f := finder(t)
	got := f.Message(mcpsf.ChannelMCP, "result of echo", "", []byte(`{"text":"quite-unusual-argument-8731 and `+base64.StdEncoding.EncodeToString([]byte(npmToken))+`"}`))
	want := []mcpsf.LeakDetail{
		{ID: "c3", Kind: "argument", Source: "tools/call echo", Given: true, Channel: "mcp", Destination: "result of echo", Share: 1},
		{ID: "npm-1", Kind: "npmrc", Source: "/home/dev/.npmrc", Channel: "mcp", Destination: "result of echo", Chain: []string{"base64"}, Share: 1},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(mcpsf.LeakDetail{}, "Excerpt", "Via"), cmpopts.EquateEmpty(),
		cmpopts.SortSlices(func(a, b mcpsf.LeakDetail) bool { return a.ID < b.ID })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := f.Message(mcpsf.ChannelMCP, "result of add", "", []byte(`{"text":"an ordinary answer, 42"}`)); got != nil {
		t.Errorf("found %v in nothing", got)
	}
}

// The labels of DNS names are reassembled in any order.
func TestNamesInPieces(t *testing.T) {
	f := finder(t)
	encoded := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString([]byte(awsSecret)))
	var found []mcpsf.LeakDetail
	for i := 0; i < len(encoded); i += 24 {
		name := encoded[i:min(i+24, len(encoded))] + ".t.collect.example"
		found = append(found, f.Piece(mcpsf.ChannelDNS, "collect.example", "name", []byte(name), int64(i))...)
	}
	if len(found) == 0 || found[0].ID != "aws-1" || found[0].Destination != "collect.example" {
		t.Errorf("found %+v", found)
	}
}

func TestFlowOverWrites(t *testing.T) {
	f := finder(t)
	fl := f.Flow(mcpsf.ChannelHTTP, "collect.example:443", "example")
	var found []mcpsf.LeakDetail
	body := "a=1&key=" + awsSecret + "&z=2"
	for i := range len(body) {
		found = append(found, fl.Write("body", []byte(body[i:i+1]))...)
	}
	found = append(found, fl.Write("header Authorization", []byte("Bearer "+npmToken))...)
	found = append(found, fl.Close()...)
	ids := map[string]string{}
	for _, l := range found {
		ids[l.ID] = l.Part
	}
	if diff := cmp.Diff(map[string]string{"aws-1": "body", "npm-1": "header Authorization"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server that sends the same secret without end does not fill the report.
func TestRepeatsEnd(t *testing.T) {
	f := finder(t)
	n := 0
	for i := range 100 {
		n += len(f.Message(mcpsf.ChannelStderr, "stderr", "", []byte(awsSecret+" for the time "+strings.Repeat("i", i%20)+strings.Repeat("v", i/20))))
	}
	if n != maxTold {
		t.Errorf("told %d times, want %d", n, maxTold)
	}
}

// A caller's value is distinguished from a stolen one, and reported only if it
// leaves the machine.
func TestHandedOn(t *testing.T) {
	f := finder(t)
	f.Give("c7", "translate", []byte(`{"text":"a sentence of the caller's own","deep":[{"id":"5f3a9b7c21"}],"n":5,"short":"abc"}`))
	got := f.Piece(mcpsf.ChannelHTTP, "api.example:443", "body", []byte(`{"q":"a sentence of the caller's own","k":"`+awsSecret+`"}`), 0)
	want := []mcpsf.LeakDetail{
		{ID: "aws-1", Kind: "aws-credentials", Source: "/home/dev/.aws/credentials", Channel: "http", Destination: "api.example:443", Part: "body", Share: 1},
		{ID: "c7", Kind: "argument", Source: "arguments of translate", Given: true, Channel: "http", Destination: "api.example:443", Part: "body", Share: 1},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(mcpsf.LeakDetail{}, "Excerpt", "Via"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := f.Message(mcpsf.ChannelMCP, "answer", "", []byte(`"a sentence of the caller's own"`)); got != nil {
		t.Errorf("an echo is told: %v", got)
	}
	// A repeated value belongs to the later call, and old calls are forgotten.
	f.Give("c8", "translate", []byte(`{"text":"a sentence of the caller's own"}`))
	fl := f.Flow(mcpsf.ChannelStream, "api.example:9000", "example")
	if got := fl.Write("", []byte("x a sentence of the caller's own x")); len(got) != 1 || got[0].ID != "c8" {
		t.Errorf("found %+v", got)
	}
	for i := range 2 * maxGiven {
		f.Give("later", "t", []byte(`{"v":"value number `+strings.Repeat("i", i)+` of many"}`))
	}
	if got := fl.Write("", []byte("x a sentence of the caller's own x")); got != nil {
		t.Errorf("found %+v of a call long ago", got)
	}
	f.Give("bad", "t", []byte(`{"cut`))
}

func TestBelongs(t *testing.T) {
	f, err := New([]Mark{{ID: "m", Kind: "k", Source: "s", Configured: true, Tokens: []string{npmToken}, Hosts: []string{"service.example"}}})
	if err != nil {
		t.Fatal(err)
	}
	for destination, want := range map[string]bool{
		"service.example:443": true, "api.service.example:8443": true, "service.example": true,
		"notservice.example:443": false, "service.example.collect.test:443": false, "192.0.2.4:443": false, "[2001:db8::1]:443": false,
	} {
		got := f.Message(mcpsf.ChannelHTTP, destination, "url", []byte(npmToken))
		if len(got) != 1 || got[0].Belongs != want || !got[0].Configured {
			t.Errorf("%s: %+v", destination, got)
		}
	}
}

// A secret that an agent was tricked into giving the server was not stolen by
// the server: it counts as an argument.
func TestGivenIsNotTaken(t *testing.T) {
	f := finder(t)
	f.Give("c9", "add", []byte(`{"note":"a = 1\nsecret = `+awsSecret+`\n"}`))
	if got := f.Message(mcpsf.ChannelMCP, "result of add", "", []byte("you said "+awsSecret)); len(got) != 0 {
		t.Errorf("what was given came back, and was told as a leak: %+v", got)
	}
	if got := f.Message(mcpsf.ChannelMCP, "result of add", "", []byte("and this is "+npmToken)); len(got) != 1 || got[0].ID != "npm-1" {
		t.Errorf("what was not given: %+v, want npm-1", got)
	}
	if got := f.Piece(mcpsf.ChannelHTTP, "collect.example", "body", []byte("x=a = 1\nsecret = "+awsSecret+"\n"), 1); len(got) != 1 || !got[0].Given || got[0].ID != "c9" {
		t.Errorf("what was given and left: %+v, want the argument of c9", got)
	}
}

// The same holds for the client's answers; the client's own secrets stay
// marked.
func TestAnswerIsNotTaken(t *testing.T) {
	f, err := New([]Mark{
		{ID: "file", Kind: "k", Source: "s", Tokens: []string{npmToken}},
		{ID: "spoken", Kind: "model-answer", Source: "what the model said", Given: true, Tokens: []string{awsSecret}},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Answer([]byte(`{"content":{"type":"text","text":"here: ` + npmToken + ` and ` + awsSecret + `"}}`))
	f.Answer([]byte(`{"cut`))
	if got := f.Message(mcpsf.ChannelMCP, "result of sum", "", []byte("it said "+npmToken)); len(got) != 0 {
		t.Errorf("what was answered came back, and was told as a leak: %+v", got)
	}
	if got := f.Message(mcpsf.ChannelMCP, "result of sum", "", []byte("it said "+awsSecret)); len(got) != 1 || got[0].ID != "spoken" {
		t.Errorf("what the model said: %+v, want spoken", got)
	}
}

// What the user filled into a form is the user's, and a secret that was typed has a
// mark of its own.
func TestFilled(t *testing.T) {
	f, err := New([]Mark{{ID: "typed", Kind: "typed-secret", Source: "the password that was typed", Given: true, Tokens: []string{npmToken}}})
	if err != nil {
		t.Fatal(err)
	}
	f.Fill([]byte(`{"street":"17 Harbour Street, Trieste","password":"` + npmToken + `","n":5}`))
	f.Fill([]byte(`{"cut`))
	got := f.Piece(mcpsf.ChannelHTTP, "collect.example:443", "body", []byte("a=17 Harbour Street, Trieste&b="+npmToken), 1)
	if len(got) != 2 || got[0].ID != "typed" || got[1].ID != "form-1" || got[1].Kind != KindForm || !got[1].Given {
		t.Errorf("%+v", got)
	}
	if got := f.Message(mcpsf.ChannelMCP, "answer", "", []byte(`"17 Harbour Street, Trieste"`)); got != nil {
		t.Errorf("an echo is told: %+v", got)
	}
}

// What nobody can read is measured; a secret that is recognised is not.
func TestOpaque(t *testing.T) {
	const secret = "ghp_x7Qw93LmZk20VbNc81TyRe45UiOp67AsDf12"
	f, err := New([]Mark{{ID: "var-1", Kind: "environment-variable", Tokens: []string{secret}}})
	if err != nil {
		t.Fatal(err)
	}
	fl := f.Flow(mcpsf.ChannelHTTP, "api.example:443", "example")
	fl.Write("header Authorization", []byte("Bearer "+secret))
	if d := fl.Opaque(); d != nil {
		t.Errorf("a recognised secret: %+v", d)
	}
	fl.Write("body", []byte(`{"state":"9Xk2fQ81LmZpV0rTnY7cWb3HsJd5GaUeKi4oRxPq6MzBt1NvCy8lShFwEj0DgAuI"}`))
	if d := fl.Opaque(); d == nil || d.Bytes < 40 || d.Part != "body" {
		t.Errorf("random letters: %+v", d)
	}
	f.Heard([]byte(`{"cursor":"Zq81LmZpV0rTnY7cWb3HsJd5GaUeKi4oRx99"}`))
	if d := f.Opaque("example", "url", []byte("https://api.example/next?c=Zq81LmZpV0rTnY7cWb3HsJd5GaUeKi4oRx99")); d != nil {
		t.Errorf("what a host answered: %+v", d)
	}
}
