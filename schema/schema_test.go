package schema

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpsf/mcpsf"
)

var update = flag.Bool("update", false, "rewrite the schema files")

func TestDrift(t *testing.T) {
	doc, err := readVocabulary("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file, title string
		of          reflect.Type
		embedded    string
	}{
		{"report.schema.json", "mcpsf report", reflect.TypeFor[mcpsf.Report](), Report},
		{"event.schema.json", "mcpsf event", reflect.TypeFor[mcpsf.Event](), Event},
	} {
		want, err := generate(tt.of, tt.title, doc)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(tt.file, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(string(want), tt.embedded); diff != "" {
			t.Errorf("%s is not what the types say (-types +file); run go test ./schema -update:\n%s", tt.file, diff)
		}
	}
}

func TestReportIsValid(t *testing.T) {
	s := compile(t, Report)
	if err := s.Validate(asJSON(t, full[mcpsf.Report]())); err != nil {
		t.Errorf("a full report: %v", err)
	}
	for name, damage := range map[string]func(map[string]any){
		"verdict missing":   func(r map[string]any) { delete(r, "verdict") },
		"findings null":     func(r map[string]any) { r["findings"] = nil },
		"band made up":      func(r map[string]any) { r["verdict"].(map[string]any)["band"] = "FINE" },
		"evidence in words": func(r map[string]any) { first(r, "findings")["evidence"] = []any{"seven"} },
		"severity made up":  func(r map[string]any) { first(r, "findings")["severity"] = "awful" },
	} {
		t.Run(name, func(t *testing.T) {
			r := asJSON(t, full[mcpsf.Report]()).(map[string]any)
			damage(r)
			if s.Validate(r) == nil {
				t.Error("valid all the same")
			}
		})
	}
}

func TestEventIsValid(t *testing.T) {
	s := compile(t, Event)
	if err := s.Validate(asJSON(t, full[mcpsf.Event]())); err != nil {
		t.Errorf("a full event: %v", err)
	}
	if err := s.Validate(asJSON(t, mcpsf.Event{Seq: 1, Phase: mcpsf.PhaseStart, Kind: mcpsf.KindSandboxStart})); err != nil {
		t.Errorf("the smallest event: %v", err)
	}
	if s.Validate(asJSON(t, mcpsf.Event{Seq: 1, Phase: mcpsf.PhaseStart, Kind: "read a file"})) == nil {
		t.Error("a kind that is a sentence is valid")
	}
}

// A later version may add fields; old schemas must let them pass.
func TestAddedFieldsAreValid(t *testing.T) {
	r := asJSON(t, full[mcpsf.Report]()).(map[string]any)
	r["added"] = true
	first(r, "findings")["added"] = true
	if err := compile(t, Report).Validate(r); err != nil {
		t.Error(err)
	}
}

func TestCommentsAndValuesAreTold(t *testing.T) {
	for _, want := range []string{
		`"enum": [`, `"INCONCLUSIVE"`, `"date-time"`, "Evidence are event numbers",
	} {
		if !strings.Contains(Report, want) {
			t.Errorf("the report's schema lacks %s", want)
		}
	}
}

func compile(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(denyLoader{})
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type denyLoader struct{}

func (denyLoader) Load(url string) (any, error) { return nil, fmt.Errorf("reference %s refused", url) }

func asJSON(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func first(r map[string]any, list string) map[string]any {
	return r[list].([]any)[0].(map[string]any)
}

// full returns a T with every field set to something legal.
func full[T any]() T {
	var v T
	fill(reflect.ValueOf(&v).Elem())
	return v
}

func fill(v reflect.Value) {
	switch value := v.Addr().Interface().(type) {
	case *json.RawMessage:
		*value = json.RawMessage(`{"any":[1,null]}`)
		return
	case *time.Time:
		*value = time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
		return
	case *mcpsf.Phase:
		*value = mcpsf.PhaseDrive
		return
	case *mcpsf.Kind:
		*value = mcpsf.KindFileOpen
		return
	case *mcpsf.AttackSign:
		*value = mcpsf.SignExec
		return
	case *mcpsf.TextKind:
		*value = mcpsf.TextHidden
		return
	case *mcpsf.DisruptionKind:
		*value = mcpsf.DisruptionCrash
		return
	case *mcpsf.ChangeCause:
		*value = mcpsf.SinceCalls
		return
	case *mcpsf.AgentAction:
		*value = mcpsf.ActionTaken
		return
	case *mcpsf.RemoteCheck:
		*value = mcpsf.CheckOrigin
		return
	case *mcpsf.Loaded:
		*value = mcpsf.LoadedYes
		return
	case *mcpsf.CapabilityKind:
		*value = mcpsf.CapabilityExec
		return
	case *mcpsf.Category:
		*value = mcpsf.CategoryWeakness
		return
	case *mcpsf.ConfidenceLevel:
		*value = mcpsf.ConfidenceMedium
		return
	case *mcpsf.ValueOrigin:
		*value = mcpsf.OriginDefault
		return
	case *mcpsf.Severity:
		*value = mcpsf.SeverityHigh
		return
	case *mcpsf.Grade:
		*value = mcpsf.GradeProved
		return
	case *mcpsf.Stance:
		*value = mcpsf.StanceAgrees
		return
	case *mcpsf.Band:
		*value = mcpsf.BandHigh
		return
	case *mcpsf.CallStatus:
		*value = mcpsf.CallOK
		return
	case *mcpsf.Manager:
		*value = mcpsf.ManagerNPM
		return
	case *mcpsf.AccessKind:
		*value = mcpsf.AccessRead
		return
	case *mcpsf.Explainer:
		*value = mcpsf.ByArgument
		return
	case *mcpsf.Runtime:
		*value = mcpsf.RuntimeNode
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field)
		}
	}
}
