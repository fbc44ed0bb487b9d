package fakeprograms

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// These command lines are what public servers run: each is understood.
func TestCommandLinesOfServers(t *testing.T) {
	m := newMachine(t, 7)
	pod := strings.Fields(m.line("kubectl get pods -o name").out)[0][len("pod/"):]
	m.put("in.png", "picture")
	m.put("manifest.yaml", "kind: Pod")
	m.put("values.yaml", "a: 1")
	for _, line := range []string{
		// mcp-server-kubernetes
		"kubectl get pods -n default -o json", "kubectl get events --all-namespaces --sort-by=.lastTimestamp -o json", "kubectl get node node-1 -o json",
		"kubectl get pods -n default -l app=webshop -o jsonpath={.items[*].metadata.name}", "kubectl config get-contexts -o name",
		"kubectl config use-context prod", "kubectl describe pod " + pod + " -n default", "kubectl -n default logs " + pod + " --tail=100",
		"kubectl apply -f manifest.yaml -n default --dry-run=client", "kubectl create namespace test", "kubectl create deployment web --image=nginx -n default -o yaml",
		"kubectl rollout restart deployment/webshop -n webshop", "kubectl scale deployment webshop --replicas=2 --namespace=default",
		"kubectl patch deployment webshop -n webshop --type strategic -p {}", "kubectl explain pods", "kubectl api-resources --namespaced=true",
		"kubectl exec " + pod + " -n default -- ls -la", "kubectl cordon node-1", "kubectl delete pod " + pod + " -n default --force", "kubectl version --client -o json",
		"helm repo add bitnami https://charts.example", "helm install shop bitnami/nginx --namespace default -f values.yaml", "helm template shop bitnami/nginx",
		"helm uninstall webshop --namespace webshop", "helm list -A -o json",
		// mobile-mcp
		"adb devices", "adb -s emulator-5554 shell wm size", "adb -s emulator-5554 shell pm list packages", "adb -s emulator-5554 exec-out uiautomator dump /dev/tty",
		"adb -s emulator-5554 shell input swipe 1 2 3 4 1000", "adb -s emulator-5554 shell am start -a android.intent.action.VIEW -d https://a.example",
		"adb -s emulator-5554 install -r in.png", "adb -s emulator-5554 shell getprop ro.build.version.release", "adb -s emulator-5554 shell settings get system user_rotation",
		// servers for docker, GitHub, clouds, media and documents
		"docker ps -a --format {{json}}", "docker exec webshop-web-1 sh -c ls", "docker logs --tail 100 webshop-web-1", "docker compose -f manifest.yaml ps --format json",
		"docker run -d --name x -p 80:80 nginx", "gh pr list --repo a/b --state open --json number,title --limit 30", "gh issue create --title x --body y",
		"aws sts get-caller-identity --output json", "aws s3 ls", "gcloud projects list --format=json", "az account show -o json", "terraform validate -json",
		"ffmpeg -i in.png -filter:v setpts=0.5*PTS -af atempo=2 -y out.mp4", "ffprobe -v quiet -print_format json -show_format -show_streams in.png",
		"pandoc --from=markdown --to=docx --output=x.docx manifest.yaml", "pandoc --list-output-formats", "tesseract in.png out -l eng txt", "convert in.png -resize 50% out.jpg",
		"godot --headless --path . --script manifest.yaml create_scene {}", "psql -h localhost -c SELECT", "redis-cli -h localhost PING",
		"docker logs -f webshop-web-1", "docker rm -f webshop-web-1", "docker exec -i -t webshop-web-1 ls", "docker inspect -f {{.State.Status}} webshop-web-1", "kubectl logs -f " + pod,
		"docker compose -f manifest.yaml logs -f web", "aws ec2 describe-instances --some-option value --no-paginate", "aws dynamodb scan --table-name carts --unknown 1",
		"az vm list --unknown value --all", "gcloud compute instances list --unknown value", "gh pr merge 42 -s -d", "kubectl get --raw /healthz", "psql -tAc select", "ollama list", "cargo build --release", "go test ./...",
	} {
		if r := m.line(line); r.code != 0 {
			t.Errorf("%s: exit code %d: %s%s", line, r.code, r.out, r.err)
		}
	}
}

