package s3

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Documents that are no documents, or are made to grow, are refused in little time.
func TestHostileXML(t *testing.T) {
	bomb := "<!DOCTYPE l [<!ENTITY a0 \"lol\">"
	for i := range 20 {
		bomb += fmt.Sprintf("<!ENTITY a%d \"%s\">", i+1, strings.Repeat(fmt.Sprintf("&a%d;", i), 10))
	}
	c := newClient()
	for name, body := range map[string]string{
		"empty": "", "no XML": "Key=x", "not ended": "<Delete><Object><Key>a", "two": "<Delete/><Delete/>",
		"entities": bomb + "]><Delete><Object><Key>&a20;</Key></Object></Delete>",
		"files":    `<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]><Delete><Object><Key>&f;</Key></Object></Delete>`,
		"depth":    strings.Repeat("<a>", 100_000) + strings.Repeat("</a>", 100_000),
		"width":    "<Delete>" + strings.Repeat("<Object/>", 60_000) + "</Delete>",
		"comments": "<Delete><Object><Key>" + strings.Repeat("a<!---->", 120_000) + "</Key></Object></Delete>",
		"length":   "<Delete><Object><Key>" + strings.Repeat("a", 2<<20) + "</Key></Object></Delete>",
		"many":     "<Delete>" + strings.Repeat("<Object><Key>a</Key></Object>", 1001) + "</Delete>",
		"charset":  `<?xml version="1.0" encoding="utf-7"?><Delete><Object><Key>a</Key></Object></Delete>`,
	} {
		start := time.Now()
		if a := c.ask("POST /app-exports?delete", body); a.Fault != "MalformedXML" || len(a.Body) > 1000 {
			t.Errorf("%s: %d %.300s", name, a.Status, a.Body)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

func TestRemoveAll(t *testing.T) {
	c := newClient()
	ask := func(quiet string) string {
		return string(c.ask("POST /app-exports?delete", `<Delete xmlns="`+namespace+`"><Object><Key>logs/2024-04-22.log</Key></Object><Object><Key>../&#x2e;&lt;</Key></Object><Object><Key/></Object>`+
			`<Object><Key>v</Key><VersionId>9</VersionId></Object>`+quiet+"</Delete>").Body)
	}
	got := ask("")
	for _, want := range []string{"<Deleted><Key>logs/2024-04-22.log</Key></Deleted>", "<Deleted><Key>../.&lt;</Key></Deleted>", "<Code>InvalidArgument</Code>", "<Code>NoSuchVersion</Code>"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if got := ask("<Quiet>true</Quiet>"); strings.Contains(got, "<Deleted>") || !strings.Contains(got, "<Error>") {
		t.Error(got)
	}
	if c.ask("GET /app-exports/logs/2024-04-22.log", "").Fault != "NoSuchKey" {
		t.Error("it is still there")
	}
}

func TestForm(t *testing.T) {
	form := func(parts ...string) string {
		var b strings.Builder
		for i := 0; i < len(parts); i += 2 {
			b.WriteString("--x\r\nContent-Disposition: form-data; name=\"" + parts[i] + "\"; filename=\"../f.txt\"\r\n\r\n" + parts[i+1] + "\r\n")
		}
		return b.String() + "--x--\r\n"
	}
	many := []string{"key", "k"}
	for range 200 {
		many = append(many, "a", "b")
	}
	for name, tt := range map[string]struct{ body, fault string }{
		"good":     {form("key", "up/${filename}", "Content-Type", "text/x", "x-amz-meta-a", "b", "tagging", "<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>", "success_action_status", "201", "file", "content"), ""},
		"no key":   {form("file", "content"), "InvalidArgument"},
		"no file":  {form("key", "k"), "MalformedPOSTRequest"},
		"no form":  {"content", "MalformedPOSTRequest"},
		"many":     {form(many...), "MalformedPOSTRequest"},
		"long":     {form("key", strings.Repeat("k", 30_000), "file", "content"), "MalformedPOSTRequest"},
		"long key": {form("key", strings.Repeat("k", 3_000), "file", "content"), "KeyTooLongError"},
		"bad tags": {form("key", "k", "tagging", "<a", "file", "content"), "MalformedXML"},
	} {
		c := newClient()
		if a := c.ask("POST /app-exports", tt.body, "Content-Type: multipart/form-data; boundary=x"); a.Fault != tt.fault {
			t.Errorf("%s: %+v", name, a)
		} else if tt.fault == "" {
			if got := c.ask("GET /app-exports/up/f.txt", ""); string(got.Body) != "content" || got.header("Content-Type") != "text/x" || got.header("x-amz-meta-a") != "b" || a.Status != 201 {
				t.Errorf("%s: %+v, %+v", name, a, got)
			}
		}
	}
}

func TestSettings(t *testing.T) {
	c := newClient()
	for name, usual := range tables().Settings {
		a := c.ask("GET /app-exports?"+name, "")
		if strings.HasPrefix(usual, "<") != (a.Status == 200) || a.Fault != "" && a.Fault != usual {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
		if e, err := parse(a.Body); err != nil || strings.HasPrefix(usual, "<") && !strings.HasPrefix(usual, "<"+e.name) {
			t.Errorf("%s: %v in %s", name, err, a.Body)
		}
	}
	for name, value := range map[string]string{"policy": `{"Statement":[]}`, "cors": "<CORSConfiguration><CORSRule/></CORSConfiguration>"} {
		c.ask("PUT /app-exports?"+name, value)
		if a := c.ask("GET /app-exports?"+name, ""); string(a.Body) != value {
			t.Errorf("%s: %s", name, a.Body)
		}
		c.ask("DELETE /app-exports?"+name, "")
		if a := c.ask("GET /app-exports?"+name, ""); a.Status != 404 {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("<Delete><Object><Key>a</Key></Object><Quiet>true</Quiet></Delete>"))
	f.Add([]byte("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;<![CDATA[x]]></a>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := parse(data)
		if err == nil && (e == nil || e.get("x") != "" && len(e.all("x")) == 0) {
			t.Errorf("%+v", e)
		}
	})
}

func FuzzReply(f *testing.F) {
	f.Add("GET /app-exports?list-type=2&prefix=l&delimiter=/&max-keys=1", "", "Range: bytes=0-")
	f.Add("PUT /app-exports/a%2f..?partNumber=1&uploadId=upload-000001", "x", "x-amz-copy-source: app-exports/logs/2024-04-22.log")
	f.Add("POST /app-exports?delete", "<Delete><Object><Key>a</Key></Object></Delete>", "Content-MD5: x")
	f.Add("POST /app-exports", "--x\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nk\r\n--x--", "Content-Type: multipart/form-data; boundary=x")
	f.Fuzz(func(t *testing.T, line, body, header string) {
		c := newClient()
		c.ask("POST /app-exports/k?uploads", "")
		if a := c.ask(line, body, header); a != nil {
			for _, field := range a.Fields {
				if strings.ContainsAny(field.Value, "\r\n") {
					t.Errorf("%+v", field)
				}
			}
		}
	})
}
