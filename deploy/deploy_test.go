package deploy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf/internal/service/secretbox"
)

// node is something of a YAML file.
type node = map[string]any

// documents reads every YAML file below a directory.
func documents(t *testing.T, dir string) map[string][]node {
	t.Helper()
	all := map[string][]node{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".yaml" && filepath.Ext(name) != ".yml" {
			return err
		}
		all[name] = parse(t, name)
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}

func parse(t *testing.T, name string) []node {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var docs []node
	for d := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var doc node
		err := d.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || doc == nil {
			t.Fatalf("%s: %v", name, err)
		}
		docs = append(docs, doc)
	}
	if len(docs) == 0 {
		t.Errorf("%s is empty", name)
	}
	return docs
}

// at goes down into a tree; what is not there is nil.
func at(v any, way ...any) any {
	for _, step := range way {
		switch step := step.(type) {
		case string:
			m, _ := v.(node)
			v = m[step]
		case int:
			l, _ := v.([]any)
			if step >= len(l) {
				return nil
			}
			v = l[step]
		}
	}
	return v
}

func texts(v any) []string {
	var all []string
	l, _ := v.([]any)
	for _, e := range l {
		all = append(all, fmt.Sprint(e))
	}
	return all
}

func TestEveryFileParses(t *testing.T) { documents(t, ".") }

// workload is what runs containers, with what it is called.
type workload struct {
	name string
	spec any // of the pod
}

func workloads(t *testing.T) []workload {
	t.Helper()
	var all []workload
	for name, docs := range documents(t, "kubernetes") {
		for _, doc := range docs {
			// A patch has no containers.
			if spec := at(doc, "spec", "template", "spec"); at(spec, "containers") != nil {
				all = append(all, workload{fmt.Sprintf("%s: %v", name, at(doc, "metadata", "name")), spec})
			}
		}
	}
	if len(all) < 3 {
		t.Fatalf("only %d workloads were found", len(all))
	}
	return all
}

// No container is root or may become it, and none may take more than its share.
func TestPodsAreConfined(t *testing.T) {
	for _, w := range workloads(t) {
		for _, c := range []struct {
			way  []any
			want any
		}{
			{[]any{"securityContext", "runAsNonRoot"}, true},
			{[]any{"automountServiceAccountToken"}, false},
			{[]any{"enableServiceLinks"}, false},
			{[]any{"hostNetwork"}, nil},
			{[]any{"hostPID"}, nil},
			{[]any{"hostIPC"}, nil},
		} {
			if got := at(w.spec, c.way...); got != c.want {
				t.Errorf("%s: %v is %v", w.name, c.way, got)
			}
		}
		if uid, _ := at(w.spec, "securityContext", "runAsUser").(int); uid == 0 {
			t.Errorf("%s runs as root", w.name)
		}
		if got, want := at(w.spec, "securityContext", "seccompProfile", "type") == "Unconfined", strings.HasSuffix(w.name, "mcpsf-worker"); got != want {
			t.Errorf("%s: without a filter: %v", w.name, got)
		}
		containers, _ := at(w.spec, "containers").([]any)
		more, _ := at(w.spec, "initContainers").([]any)
		for _, container := range append(containers, more...) {
			name := fmt.Sprintf("%s/%v", w.name, at(container, "name"))
			if c := at(container, "securityContext"); at(c, "allowPrivilegeEscalation") != false || at(c, "readOnlyRootFilesystem") != true ||
				at(c, "privileged") != nil || at(c, "capabilities", "add") != nil || !cmp.Equal(texts(at(c, "capabilities", "drop")), []string{"ALL"}) {
				t.Errorf("%s: %v", name, c)
			}
			for _, kind := range []string{"requests", "limits"} {
				for _, what := range []string{"cpu", "memory", "ephemeral-storage"} {
					if at(container, "resources", kind, what) == nil {
						t.Errorf("%s has no %s for %s", name, kind, what)
					}
				}
			}
			for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
				if at(container, probe) == nil {
					t.Errorf("%s has no %s", name, probe)
				}
			}
		}
		volumes, _ := at(w.spec, "volumes").([]any)
		for _, v := range volumes {
			if at(v, "hostPath") != nil {
				t.Errorf("%s mounts a directory of its node", w.name)
			}
			if e := at(v, "emptyDir"); e != nil && at(e, "sizeLimit") == nil {
				t.Errorf("%s: the volume %v has no end", w.name, at(v, "name"))
			}
		}
	}
}