func TestJSON(t *testing.T) {
	m := newMachine(t, 7)
	m.put("in.mp4", "x")
	for _, line := range []string{
		"kubectl get pods -o json", "kubectl get deploy webshop -o json", "kubectl get deploy/webshop --output=json", "kubectl get nodes -ojson", "kubectl version -o json",
		"kubectl config view -o json", "kubectl create configmap x -o json", "docker inspect webshop-web-1", "docker image inspect webshop:3.4.1", "docker version --format json",
		"docker compose ls --format json", "helm list -o json", "helm status webshop -o json", "helm search repo x -o json", "gh issue list --json number,title",
		"gh pr view 42 --json title", "gh repo view --json name", "gh api user", "gh run list --json databaseId", "aws sts get-caller-identity", "aws s3api list-buckets",
		"aws ec2 describe-instances", "aws lambda list-functions", "gcloud projects list --format=json", "gcloud compute instances describe web-1 --format json",
		"gcloud config list --format=json", "az account show", "az group list", "az vm list -o json", "terraform show -json", "terraform output -json", "terraform version -json",
		"ffprobe -v error -of json -show_streams in.mp4", "cargo metadata --format-version 1", "go env -json", "ansible-inventory --list", "tree -J .", "sqlite3 -json x SELECT",
	} {
		r := m.line(line)
		var v any
		if err := json.Unmarshal([]byte(r.out), &v); err != nil || r.code != 0 {
			t.Errorf("%s: exit code %d, %v: %.300s %s", line, r.code, err, r.out, r.err)
		}
	}
	for _, line := range []string{"docker ps --format json", "docker images --format={{json|.}}", "docker volume ls --format json", "docker compose ps --format json"} {
		r := m.run(strings.Fields(strings.ReplaceAll(line, "|", " "))...)
		if strings.Contains(line, "|") {
			r = m.run("docker", "images", "--format", "{{json .}}")
		}
		lines := strings.Split(strings.TrimSpace(r.out), "\n")
		for _, l := range lines {
			if !json.Valid([]byte(l)) || len(lines) != 2 {
				t.Errorf("%s: %s", line, r.out)
			}
		}
	}
	for _, line := range []string{"kubectl get pods -o yaml", "kubectl get svc webshop -o yaml", "kubectl config view", "kubectl config view --raw", "helm list -o yaml", "gcloud projects list --format=yaml", "docker compose config"} {
		r := m.line(line)
		var v map[string]any
		var list []any
		if yaml.Unmarshal([]byte(r.out), &v) != nil && yaml.Unmarshal([]byte(r.out), &list) != nil || len(v)+len(list) == 0 {
			t.Errorf("%s: no YAML: %.300s", line, r.out)
		}
	}
}

// The names of a list are found, others are not.
func TestNames(t *testing.T) {
	m := newMachine(t, 7)
	for _, kind := range []string{"pods", "deployments", "services", "nodes", "namespaces", "configmaps", "secrets", "jobs", "ingresses", "pvc"} {
		names := strings.Fields(m.line("kubectl get " + kind + " -o name").out)
		if len(names) != 2 {
			t.Errorf("%s: %q", kind, names)
			continue
		}
		for _, name := range names {
			if r := m.line("kubectl get " + name); r.code != 0 || !strings.HasPrefix(r.out, "NAME") {
				t.Errorf("%s: %d %s%s", name, r.code, r.out, r.err)
			}
		}
	}
	for line, want := range map[string]string{
		"kubectl get pods nope":             `Error from server (NotFound): pods "nope" not found`,
		"kubectl get bananas":               `error: the server doesn't have a resource type "bananas"`,
		"kubectl bananas":                   `error: unknown command "bananas" for "kubectl"`,
		"kubectl apply -f /nonexistent":     `error: the path "/nonexistent" does not exist`,
		"docker inspect nope":               `Error: No such object: nope`,
		"docker bananas":                    `docker: 'bananas' is not a docker command.`,
		"helm status nope":                  `Error: release: not found`,
		"terraform bananas":                 `Terraform has no command named "bananas".`,
		"gh bananas":                        `unknown command "bananas" for "gh"`,
		"adb bananas":                       `adb: unknown command bananas`,
		"go bananas":                        `go bananas: unknown command`,
		"ffmpeg -i /nonexistent out.mp4":    `/nonexistent: No such file or directory`,
		"pandoc /nonexistent":               `pandoc: /nonexistent: withBinaryFile: does not exist (No such file or directory)`,
		"docker compose -f /nonexistent ps": `open /nonexistent: no such file or directory`,
	} {
		if r := m.line(line); r.code == 0 || !strings.HasPrefix(r.err, want) {
			t.Errorf("%s: %d %q, want %q", line, r.code, r.err, want)
		}
	}
}

