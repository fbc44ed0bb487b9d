package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

func TestGenerate(t *testing.T) {
	const text = "The quick brown fox jumps over the lazy dog."
	tests := map[string]struct{ schema, want string }{
		"missing":            {``, `{}`},
		"null":               {`null`, `{}`},
		"true":               {`true`, `{}`},
		"empty":              {`{}`, `{}`},
		"no properties":      {`{"type":"object"}`, `{}`},
		"path":               {props(`"path":{"type":"string"}`), `{"path":"` + mcpsf.WorkDir + `/README.md"}`},
		"path of directory":  {props(`"path":{"type":"string","description":"The directory to list"}`), `{"path":"` + mcpsf.WorkDir + `"}`},
		"camel case":         {props(`"repoPath":{"type":"string"}`), `{"repoPath":"` + mcpsf.WorkDir + `"}`},
		"output":             {props(`"output_file":{"type":"string"}`), `{"output_file":"` + mcpsf.WorkDir + `/output.txt"}`},
		"described":          {props(`"x":{"type":"string","description":"URL to fetch"}`), `{"x":"https://www.example.com/"}`},
		"text":               {props(`"text":{"type":"string"}`), `{"text":"` + text + `"}`},
		"not understood":     {props(`"zzz":{"type":"string"}`), `{"zzz":"example"}`},
		"untyped":            {props(`"zzz":{}`), `{"zzz":"example"}`},
		"optional left out":  {`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"},"path":{"type":"string"}}}`, `{"a":1}`},
		"only tuning":        {`{"type":"object","properties":{"limit":{"type":"integer"},"cursor":{"type":"string"},"b":{"type":"object"}}}`, `{}`},
		"nothing required":   {`{"type":"object","properties":{"verbose":{"type":"boolean"},"note":{"type":"string"},"path":{"type":"string"}}}`, `{"path":"` + mcpsf.WorkDir + `/README.md"}`},
		"all in one object":  {`{"type":"object","properties":{"params":{"type":"object","properties":{"url":{"type":"string"}}}}}`, `{"params":{"url":"https://www.example.com/"}}`},
		"type list":          {props(`"a":{"type":["null","integer"]}`), `{"a":1}`},
		"only null":          {props(`"a":{"type":"null"}`), `{"a":null}`},
		"enum":               {props(`"a":{"enum":["red","blue"]}`), `{"a":"red"}`},
		"const":              {props(`"a":{"const":{"k":[1]}}`), `{"a":{"k":[1]}}`},
		"default":            {props(`"a":{"type":"integer","default":7}`), `{"a":7}`},
		"invalid default":    {props(`"a":{"type":"integer","default":"x"}`), `{"a":1}`},
		"examples":           {props(`"zzz":{"type":"string","examples":["one","two"]}`), `{"zzz":"one"}`},
		"minimum":            {props(`"a":{"type":"integer","minimum":5}`), `{"a":5}`},
		"maximum":            {props(`"a":{"type":"integer","maximum":-5}`), `{"a":-5}`},
		"exclusive integer":  {props(`"a":{"type":"integer","exclusiveMinimum":5,"exclusiveMaximum":7}`), `{"a":6}`},
		"exclusive number":   {props(`"a":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`), `{"a":0.5}`},
		"exclusive one side": {props(`"a":{"type":"number","exclusiveMinimum":1,"maximum":1.5}`), `{"a":1.25}`},
		"draft-04 exclusive": {`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":5,"exclusiveMinimum":true}}}`, `{"a":6}`},
		"fractional bounds":  {props(`"a":{"type":"integer","minimum":1.5,"maximum":2.5}`), `{"a":2}`},
		"multiple":           {props(`"a":{"type":"integer","minimum":11,"multipleOf":5}`), `{"a":15}`},
		"fraction multiple":  {props(`"a":{"type":"number","multipleOf":0.1,"minimum":0.25,"maximum":0.5}`), `{"a":0.5}`},
		"exact product":      {props(`"a":{"type":"number","multipleOf":0.1,"minimum":0.25,"maximum":0.35}`), `{"a":0.3}`},
		"length":             {props(`"name":{"type":"string","minLength":3,"maxLength":4}`), `{"name":"exam"}`},
		"long":               {props(`"name":{"type":"string","minLength":10}`), `{"name":"exampleaaa"}`},
		"pattern":            {props(`"a":{"type":"string","pattern":"^[A-Z]{2}-\\d{3}$"}`), `{"a":"AA-111"}`},
		"pattern and length": {props(`"a":{"type":"string","pattern":"^[a-z]+$","minLength":12}`), `{"a":"aaaaaaaaaaaa"}`},
		"pattern of none":    {props(`"a":{"type":"string","pattern":"^(ab)*$","maxLength":1}`), `{"a":""}`},
		"pattern alternate":  {props(`"a":{"type":"string","pattern":"^(foo|bar)$"}`), `{"a":"foo"}`},
		"pattern of path":    {props(`"path":{"type":"string","pattern":"^/"}`), `{"path":"` + mcpsf.WorkDir + `/README.md"}`},
		"date":               {props(`"a":{"type":"string","format":"date"}`), `{"a":"2024-05-17"}`},
		"ipv4":               {props(`"a":{"type":"string","format":"ipv4"}`), `{"a":"192.0.2.10"}`},
		"email":              {props(`"a":{"type":"string","format":"email"}`), `{"a":"alex@example.com"}`},
		"items":              {props(`"a":{"type":"array","items":{"type":"integer"},"minItems":2}`), `{"a":[1,2]}`},
		"prefix items":       {props(`"a":{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}]}`), `{"a":[1,false]}`},
		"draft-07 tuple":     {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["a"],"properties":{"a":{"type":"array","items":[{"type":"integer"},{"type":"null"}]}}}`, `{"a":[1,null]}`},
		"unique":             {props(`"a":{"type":"array","items":{"enum":["x","y","z"]},"minItems":3,"uniqueItems":true}`), `{"a":["x","y","z"]}`},
		"no items allowed":   {props(`"a":{"type":"array","maxItems":0}`), `{"a":[]}`},
		"contains":           {props(`"a":{"type":"array","contains":{"const":4}}`), `{"a":[4]}`},
		"all of":             {props(`"a":{"allOf":[{"type":"integer","minimum":3},{"maximum":4,"multipleOf":4}]}`), `{"a":4}`},
		"any of null":        {props(`"a":{"anyOf":[{"type":"null"},{"type":"integer"}]}`), `{"a":1}`},
		"one of objects":     {`{"type":"object","oneOf":[{"required":["a"],"properties":{"a":{"const":1}}},{"required":["b"]}]}`, `{"a":1}`},
		"ref":                {`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/x~1y"}},"$defs":{"x/y":{"type":"integer","minimum":9}}}`, `{"a":9}`},
		"draft-07 ref":       {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["a"],"properties":{"a":{"$ref":"#/definitions/n"}},"definitions":{"n":{"type":"integer"}}}`, `{"a":1}`},
		"recursive optional": {`{"type":"object","properties":{"next":{"$ref":"#"},"n":{"type":"integer"}},"required":["n"]}`, `{"n":1}`},
		"required unlisted":  {`{"type":"object","required":["query"]}`, `{"query":"hello"}`},
		"false property":     {`{"type":"object","properties":{"a":false}}`, `{}`},
		"condition":          {`{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"],"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["v"],"properties":{"v":{"const":3}}}}`, `{"k":"a","v":3}`},
		"dependent":          {`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}},"dependentRequired":{"a":["id"]}}`, `{"a":1,"id":"1"}`},
		"dependent schema":   {`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}},"dependentSchemas":{"a":{"required":["b"],"properties":{"b":{"const":2}}}}}`, `{"a":1,"b":2}`},
		"old dependencies":   {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["a"],"properties":{"a":{"type":"integer"}},"dependencies":{"a":{"required":["b"],"properties":{"b":{"const":2}}}}}`, `{"a":1,"b":2}`},
		"min properties":     {`{"type":"object","minProperties":1,"additionalProperties":{"type":"integer"}}`, `{"extraaa":1}`},
		"max properties":     {`{"type":"object","maxProperties":0,"properties":{"path":{"type":"string"}}}`, `{}`},
		"else":               {`{"type":"object","required":["k"],"properties":{"k":{"const":"z"}},"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["t"]},"else":{"required":["e"],"properties":{"e":{"type":"boolean"}}}}`, `{"e":true,"k":"z"}`},
		"chain of ifs":       {`{"type":"object","required":["k"],"additionalProperties":false,"properties":{"k":{"enum":["a","b"]},"x":{"type":"integer"},"y":{"type":"integer"}},"allOf":[{"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"]}},{"if":{"properties":{"k":{"const":"b"}}},"then":{"required":["y"]}}]}`, `{"k":"a","x":0}`},
		"then narrows":       {`{"type":"object","required":["k","v"],"properties":{"k":{"const":1},"v":{"type":"integer"}},"if":{"required":["k"]},"then":{"properties":{"v":{"minimum":40}}}}`, `{"k":1,"v":40}`},
		"discriminated":      {props(`"a":{"oneOf":[{"type":"object","required":["t","x"],"properties":{"t":{"const":"x"},"x":{"type":"integer"}}},{"type":"object","required":["t"],"properties":{"t":{"const":"y"}}}]}`), `{"a":{"t":"x","x":0}}`},
		"optional tag":       {props(`"a":{"oneOf":[{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"op":{"const":"x"}}},{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"op":{"const":"y"}}}]}`), `{"a":{"n":1,"op":"y"}}`},
		"values in words":    {props(`"mode":{"type":"string","description":"Travel mode (driving, walking)"},"zzz":{"type":"string","description":"Type of object. Valid values include: companies, contacts."},"yyy":{"type":"string","description":"Dialect: 'mysql' or 'oracle'"}`), `{"mode":"driving","yyy":"mysql","zzz":"companies"}`},
		"recursive tree":     {`{"type":"object","required":["n"],"properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","required":["k"],"properties":{"k":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`, `{"n":{"k":[{"k":[]}]}}`},
		"recursive choice":   {`{"type":"object","required":["n"],"properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[{"type":"object","required":["n"],"properties":{"n":{"$ref":"#/$defs/n"}}},{"type":"integer"}]}}}`, `{"n":{"n":{"n":{"n":{"n":1}}}}}`},
		"anchor":             {`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#num"}},"$defs":{"x":{"$anchor":"num","type":"integer"}}}`, `{"a":1}`},
		"look-ahead":         {props(`"a":{"type":"string","pattern":"^(?!x)(?=.*\\d)[a-z]{3}\\d$"}`), `{"a":"aaa1"}`},
		"unicode escape":     {props(`"a":{"type":"string","pattern":"^\\u0041\\/[^]$"}`), `{"a":"A/a"}`},
		"many repetitions":   {props(`"a":{"type":"string","pattern":"^[A-Z]{2,4096}$"}`), `{"a":"US"}`},
		"pattern of a date":  {props(`"a":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`), `{"a":"2024-05-17"}`},
		"format and pattern": {props(`"a":{"type":"string","format":"uri","pattern":"^https://"}`), `{"a":"https://www.example.com/"}`},
		"pattern properties": {`{"type":"object","required":["x_1"],"patternProperties":{"^x_":{"type":"integer"}},"additionalProperties":false}`, `{"x_1":0}`},
		"property names":     {`{"type":"object","minProperties":1,"propertyNames":{"pattern":"^[A-Z]{3}$"},"additionalProperties":{"type":"integer"}}`, `{"USD":1}`},
		"enum with default":  {props(`"a":{"enum":["x","y"],"default":"y"}`), `{"a":"y"}`},
		"placeholder":        {props(`"id":{"type":"string","examples":["<id>","your-id-here","abc-1"]}`), `{"id":"abc-1"}`},
		"example in words":   {props(`"zzz":{"type":"string","description":"How long (e.g. \"2h30m\")"}`), `{"zzz":"2h30m"}`},
		"unique URLs":        {props(`"a":{"type":"array","uniqueItems":true,"minItems":2,"items":{"type":"string","format":"uri"}}`), `{"a":["https://www.example.com/","https://www.example.com/1"]}`},
		"owner and repo":     {props(`"owner":{"type":"string"},"repo":{"type":"string"}`), `{"owner":"example","repo":"project"}`},
		"slow by default":    {`{"type":"object","properties":{"duration":{"type":"number","default":10},"steps":{"type":"integer","default":5}}}`, `{"duration":1}`},
		"slow and required":  {props(`"delay_ms":{"type":"integer","default":5000}`), `{"delay_ms":100}`},
		"quick by default":   {`{"type":"object","properties":{"wait":{"type":"number","default":0.5}}}`, `{}`},
		"journey":            {props(`"origin":{"type":"string","description":"City"},"destination":{"type":"string"}`), `{"destination":"Berlin","origin":"Berlin"}`},
		"command in parts":   {props(`"command":{"type":"array","items":{"type":"string"}}`), `{"command":["echo"]}`},
		"item by its array":  {props(`"xs":{"type":"array","description":"List of URLs","items":{"type":"string"}}`), `{"xs":["https://www.example.com/"]}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := generate(json.RawMessage(test.schema), meaning.Values{}, 1)
			if err != nil {
				t.Errorf("Generate: %v", err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

// A server must not choose the file or host that its tool is called with.
func TestGenerateIgnoresHostileValues(t *testing.T) {
	for _, offer := range []string{
		"/home/dev/.aws/credentials", "~/.ssh/id_rsa", "../../.env", ".env", `C:\secret`,
		"http://192.0.2.1/", "collector.example", "dev@collector.example", "file:x", "--exec=sh",
	} {
		for _, keyword := range []string{`"default":%q`, `"examples":[%q]`, `"const":%[1]q,"title":""`, `"enum":[%q]`} {
			raw := fmt.Sprintf(`{"type":"object","properties":{"zzz":{"type":"string",`+keyword+`}}}`, offer)
			got, err := generate(json.RawMessage(raw), meaning.Values{}, 1)
			if err != nil {
				t.Errorf("%s: %v", raw, err)
			}
			quoted, _ := json.Marshal(offer)
			if bytes.Contains(got, quoted) {
				t.Errorf("%s: used the hostile value: %s", raw, got)
			}
		}
	}
	// The property's name says path; the default looks like an ordinary word.
	got, _ := generate(json.RawMessage(`{"type":"object","properties":{"host":{"type":"string","default":"collector"}}}`), meaning.Values{}, 1)
	if want := `{"host":"www.example.com"}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestGenerateUnsatisfied(t *testing.T) {
	wide := strings.Repeat(`{"$ref":"#/$defs/%d"},`, 4)
	var bomb strings.Builder
	for i := range 30 {
		fmt.Fprintf(&bomb, `"%d":{"allOf":[%s]},`, i, strings.TrimSuffix(strings.ReplaceAll(wide, "%d", fmt.Sprint(i+1)), ","))
	}
	tests := map[string]string{
		"a string":             `"object"`,
		"a number":             `5`,
		"an array":             `[]`,
		"not JSON":             `{"type":`,
		"false":                `false`,
		"contradiction":        props(`"a":{"type":"integer","minimum":5,"maximum":4}`),
		"required false":       `{"type":"object","required":["a"],"properties":{"a":false}}`,
		"remote reference":     props(`"a":{"$ref":"http://collector.example/x"}`),
		"file reference":       props(`"a":{"$ref":"file:///etc/passwd"}`),
		"remote dialect":       `{"$schema":"http://collector.example/dialect","type":"object"}`,
		"dangling reference":   props(`"a":{"$ref":"#/nowhere"}`),
		"refers to itself":     `{"$ref":"#"}`,
		"refers in a circle":   `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"endless object":       `{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`,
		"look-ahead inside":    props(`"a":{"type":"string","pattern":"^a(?!x)"}`),
		"back reference":       props(`"a":{"type":"string","pattern":"^(a)\\1$"}`),
		"huge pattern":         props(`"a":{"type":"string","pattern":"(.{900}){900}"}`),
		"long pattern":         props(`"a":{"type":"string","pattern":"` + strings.Repeat("a", 2000) + `"}`),
		"many patterns":        props(many(`"a%d":{"type":"string","pattern":"^.{999}$"}`, 200)),
		"huge length":          props(`"a":{"type":"string","minLength":1000000000}`),
		"huge array":           props(`"a":{"type":"array","minItems":1000000000}`),
		"huge number":          props(`"a":{"type":"integer","minimum":1e999999}`),
		"too large":            props(`"a":{"description":"` + strings.Repeat("x", 1100<<10) + `"}`),
		"too deep":             strings.Repeat(`{"not":`, 100) + `{}` + strings.Repeat(`}`, 100),
		"very deep":            strings.Repeat(`[`, 200_000),
		"exponential":          `{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{` + bomb.String() + `"30":{}}}`,
		"exponential by name":  `{"$anchor":"a","allOf":[{"$ref":"#a"},{"$ref":"#a"}]}`,
		"embedded":             `{"type":"object","properties":{"a":{"$id":"http://x.example/","type":"integer"}}}`,
		"wrong types":          `{"type":5,"properties":[],"required":{},"enum":3,"allOf":"x","items":9}`,
		"wide enum":            `{"allOf":[{"enum":[` + numbers(20000) + `]},{"enum":[` + many("%d.5", 20000) + `]}]}`,
		"exponential by depth": `{"$defs":{"s":{"properties":{"x":{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/s"},`, 100), ",") + `]}},"required":["x"]}},"$ref":"#/$defs/s"}`,
		"patterns of names":    `{"type":"object","patternProperties":{` + many(`"^(a|b|%d)*x{20}$":{"type":"string"}`, 3000) + `},"required":[` + many(`"aaaaaaaaaaaaaaaaaaaa%d"`, 3000) + `]}`,
		"unique constant":      props(`"a":{"uniqueItems":true,"const":[` + numbers(40000) + `]}`),
	}
	for name, raw := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := generate(json.RawMessage(raw), meaning.Values{}, 1)
			if !errors.Is(err, schema.ErrUnsatisfied) {
				t.Errorf("error is %v, want %v", err, schema.ErrUnsatisfied)
			}
			if !json.Valid(got) {
				t.Errorf("input is not JSON: %.100q", got)
			}
		})
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	raw := json.RawMessage(props(`"a":{"type":"string","format":"uuid"},"b":{"anyOf":[{"type":"integer"},{"type":"string"}]}`))
	first, err := generate(raw, meaning.Values{}, 7)
	if err != nil {
		t.Fatalf("Generate: %v", err)
	}
	for range 20 {
		if again, _ := generate(raw, meaning.Values{}, 7); !bytes.Equal(first, again) {
			t.Fatalf("the same seed gave %s and %s", first, again)
		}
	}
	if other, _ := generate(raw, meaning.Values{}, 8); bytes.Equal(first, other) {
		t.Errorf("seeds 7 and 8 both gave %s", first)
	}
}

// FuzzGenerate: any schema gives JSON, and a value reported as valid is valid.
func FuzzGenerate(f *testing.F) {
	for _, seed := range []string{
		``, `true`, `{"$ref":"#"}`, props(`"a":{"type":["string","null"],"pattern":"^a+$"}`),
		props(`"a":{"oneOf":[{"const":1},{"enum":["x"]}]}`), `{"type":"object","minProperties":3}`,
		props(`"a":{"type":"number","exclusiveMinimum":0,"multipleOf":0.1}`),
		`{"allOf":[{"properties":{"a":{"$ref":"#/properties/a"}}}],"properties":{"a":{"items":[{}]}}}`,
	} {
		f.Add([]byte(seed), uint64(1))
	}
	f.Fuzz(func(t *testing.T, raw []byte, seed uint64) {
		got, err := generate(raw, meaning.Values{}, seed)
		if !json.Valid(got) {
			t.Fatalf("input is not JSON: %q", got)
		}
		if err != nil && !errors.Is(err, schema.ErrUnsatisfied) {
			t.Fatalf("unexpected error: %v", err)
		}
		if err == nil && len(bytes.TrimSpace(raw)) > 0 && !valid(t, raw, got) {
			t.Fatalf("%s does not satisfy %s", got, raw)
		}
	})
}

func valid(t *testing.T, raw, input []byte) bool {
	t.Helper()
	if string(bytes.TrimSpace(raw)) == "null" {
		return true
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return false
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(input))
	if err != nil {
		return false
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///x.json", doc); err != nil {
		return false
	}
	s, err := c.Compile("mem:///x.json")
	return err == nil && s.Validate(value) == nil
}

// props is the schema of an object that requires the given properties.
func props(p string) string {
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte("{"+p+"}"), &m); err != nil {
		panic(err)
	}
	names := []string{}
	for name := range m {
		names = append(names, name)
	}
	required, _ := json.Marshal(names)
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":%s}`, p, required)
}

func many(format string, n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

func numbers(n int) string { return many("%d", n) }