func TestComposeIsConfined(t *testing.T) {
	services, _ := at(parse(t, "compose.yaml")[0], "services").(node)
	if len(services) != 3 {
		t.Fatalf("services: %v", slices.Sorted(maps.Keys(services)))
	}
	for name, service := range services {
		if user := fmt.Sprint(at(service, "user")); user == "<nil>" || strings.HasPrefix(user, "0") || strings.HasPrefix(user, "root") {
			t.Errorf("%s runs as %s", name, user)
		}
		if at(service, "privileged") != nil || at(service, "cap_add") != nil || at(service, "devices") != nil || at(service, "network_mode") != nil || at(service, "pid") != nil {
			t.Errorf("%s has rights that it does not need", name)
		}
		if at(service, "read_only") != true || !cmp.Equal(texts(at(service, "cap_drop")), []string{"ALL"}) {
			t.Errorf("%s: read_only %v, cap_drop %v", name, at(service, "read_only"), at(service, "cap_drop"))
		}
		opts := texts(at(service, "security_opt"))
		if !slices.Contains(opts, "no-new-privileges:true") || slices.Contains(opts, "seccomp:unconfined") != (name == "worker") {
			t.Errorf("%s: %v", name, opts)
		}
		for _, what := range []string{"cpus", "memory", "pids"} {
			if at(service, "deploy", "resources", "limits", what) == nil {
				t.Errorf("%s has no limit of %s", name, what)
			}
		}
		if at(service, "healthcheck", "test") == nil {
			t.Errorf("%s has no health check", name)
		}
		for _, v := range texts(at(service, "volumes")) {
			if strings.HasPrefix(v, "/") || strings.HasPrefix(v, ".") {
				t.Errorf("%s mounts %s of the machine", name, v)
			}
		}
		for key, value := range environment(at(service, "environment")) {
			if regexp.MustCompile(`(?i)password|secret|token`).MatchString(key) && !strings.HasPrefix(value, "/run/secrets/") || regexp.MustCompile(`://\w+:`).MatchString(value) {
				t.Errorf("%s: %s is no file", name, key)
			}
		}
	}
	if at(services["postgres"], "ports") != nil || at(services["worker"], "ports") != nil {
		t.Error("more than the server can be reached")
	}
	if got := at(services["server"], "ports", 0); !strings.Contains(fmt.Sprint(got), ":-127.0.0.1:") {
		t.Errorf("unless told otherwise it listens on %v", got)
	}
}

func environment(v any) map[string]string {
	all := map[string]string{}
	m, _ := v.(node)
	for k, v := range m {
		all[k] = fmt.Sprint(v)
	}
	return all
}

// A worker that is to end gets the time that its jobs get.
func TestGrace(t *testing.T) {
	compose := parse(t, "compose.yaml")[0]
	patience, err := time.ParseDuration(fmt.Sprint(at(compose, "services", "worker", "stop_grace_period")))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	check := func(where string, args []string, patience time.Duration) {
		for _, arg := range args {
			value, ok := strings.CutPrefix(unset(arg), "--grace=")
			if !ok {
				continue
			}
			seen++
			if grace, err := time.ParseDuration(value); err != nil || patience <= grace {
				t.Errorf("%s: %v are waited, but jobs may take %v (%v)", where, patience, grace, err)
			}
		}
	}
	check("compose.yaml", texts(at(compose, "services", "worker", "command")), patience)
	for _, w := range workloads(t) {
		seconds, _ := at(w.spec, "terminationGracePeriodSeconds").(int)
		check(w.name, texts(at(w.spec, "containers", 0, "args")), time.Duration(seconds)*time.Second)
	}
	if seen != 2 {
		t.Errorf("%d workers say how long their jobs may take", seen)
	}
}

var variable = regexp.MustCompile(`\$\{([A-Z_]+):-([^}]*)\}`)

// unset puts in what is meant if a variable is not set.
func unset(text string) string { return variable.ReplaceAllString(text, "$2") }