func TestTemplate(t *testing.T) {
	m := newMachine(t, 7)
	r := m.run("docker", "ps", "--format", `{{.Names}}|{{ .Image }}\t{{.Nothing}}`)
	if want := "webshop-web-1|webshop:3.4.1\t<no value>\nwebshop-db-1|postgres:16.4\t<no value>\n"; r.out != want {
		t.Errorf("got %q, want %q", r.out, want)
	}
	if r := m.run("docker", "ps", "--format", strings.Repeat("{{.ID}}", 14000)); r.out != "" {
		t.Errorf("%d bytes for a template that is too long", len(r.out))
	}
}

// What is written has the format that its name says.
func TestFilesThatAreWritten(t *testing.T) {
	m := newMachine(t, 7)
	m.put("in.png", "x")
	for line, begins := range map[string]string{
		"ffmpeg -i in.png -y out.mp4":        "\x00\x00\x00\x18ftyp",
		"ffmpeg -i in.png -y out.mp3":        "\xff\xfb",
		"ffmpeg -i in.png -y out.wav":        "RIFF",
		"ffmpeg -i in.png -y out.webm":       "\x1a\x45\xdf\xa3",
		"convert in.png -resize 10x out.jpg": "\xff\xd8\xff",
		"magick in.png out.gif":              "GIF8",
		"pandoc in.png -o out.docx":          "PK\x03\x04",
		"pandoc in.png --output=out.pdf":     "%PDF-1.4",
		"tesseract in.png out":               "webshop",
		"pdftotext in.png out.txt":           "webshop",
		"pdftoppm -png in.png out":           "\x89PNG",
		"docker save -o out.tar webshop":     "\x00",
		"adb pull /sdcard/x.png out.png":     "\x89PNG",
	} {
		if r := m.line(line); r.code != 0 {
			t.Errorf("%s: %d %s", line, r.code, r.err)
		}
		found, _ := filepath.Glob(filepath.Join(m.dir, "out*"))
		if len(found) != 1 {
			t.Errorf("%s: %q", line, found)
			continue
		}
		if content, err := os.ReadFile(found[0]); err != nil || !strings.HasPrefix(string(content), begins) {
			t.Errorf("%s: %v, %.20q", line, err, content)
		}
		if err := os.Remove(found[0]); err != nil {
			t.Fatal(err)
		}
	}
	m.put("letter.docx", "x")
	m.line("soffice --headless --convert-to pdf:writer_pdf_Export --outdir . letter.docx")
	if content, err := os.ReadFile(filepath.Join(m.dir, "letter.pdf")); err != nil || !strings.HasPrefix(string(content), "%PDF-1.4") {
		t.Errorf("%v, %.20q", err, content)
	}
	if r := m.line("ffmpeg -i in.png /nonexistent/out.mp4"); r.code == 0 {
		t.Error("written into a folder that does not exist")
	}
	screen := m.line("adb -s emulator-5554 exec-out screencap -p").out
	if p, err := png.Decode(strings.NewReader(screen)); err != nil || p.Bounds().Dx() != 1080 {
		t.Errorf("the screen: %v", err)
	}
}
