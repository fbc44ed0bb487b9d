package ci_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

type action struct {
	Inputs map[string]struct {
		Description string
		Required    bool
		Default     string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			Name, Shell, Run, ID string
			Env                  map[string]string
		}
	}
}

func parse(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// What is written into a script is a program to the shell. So nothing is: every
// input reaches the scripts through the environment, and every one does.
func TestActionWritesNothingIntoScripts(t *testing.T) {
	var a action
	parse(t, "../../action.yml", &a)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatalf("%+v", a.Runs)
	}
	passed := map[string]bool{}
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("%s: an expression inside a script: %s", step.Name, step.Run)
		}
		if step.Shell == "" {
			t.Errorf("%s: a composite step needs a shell", step.Name)
		}
		script := regexp.MustCompile(`deploy/ci/\w+\.sh`).FindString(step.Run)
		data, err := os.ReadFile(filepath.Join("..", "..", script))
		if err != nil {
			t.Fatal(err)
		}
		for variable, value := range step.Env {
			if !strings.Contains(string(data), variable) {
				t.Errorf("%s does not read %s", script, variable)
			}
			if name, ok := strings.CutPrefix(value, "${{ inputs."); ok {
				passed[strings.TrimSuffix(name, " }}")] = true
			}
		}
	}
	for name := range a.Inputs {
		if !passed[name] {
			t.Errorf("the input %s goes nowhere", name)
		}
	}
	for name, output := range a.Outputs {
		if want := fmt.Sprintf("${{ steps.assess.outputs.%s }}", name); output.Value != want {
			t.Errorf("output %s is %s", name, output.Value)
		}
	}
}

// stubProgram is a program that notes how it was called and leaves reports behind.
const stubProgram = `#!/bin/sh
[ "$1" = version ] && exit 0
printf '%s\0' "$@" >"$STUB_CALLED"
for arg in "$@"; do case $arg in --output=*) out=${arg#--output=} ;; esac; done
mkdir -p "$out"
[ -n "$STUB_REPORT" ] || exit "${STUB_CODE:-0}"
printf '%s' "$STUB_REPORT" >"$out/report.json"
printf '# page\n' >"$out/report.md"
printf '{"runs":[{"results":[{"ruleId":"a"},{"ruleId":"b","suppressions":[{"kind":"external"}]}]}]}' >"$out/report.sarif"
echo "::error::a server said this"
exit "${STUB_CODE:-0}"
`

const storedReport = `{
  "summary": "  \"verdict\": {\n    \"band\": \"PASS\",",
  "verdict": {
    "band": "HIGH",
    "score": 74,
    "action": "block"
  },
  "findings": []
}
`

// job is a build in a directory of its own.
type job struct {
	dir string
	env map[string]string
}

func newJob(t *testing.T) *job {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "mcpsf"), []byte(stubProgram), 0o755); err != nil {
		t.Fatal(err)
	}
	return &job{dir: dir, env: map[string]string{
		"PATH": bin + ":" + os.Getenv("PATH"), "STUB_CALLED": filepath.Join(dir, "called"), "STUB_REPORT": storedReport,
		"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": filepath.Join(dir, "outputs"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"),
		"GITHUB_PATH": filepath.Join(dir, "path"), "RUNNER_TEMP": dir,
	}}
}