// The example of settings has what compose.yaml knows, with the same defaults.
func TestEnvExample(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	known, example := map[string]string{}, map[string]string{}
	for _, m := range variable.FindAllStringSubmatch(read("compose.yaml"), -1) {
		known[m[1]] = m[2]
	}
	for line := range strings.Lines(read(".env.example")) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
			example[key] = value
		}
	}
	if diff := cmp.Diff(known, example); diff != "" {
		t.Errorf("compose.yaml and .env.example differ:\n%s", diff)
	}
}

// Every flag that is used is one that the command has which it is given to.
func TestFlagsExist(t *testing.T) {
	defined := func(command string) string {
		files := map[string][]string{"serve": {"flags.go", "serve.go"}, "worker": {"flags.go", "worker.go"}}[command]
		if files == nil {
			t.Fatalf("%q is no command of the service", command)
		}
		var source strings.Builder
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join("../cmd/mcpsf/internal/servicecmd", name))
			if err != nil {
				t.Fatal(err)
			}
			source.Write(data)
		}
		return source.String()
	}
	var lines [][]string
	for _, name := range []string{"server", "worker"} {
		lines = append(lines, texts(at(parse(t, "compose.yaml")[0], "services", name, "command")))
	}
	for _, w := range workloads(t) {
		lines = append(lines, texts(at(w.spec, "containers", 0, "args")))
	}
	used := 0
	for _, args := range lines {
		if len(args) == 0 || strings.HasPrefix(args[0], "-") {
			continue // a program of others
		}
		source := defined(args[0])
		for _, arg := range args[1:] {
			if name, ok := strings.CutPrefix(arg, "--"); ok {
				used++
				name, _, _ = strings.Cut(name, "=")
				if !strings.Contains(source, `"`+name+`"`) {
					t.Errorf("mcpsf %s has no flag --%s", args[0], name)
				}
			}
		}
	}
	if used < 8 {
		t.Errorf("only %d flags were found", used)
	}
}

func TestDockerfile(t *testing.T) {
	data, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	_, last, ok := strings.Cut(text, "\nFROM ${BASE}\n")
	if !ok || strings.Contains(last, "\nFROM ") {
		t.Fatal("the last stage does not begin with FROM ${BASE}")
	}
	for _, want := range []string{
		"\nUSER 1000:1000\n", "\nVOLUME [\"/data\"]\n", "\nHEALTHCHECK ", "\nENTRYPOINT [\"/usr/local/bin/mcpsf\"]\n", "COPY --from=builder ",
		"nodejs", "npm", "python3-pip", "python3-venv",
	} {
		if !strings.Contains(last, want) {
			t.Errorf("the last stage lacks %q", want)
		}
	}
	if user := strings.LastIndex(last, "\nUSER "); !strings.HasPrefix(last[user:], "\nUSER 1000:1000\n") || strings.Contains(last[user:], "\nRUN ") {
		t.Error("something is done after the user was changed, or changed again")
	}
	if !strings.Contains(text, "CGO_ENABLED=0") {
		t.Error("the program is not static")
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "ADD ") {
			t.Errorf("%q may bring more than a file", line)
		}
	}
}

// What makes the secrets makes some that the service takes, and keeps them.
func TestSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "se crets")
	run := func() map[string]string {
		t.Helper()
		if out, err := exec.Command("./secrets.sh", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		files := map[string]string{}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files[e.Name()] = string(data)
		}
		return files
	}
	first := run()
	if got := slices.Sorted(maps.Keys(first)); !cmp.Equal(got, []string{"mcpsf_secret", "pgpass", "postgres_password"}) {
		t.Fatalf("it made %v", got)
	}
	if _, err := secretbox.New(first["mcpsf_secret"]); err != nil {
		t.Error(err)
	}
	if p := first["postgres_password"]; !regexp.MustCompile(`^[0-9a-f]{48}$`).MatchString(p) || first["pgpass"] != "postgres:5432:mcpsf:mcpsf:"+p+"\n" {
		t.Errorf("password %q, for clients %q", p, first["pgpass"])
	}
	if diff := cmp.Diff(first, run()); diff != "" {
		t.Errorf("the second time:\n%s", diff)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others may enter: %v, %v", info.Mode(), err)
	}
	ignored, err := os.ReadFile("../.gitignore")
	if err != nil || !strings.Contains(string(ignored), "/deploy/secrets/\n") || !strings.Contains(string(ignored), "/deploy/.env\n") {
		t.Errorf("git would take the secrets: %v", err)
	}
}
