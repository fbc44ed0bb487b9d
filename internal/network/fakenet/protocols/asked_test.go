package protocols

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDocumentsAsJSON(t *testing.T) {
	inner := newBSON()
	inner.text("$ne", "a\"b")
	filter := newBSON()
	filter.document("code", inner)
	doc := newBSON().text("find", "tickets").int("limit", 20).yes("open").null("x")
	doc.document("filter", filter)
	var b strings.Builder
	asJSON(&b, doc.bytes(), false, 0)
	const want = `{"find":"tickets","limit":20,"open":true,"x":null,"filter":{"code":{"$ne":"a\"b"}}}`
	if b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
	if parseDocument(doc.bytes()).json != want {
		t.Error("the command is told differently")
	}
}

func TestDeepDocumentsEnd(t *testing.T) {
	doc := newBSON()
	for range 500 {
		outer := newBSON()
		outer.document("a", doc)
		doc = outer
	}
	var b strings.Builder
	asJSON(&b, doc.bytes(), false, 0)
	if n := strings.Count(b.String(), "{"); n > nestedMax+2 || !json.Valid([]byte(b.String())) {
		t.Errorf("%d levels of %.100s", n, b.String())
	}
}

func TestSearchText(t *testing.T) {
	element := func(tag byte, parts ...string) string {
		body := strings.Join(parts, "")
		return string([]byte{tag, byte(len(body))}) + body
	}
	same := func(name, value string) string { return element(0xa3, element(4, name), element(4, value)) }
	search := func(filter string) []byte {
		limits := element(10, "\x02") + element(10, "\x00") + element(2, "\x14") + element(2, "\x05") + element(1, "\x00")
		return []byte(element(ldapSearch, element(4, "dc=x"), limits, filter, element(0x30)))
	}
	for _, tt := range []struct{ name, filter, want string }{
		{"two conditions", element(0xa0, same("cn", "ines"), element(0x87, "mc1")), "dc=x (&(cn=ines)(mc1=*))"},
		{"a value that looks like one", same("cn", "ines)(mc1=*"), `dc=x (cn=ines\29\28mc1\3d\2a)`},
		{"a part", element(0xa4, element(4, "cn"), element(0x30, element(0x80, "in"), element(0x82, "es"))), "dc=x (cn=in**es)"},
		{"nothing", "", "dc=x "},
	} {
		if got := searchText(search(tt.filter)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := searchText([]byte{ldapSearch, 0x84, 0xff, 0xff, 0xff, 0xff}); strings.Contains(got, "(") {
		t.Errorf("a lie about its length: %q", got)
	}
}