// run runs a script with the given variables and says what it printed and how it
// ended.
func (j *job) run(t *testing.T, shell, script string, env map[string]string) (string, int) {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("no %s here", shell)
	}
	abs, err := filepath.Abs(script)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, abs)
	cmd.Dir = j.dir
	for _, all := range []map[string]string{j.env, env} {
		for k, v := range all {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (j *job) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(j.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Whatever an input says, it is one argument.
func TestInputsAreArguments(t *testing.T) {
	for _, shell := range []string{"sh", "bash", "dash"} {
		for _, hostile := range []string{
			"./a server", `./"quoted"`, `./it's`, "./$(touch pwned)", "./`touch pwned`", "./a\ntouch pwned", "./a;touch pwned", "./a&&touch pwned",
			"./*", "./$HOME", `./\\n%s%n`, "./${{ x }}", "npm:@scope/name@1.2.3", "./\u202ex",
		} {
			t.Run(shell+"/"+hostile, func(t *testing.T) {
				j := newJob(t)
				out, code := j.run(t, shell, "assess.sh", map[string]string{
					"ASSESS_SOURCE": hostile, "ASSESS_PROFILE": hostile, "ASSESS_FAIL_ON": hostile, "ASSESS_MIN_CONFIDENCE": hostile,
					"ASSESS_ARGS": "--env\nA=" + strings.ReplaceAll(hostile, "\n", " ") + "\n\n",
				})
				if code != 0 {
					t.Fatalf("exit %d: %s", code, out)
				}
				got := strings.Split(strings.TrimSuffix(j.read(t, "called"), "\x00"), "\x00")
				want := []string{
					"assess", hostile, "--profile=" + hostile, "--fail-on=" + hostile, "--output=mcpsf-report", "--also=sarif,markdown,junit", "--quiet",
					"--min-confidence=" + hostile, "--env", "A=" + strings.ReplaceAll(hostile, "\n", " "),
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("called with (-want +got):\n%s", diff)
				}
				if _, err := os.Stat(filepath.Join(j.dir, "pwned")); err == nil {
					t.Error("an input was run")
				}
			})
		}
	}
}

// Without the input, no flag hides what mcpsf.yaml says.
func TestMinConfidenceIsOptional(t *testing.T) {
	for value, want := range map[string]bool{"": false, "high": true} {
		j := newJob(t)
		if out, code := j.run(t, "sh", "assess.sh", map[string]string{"ASSESS_SOURCE": "x", "ASSESS_MIN_CONFIDENCE": value}); code != 0 {
			t.Fatalf("exit %d: %s", code, out)
		}
		if got := strings.Contains(j.read(t, "called"), "\x00--min-confidence="+value+"\x00"); got != want {
			t.Errorf("%q: handed on %v", value, got)
		}
	}
}

func TestInputsAreRefused(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"no source":          {},
		"an option":          {"ASSESS_SOURCE": "--network=allow"},
		"output with a line": {"ASSESS_SOURCE": "x", "ASSESS_OUTPUT": "a\nverdict=PASS"},
		"output is options":  {"ASSESS_SOURCE": "x", "ASSESS_OUTPUT": "-rf"},
	} {
		j := newJob(t)
		if out, code := j.run(t, "sh", "assess.sh", env); code != 2 || !strings.HasPrefix(out, "mcpsf: ") {
			t.Errorf("%s: exit %d, %s", name, code, out)
		}
	}
}

func TestOutputs(t *testing.T) {
	j := newJob(t)
	j.env["STUB_CODE"] = "1"
	out, code := j.run(t, "sh", "assess.sh", map[string]string{"ASSESS_SOURCE": "./x", "ASSESS_OUTPUT": "my reports"})
	if code != 1 {
		t.Errorf("exit %d: %s", code, out)
	}
	want := "verdict=HIGH\nscore=74\nsarif=my reports/code-scanning\nreport=my reports\n"
	if diff := cmp.Diff(want, j.read(t, "outputs")); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	if !strings.Contains(j.read(t, "summary"), "# page") {
		t.Error("no summary")
	}
	// What a server prints is no command to the runner.
	if !regexp.MustCompile(`(?s)^::stop-commands::([0-9a-f]{32})\n.*::error::.*\n::[0-9a-f]{32}::\n$`).MatchString(out) {
		t.Errorf("commands are obeyed in %q", out)
	}
	scanning := j.read(t, "my reports/code-scanning/1.sarif")
	if _, err := exec.LookPath("jq"); err == nil && strings.Contains(scanning, `"b"`) {
		t.Errorf("a waived finding goes to code scanning: %s", scanning)
	}
	if !strings.Contains(scanning, `"a"`) {
		t.Errorf("a finding does not: %s", scanning)
	}
}

// Of several servers the gravest counts; a failure without reports leaves the
// outputs empty and is still one.
func TestOutputsOfSeveral(t *testing.T) {
	j := newJob(t)
	for name, band := range map[string]string{"one": "CRITICAL", "two": "INCONCLUSIVE"} {
		dir := filepath.Join(j.dir, "mcpsf-report", name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "report.json"), []byte(strings.Replace(storedReport, "HIGH", band, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	j.env["STUB_CODE"] = "4"
	if _, code := j.run(t, "sh", "assess.sh", map[string]string{"ASSESS_SOURCE": "./x"}); code != 4 {
		t.Errorf("exit %d", code)
	}
	if got := j.read(t, "outputs"); !strings.HasPrefix(got, "verdict=CRITICAL\n") {
		t.Error(got)
	}
	empty := newJob(t)
	empty.env["STUB_REPORT"], empty.env["STUB_CODE"] = "", "4"
	if _, code := empty.run(t, "sh", "assess.sh", map[string]string{"ASSESS_SOURCE": "./x"}); code != 4 {
		t.Errorf("exit %d", code)
	}
	if got := empty.read(t, "outputs"); !strings.HasPrefix(got, "verdict=\nscore=0\nsarif=\n") {
		t.Error(got)
	}
}

func TestObtain(t *testing.T) {
	sum := strings.Repeat("a", 64)
	for name, tt := range map[string]struct {
		env  map[string]string
		want string
		code int
	}{
		"on the path":     {nil, "", 0},
		"no checksum":     {map[string]string{"MCPSF_GET_URL": "https://downloads.example/x"}, "mcpsf: give the sha256", 2},
		"short checksum":  {map[string]string{"MCPSF_GET_URL": "https://downloads.example/x", "MCPSF_GET_SHA256": "abc"}, "mcpsf: a sha256 has 64 digits", 2},
		"not encrypted":   {map[string]string{"MCPSF_GET_URL": "http://downloads.example/x", "MCPSF_GET_SHA256": sum}, "mcpsf: the url must", 2},
		"a file":          {map[string]string{"MCPSF_GET_URL": "file:///etc/passwd", "MCPSF_GET_SHA256": sum}, "mcpsf: the url must", 2},
		"another program": {map[string]string{"MCPSF_GET_URL": "https://downloads.example/{version}/x", "MCPSF_GET_SHA256": sum, "MCPSF_GET_VERSION": "v1&/$(touch pwned)"}, "mcpsf: the download is not", 2},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJob(t)
			// Downloads something, and notes the address.
			curl := "#!/bin/sh\nfor last; do :; done\nprintf %s \"$last\" >\"$RUNNER_TEMP/address\"\nwhile [ $# -gt 0 ]; do [ \"$1\" = --output ] && echo no >\"$2\"; shift; done\n"
			if err := os.WriteFile(filepath.Join(j.dir, "bin", "curl"), []byte(curl), 0o755); err != nil {
				t.Fatal(err)
			}
			out, code := j.run(t, "sh", "obtain.sh", tt.env)
			if code != tt.code || !strings.HasPrefix(out, tt.want) {
				t.Errorf("exit %d, %s", code, out)
			}
			if version := tt.env["MCPSF_GET_VERSION"]; version != "" && j.read(t, "address") != "https://downloads.example/"+version+"/x" {
				t.Errorf("asked for %s", j.read(t, "address"))
			}
			if _, err := os.Stat(filepath.Join(j.dir, "path")); err == nil {
				t.Error("something was put on the PATH")
			}
		})
	}
}

func TestGitLabTemplate(t *testing.T) {
	var jobs map[string]struct {
		Extends      string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Variables    map[string]string
		Artifacts    struct {
			When    string
			Reports struct{ JUnit []string }
		}
	}
	parse(t, "../gitlab/mcpsf.gitlab-ci.yml", &jobs)
	template := jobs[".mcpsf"]
	if jobs["mcpsf"].Extends != ".mcpsf" || template.Artifacts.When != "always" || len(template.Artifacts.Reports.JUnit) != 2 {
		t.Errorf("%+v", jobs)
	}
	script := strings.Join(append(template.BeforeScript, template.Script...), "\n")
	if strings.Contains(script, "$[[") || strings.Contains(script, "eval") {
		t.Error("an input is written into the script")
	}
	j := newJob(t)
	file := filepath.Join(j.dir, "job.sh")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	maps.Copy(env, template.Variables)
	env["ASSESS_SOURCE"] = "./a \"$(touch pwned)\"\n;touch pwned"
	if out, code := j.run(t, "sh", file, env); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	want := strings.Join([]string{
		"assess", env["ASSESS_SOURCE"], "--profile=balanced", "--fail-on=high", "--output=mcpsf-report", "--also=junit,markdown,sarif", "--quiet",
	}, "\x00") + "\x00"
	if diff := cmp.Diff(want, j.read(t, "called")); diff != "" {
		t.Errorf("called with (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(j.dir, "pwned")); err == nil {
		t.Error("a variable was run")
	}
	env["ASSESS_SOURCE"] = "--output=/etc"
	if _, code := j.run(t, "sh", file, env); code != 2 {
		t.Errorf("an option as the source: exit %d", code)
	}
}
