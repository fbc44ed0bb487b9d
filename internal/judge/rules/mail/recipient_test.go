package mail

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// The forms in which mail services take recipients.
func TestRecipientsIn(t *testing.T) {
	mail := "From: me@shop.example\r\nTo: Anna <anna@shop.example>,\r\n boris@shop.example\r\nBCC: copy@stranger.example\r\nSubject: to: nobody@shop.example\r\n\r\ncc: text@shop.example"
	all := []string{"anna@shop.example", "boris@shop.example", "copy@stranger.example"}
	tests := []struct {
		name string
		http mcpsf.HTTPDetail
		want []string
	}{
		{"an object", mcpsf.HTTPDetail{Body: `{"from":"me@shop.example","to":"anna@shop.example","Bcc":["copy@stranger.example"]}`}, []string{"anna@shop.example", "copy@stranger.example"}},
		{"objects below", mcpsf.HTTPDetail{Body: `{"message":{"toRecipients":[{"emailAddress":{"address":"anna@shop.example"}}],"body":{"content":"x@y.example"}}}`}, []string{"anna@shop.example"}},
		{"after the list", mcpsf.HTTPDetail{Body: `{"to":["anna@shop.example"],"x":{"email":"x@y.example"}}`}, []string{"anna@shop.example"}},
		{"cut in the middle", mcpsf.HTTPDetail{Body: `{"Destination":{"ToAddresses":["anna@shop.example"],"BccAddresses":["copy@stranger.example"]},"Content":{"Si`}, []string{"anna@shop.example", "copy@stranger.example"}},
		{"a form", mcpsf.HTTPDetail{Body: "from=me%40shop.example&to=anna%40shop.example&subject=a+b"}, []string{"anna@shop.example"}},
		{"numbered fields", mcpsf.HTTPDetail{Body: "Action=SendEmail&Destination.BccAddresses.member.1=copy%40stranger.example"}, []string{"copy@stranger.example"}},
		{"parts", mcpsf.HTTPDetail{Body: "--x\r\nContent-Disposition: form-data; name=\"bcc\"\r\n\r\ncopy@stranger.example\r\n--x\r\nContent-Disposition: form-data; name=\"from\"\r\n\r\nme@shop.example\r\n--x--"}, []string{"copy@stranger.example"}},
		{"the address", mcpsf.HTTPDetail{URL: "https://api.example/send?cc=copy%40stranger.example"}, []string{"copy@stranger.example"}},
		{"a mail", mcpsf.HTTPDetail{Body: mail}, all},
		{"a mail in a string", mcpsf.HTTPDetail{Body: `{"mime":"` + strings.ReplaceAll(mail, "\r\n", `\r\n`) + `"}`}, all},
		{"a mail in base64", mcpsf.HTTPDetail{Body: `{"raw":"` + base64.URLEncoding.EncodeToString([]byte(mail)) + `"}`}, all},
		{"a mail in base64, cut", mcpsf.HTTPDetail{Body: `{"raw":"` + base64.RawURLEncoding.EncodeToString([]byte(mail)) + `"}`}, all},
		{"an object in a string", mcpsf.HTTPDetail{Body: `{"payload":"{\"to\":\"anna@shop.example\",\"from\":\"me@shop.example\"}"}`}, []string{"anna@shop.example"}},
		{"XML", mcpsf.HTTPDetail{Body: `<m><BccRecipients><Address>copy@stranger.example</Address></BccRecipients><From>me@shop.example</From></m>`}, []string{"copy@stranger.example"}},
		{"nobody", mcpsf.HTTPDetail{Body: `{"from":"me@shop.example","author":{"email":"me@shop.example"},"text":"to me@shop.example","tomato":"a@b.example"}`}, nil},
		{"nothing", mcpsf.HTTPDetail{}, nil},
	}
	for _, tt := range tests {
		got := Recipients(&tt.http)
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, slices.Compact(got)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func FuzzRecipientsIn(f *testing.F) {
	for _, s := range []string{`{"to":["a@b.example"]}`, `[[[`, "to=a%40b.example&bcc", "--x\r\nname=\"to\"\r\n\r\na@b.example", `{"raw":"VG86IGFAYi5leGFtcGxl"}`, "To: a@b.example\n x", `}`, `{"a":}`, strings.Repeat("[", 1000)} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, url, body string) {
		for _, a := range Recipients(&mcpsf.HTTPDetail{URL: url, Body: body}) {
			if !strings.Contains(a, "@") || strings.ContainsAny(a, " \n\x1b\"") {
				t.Errorf("%q is no address", a)
			}
		}
	})
}

// A hidden copy behind many recipients is seen.
func TestManyRecipients(t *testing.T) {
	var to []string
	for i := range 200 {
		to = append(to, `"user`+strings.Repeat("x", i%50)+string(rune('a'+i%26))+`@shop.example"`)
	}
	got := Recipients(&mcpsf.HTTPDetail{Body: `{"to":[` + strings.Join(to, ",") + `],"bcc":["copy@stranger.example"]}`})
	if !slices.Contains(got, "copy@stranger.example") {
		t.Errorf("not among the %d recipients", len(got))
	}
}
