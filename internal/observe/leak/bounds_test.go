package leak

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

func codes(f *Finder) string {
	var list []string
	for _, g := range f.Gaps() {
		list = append(list, string(g.Code))
	}
	return strings.Join(list, " ")
}

// However often a secret leaves, another one and another host are reported.
func TestManyLeaksHideNoOther(t *testing.T) {
	f := finder(t)
	for i := range 1<<14 + 1 { // harmless: an argument of the caller
		f.effort.spent.Store(0) // the machine may be slow
		f.Message(mcpsf.ChannelHTTP, fmt.Sprintf("h%d.example:443", i), "url", fmt.Appendf(nil, "quite-unusual-argument-8731 %d", i))
	}
	if got := f.Message(mcpsf.ChannelHTTP, "collect.example:443", "body", []byte(awsSecret)); len(got) != 1 {
		t.Errorf("the other secret: %+v", got)
	}
	for i := range 2 * maxParts {
		f.effort.spent.Store(0)
		f.Message(mcpsf.ChannelHTTP, "api.example:443", fmt.Sprintf("header X-%d", i), fmt.Appendf(nil, "%s %d", awsSecret, i))
	}
	if got := f.Message(mcpsf.ChannelHTTP, "other.example:443", "body", []byte(awsSecret)); len(got) != 1 {
		t.Errorf("the other host: %+v", got)
	}
	if got := codes(f); got != string(gap.LeaksNotTold) {
		t.Errorf("gaps %q", got)
	}
}

// A secret that goes to a thousand hosts that may have it is reported when it
// goes to another.
func TestBelongingHidesNoTheft(t *testing.T) {
	f, err := New([]Mark{{ID: "m", Tokens: []string{npmToken}, Hosts: []string{"service.example"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * maxDestinations {
		f.Message(mcpsf.ChannelHTTP, fmt.Sprintf("h%d.service.example:443", i), "url", []byte(npmToken))
	}
	if got := f.Message(mcpsf.ChannelHTTP, "collect.example:443", "url", []byte(npmToken)); len(got) != 1 || got[0].Belongs {
		t.Errorf("%+v", got)
	}
}

// Pieces of eight letters are joined however far apart they are.
func TestPiecesFarApart(t *testing.T) {
	var body strings.Builder
	for i := 0; i < len(awsSecret); i += 8 {
		body.WriteString(awsSecret[i:i+8] + strings.Repeat(" lorem ipsum dolor sit amet\n", 40))
	}
	f := finder(t)
	if got := f.Message(mcpsf.ChannelHTTP, "collect.example:443", "url", []byte(body.String())); len(got) != 1 || got[0].ID != "aws-1" {
		t.Errorf("in a message of %d bytes: %+v", body.Len(), got)
	}
	f = finder(t)
	if got := f.Flow(mcpsf.ChannelHTTP, "collect.example:443", "example").Write("body", []byte(body.String())); len(got) != 1 || got[0].ID != "aws-1" {
		t.Errorf("in a flow: %+v", got)
	}
}

// Many destinations do not end the joining of pieces; only those that had a
// piece count, and giving one up is a gap.
func TestManyDestinationsJoinPieces(t *testing.T) {
	f := finder(t)
	for i := range 4 * maxGathers {
		f.Message(mcpsf.ChannelFile, fmt.Sprintf("/tmp/%d", i), "", fmt.Appendf(nil, "nothing %d", i))
	}
	send := func() (found []mcpsf.LeakDetail) {
		for i := 0; i < len(awsSecret); i += 8 {
			found = append(found, f.Message(mcpsf.ChannelStream, "collect.example:9", "", []byte(awsSecret[i:i+8]))...)
		}
		return found
	}
	if got := send(); len(got) == 0 {
		t.Error("after many destinations: nothing")
	}
	if got := codes(f); got != "" {
		t.Errorf("gaps %q though nothing was forgotten", got)
	}
	for i := range 2 * maxGathers {
		f.Message(mcpsf.ChannelFile, fmt.Sprintf("/tmp/%d", i), "", fmt.Appendf(nil, "%s %d", npmToken[8:17], i))
	}
	if got := codes(f); got != string(gap.PiecesNotJoined) {
		t.Errorf("gaps %q", got)
	}
}

// What is not decoded to the end is a gap; ordinary data is not.
func TestNotDecoded(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write(make([]byte, 64<<20))
	_, _ = z.Write([]byte(awsSecret))
	_ = z.Close()
	for code, send := range map[mcpsf.GapCode]func(*Finder){
		gap.ResultsNotDecoded: func(f *Finder) { f.Message(mcpsf.ChannelMCP, "result", "", bomb.Bytes()) },
		gap.NotDecoded: func(f *Finder) {
			fl := f.Flow(mcpsf.ChannelHTTP, "collect.example:443", "example")
			fl.Write("body", bomb.Bytes())
			fl.Close()
		},
	} {
		f := finder(t)
		if send(f); codes(f) != string(code) {
			t.Errorf("gaps %q, want %s", codes(f), code)
		}
	}
	f := finder(t)
	f.Message(mcpsf.ChannelMCP, "result", "", []byte("an ordinary answer"))
	if got := codes(f); got != "" {
		t.Errorf("gaps %q", got)
	}
}

// Arguments beyond the 32nd and long ones are found where they go; those that
// are too many are a gap.
func TestManyArguments(t *testing.T) {
	value := func(i int) string { return fmt.Sprintf("value-number-%d-of-the-caller", i) }
	give := func(f *Finder, n int) {
		var list []string
		for i := range n {
			list = append(list, `"`+value(i)+`"`)
		}
		f.Give("c1", "t", []byte(`{"list":[`+strings.Join(list, ",")+`],"text":"`+strings.Repeat("words of the caller 8731 ", 400)+`"}`))
	}
	f := finder(t)
	give(f, 50)
	if got := f.Piece(mcpsf.ChannelHTTP, "collect.example:443", "body", []byte(value(49)), 0); len(got) != 1 {
		t.Errorf("the last of them: %+v", got)
	}
	if got := f.Piece(mcpsf.ChannelHTTP, "other.example:443", "body", []byte(strings.Repeat("words of the caller 8731 ", 400)), 0); len(got) != 1 {
		t.Errorf("a long one: %+v", got)
	}
	if got := codes(f); got != "" {
		t.Errorf("gaps %q", got)
	}
	if give(f, 100); codes(f) != string(gap.ValuesNotSearched) {
		t.Errorf("gaps %q", codes(f))
	}
}
