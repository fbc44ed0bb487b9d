package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxChain bounds the walk from a process to its ancestors.
const maxChain = 8

// maxServices is how many services one package can claim to be for. A name
// that claims them all claims nothing.
const maxServices = 3

// owner is who reads a secret as a matter of course.
type owner struct {
	// places are where the secret lies below the home directory.
	places []string
	// programs keep the secret; words name the service it opens. libraries
	// of that service look for it on their own.
	programs  []string
	words     []string
	libraries []string
	// cloud is set for services that have machines to rent.
	cloud bool
}

func owners() []owner {
	return []owner{
		{
			places: []string{".npmrc", ".config/npm"}, programs: []string{"npm", "npx", "pnpm", "pnpx", "yarn"}, words: []string{"npm"},
			libraries: []string{
				"npm registry-auth-token", "npm update-check", "npm npm-registry-fetch", // look for newer versions
				"npm global-directory", "npm global-dirs", "npm global-prefix", "npm @pnpm/npm-conf", // ask where packages are put
			},
		},
		{
			places:   []string{".git-credentials", ".config/git"},
			programs: []string{"git", "git-credential-store", "git-remote-https", "git-remote-http"},
			words:    []string{"git", "github", "gitlab"},
		},
		{places: []string{".config/gh"}, programs: []string{"gh"}, words: []string{"github", "gh"}},
		{places: []string{".ssh"}, programs: []string{"ssh", "scp", "sftp", "ssh-add"}, words: []string{"ssh", "sftp"}},
		{
			places: []string{".aws"}, programs: []string{"aws"}, words: []string{"aws", "amazon", "ec2"},
			libraries: []string{"pypi botocore", "pypi aiobotocore", "npm aws-sdk", "npm @aws-sdk/credential-providers", "npm @aws-sdk/credential-provider-ini"},
			cloud:     true,
		},
		{
			places: []string{".azure"}, programs: []string{"az"}, words: []string{"azure"},
			libraries: []string{"pypi azure-identity", "pypi msal", "npm @azure/identity", "npm @azure/msal-node"},
			cloud:     true,
		},
		{
			places: []string{".config/gcloud"}, programs: []string{"gcloud", "gsutil", "bq"}, words: []string{"gcloud", "gcp", "google"},
			libraries: []string{"pypi google-auth", "npm google-auth-library"},
			cloud:     true,
		},
		{places: []string{".docker"}, programs: []string{"docker", "docker-compose"}, words: []string{"docker"}, libraries: []string{"pypi docker", "npm dockerode"}},
		{
			places: []string{".kube"}, programs: []string{"kubectl", "helm"}, words: []string{"kube", "kubernetes", "k8s", "kubectl"},
			libraries: []string{"pypi kubernetes", "pypi kubernetes-asyncio", "npm @kubernetes/client-node"},
		},
		{places: []string{".pypirc", ".pip", ".config/pip"}, programs: []string{"pip", "pip3", "twine", "uv", "uvx"}, words: []string{"pypi"}},
		{
			places: []string{".pgpass"}, programs: []string{"psql", "pg_dump"}, words: []string{"postgres", "postgresql"},
			libraries: []string{"pypi psycopg", "pypi psycopg2", "pypi psycopg2-binary", "pypi asyncpg", "npm pgpass"},
		},
		{places: []string{".my.cnf"}, programs: []string{"mysql", "mysqldump"}, words: []string{"mysql"}, libraries: []string{"pypi mysqlclient"}},
		{
			places: []string{".cache/huggingface"}, programs: []string{"hf", "huggingface-cli"}, words: []string{"huggingface", "hf"},
			libraries: []string{"pypi huggingface-hub", "npm @huggingface/hub"},
		},
		{places: []string{".terraform.d"}, programs: []string{"terraform", "tofu"}, words: []string{"terraform", "tofu", "opentofu"}},
		{places: []string{".vault-token"}, programs: []string{"vault"}, words: []string{"vault"}, libraries: []string{"pypi hvac"}},
		{places: []string{".ansible"}, programs: []string{"ansible", "ansible-playbook", "ansible-vault"}, words: []string{"ansible"}},
		{places: []string{".config/rclone"}, programs: []string{"rclone"}, words: []string{"rclone"}},
		{places: []string{".s3cfg"}, programs: []string{"s3cmd"}, words: []string{"s3"}},
		{places: []string{".config/stripe"}, programs: []string{"stripe"}, words: []string{"stripe"}},
		{places: []string{".config/sops"}, programs: []string{"sops", "age"}, words: []string{"sops", "age"}},
		{places: []string{".gnupg"}, programs: []string{"gpg", "gpg2", "gpg-agent", "gpgsm"}, words: []string{"gpg", "pgp", "gnupg"}},
		{places: []string{".config/solana"}, programs: []string{"solana", "solana-keygen"}, words: []string{"solana"}},
		{places: []string{".netrc"}, programs: []string{"curl", "wget", "ftp", "git-remote-https", "git-remote-http"}},
	}
}

// ownerOf looks a secret up by where it lies.
func (r *run) ownerOf(p string) owner {
	rel, ok := strings.CutPrefix(p, r.scope.Home+"/")
	if !ok {
		return owner{}
	}
	for _, o := range r.owners {
		if slices.ContainsFunc(o.places, func(s string) bool { return rel == s || under(rel, s) }) {
			return o
		}
	}
	return owner{}
}

// installers are the programs that put packages in place.
func installers() owner {
	return owner{programs: []string{"npm", "npx", "pnpm", "pnpx", "yarn", "pip", "pip3", "uv", "uvx"}}
}

// usedByOwner tells whether the program that keeps the secret read it, and
// not in order to print it. A process chooses its name; it does not choose
// what it was executed from, and the system's programs cannot be replaced in
// the sandbox. What it can do is preload code into such a program, which
// the events do not show: so this lessens a finding and never ends it.
func (r *run) usedByOwner(f *fields) bool {
	o, pid := r.ownerOf(f.Subject), f.pid
	// A helper ("git credential-store get") answers to whoever runs it, so
	// look at the programs of the same owner that led to it.
	chain, helper := 0, false
	for ; chain < maxChain; chain++ {
		prog := r.programs[pid]
		name, ok := ownerName(prog, o)
		if !ok {
			break
		}
		prints := func(arg string) bool { return printsSecrets(name, arg) }
		if slices.ContainsFunc(prog.args, prints) || pointedAt(prog.args, f.Subject) {
			return false
		}
		helper = helper || strings.HasPrefix(name, "git-credential") || slices.Contains(prog.args, "credential-store")
		pid = r.parents[pid]
	}
	return chain > 1 || (chain == 1 && !helper)
}

// inPurpose tells whether the name of the package says that it works with the
// service the secret opens. The user chose it by that name; the description,
// which nobody has to read, does not count. Installing it opens no service.
func (r *run) inPurpose(f *fields) bool {
	if f.Phase == string(mcpsf.PhaseInstall) {
		return false
	}
	return r.services() <= maxServices && r.serves(r.ownerOf(f.Subject))
}

// services is how many the name of the package claims to be for.
func (r *run) services() int {
	if r.claimed == nil {
		n := 0
		for _, o := range r.owners {
			if r.serves(o) {
				n++
			}
		}
		r.claimed = &n
	}
	return *r.claimed
}

// signsIn tells whether a credential is where one belongs, in a request to a
// host that the user configured, by a server that is named after what the
// credential is for: storage that speaks like that of a cloud is used with the
// keys of a cloud.
func (r *run) signsIn(f *fields) bool {
	claim, ok := r.declared.hosts.find(f.Host)
	return ok && claim.by == byConfiguration && strings.EqualFold(f.Part, "header Authorization") && r.inPurpose(f)
}

func (r *run) serves(o owner) bool {
	return slices.ContainsFunc(o.words, func(w string) bool { return r.purpose[w] })
}

// byLibrary tells whether a library that looks for the secret on its own was
// installed with the server, and an interpreter reads it. Thieves can have the
// library, too: so this lessens a finding and never ends it.
func (r *run) byLibrary(f *fields) bool {
	return f.Phase != string(mcpsf.PhaseInstall) && isSystem(f.Program) && isRuntime(path.Base(f.Program)) &&
		slices.ContainsFunc(r.ownerOf(f.Subject).libraries, func(l string) bool { return r.libraries[l] })
}

// byCloud tells whether a server asks where the machines of a cloud get their
// keys as a matter of course: it is made for that cloud, or has a library that
// looks there on its own, for keys or to say where it runs.
func (r *run) byCloud(f *fields) bool {
	if f.Phase == string(mcpsf.PhaseInstall) {
		return false
	}
	for _, o := range r.owners {
		if !o.cloud {
			continue
		}
		if r.serves(o) || slices.ContainsFunc(o.libraries, func(l string) bool { return r.libraries[l] }) {
			return true
		}
	}
	return slices.ContainsFunc(watchers(), func(l string) bool { return r.libraries[l] })
}

// watchers are libraries that tell an operator where a program runs.
func watchers() []string {
	return []string{
		"npm gcp-metadata", "npm @google-cloud/logging", "npm dd-trace", "npm newrelic", "npm applicationinsights", "npm @opentelemetry/resource-detector-aws",
		"npm @opentelemetry/resource-detector-gcp", "npm @opentelemetry/resource-detector-azure", "npm @opentelemetry/auto-instrumentations-node",
		"npm @aws-sdk/credential-provider-node", "npm @smithy/credential-provider-imds", "pypi ddtrace", "pypi newrelic", "pypi boto3",
		"pypi google-cloud-core", "pypi opentelemetry-resourcedetector-gcp", "pypi opentelemetry-resource-detector-azure",
	}
}

// libraryNames are the packages that were installed, "npm NAME" or "pypi
// NAME", from lines of "npm NAME@VERSION DIGEST" and "pypi FILE DIGEST".
func libraryNames(packages []string) map[string]bool {
	names := make(map[string]bool, len(packages))
	for _, line := range packages {
		kind, rest, _ := strings.Cut(line, " ")
		rest, _, _ = strings.Cut(rest, " ")
		switch kind {
		case "npm":
			if i := strings.LastIndexByte(rest, '@'); i > 0 {
				names["npm "+rest[:i]] = true
			}
		case "pypi":
			file, _, _ := strings.Cut(rest, "-")
			if i := strings.LastIndexByte(rest, '-'); strings.HasSuffix(rest, ".tar.gz") && i > 0 {
				file = rest[:i] // old names of sources have hyphens
			}
			names["pypi "+strings.ReplaceAll(strings.ToLower(file), "_", "-")] = true
		}
	}
	return names
}

// byHabit tells whether a library of good repute reads the secret on its own.
// Loaders of .env files walk up from the work directory, at start, so they
// have looked in a deeper one before; Python's HTTP clients look into ~/.netrc
// before each request, so the process goes on to the network; who asks in the
// name of npm asks a variable first where npm has its settings.
func (r *run) byHabit(f *fields) bool {
	if r.byLibrary(f) {
		return true
	}
	dir, name := path.Split(f.Subject)
	dir = path.Clean(dir)
	switch name {
	case ".env":
		return !r.inCall(f) && under(r.scope.WorkDir, dir) && r.history.walkedUp[dir]
	case ".npmrc":
		return dir == r.scope.Home && isSystem(f.Program) && path.Base(f.Program) == "node" && r.history.npm[inBox{r.box, f.pid}]
	case ".netrc":
		return dir == r.scope.Home && isSystem(f.Program) && strings.HasPrefix(path.Base(f.Program), "python") &&
			r.history.connected(r.box, f)
	}
	return false
}

// ownerName returns the name under which prog is one of o's programs, if it
// is the system's. A script counts as its interpreter's first argument:
// "node /usr/bin/npm install".
func ownerName(prog program, o owner) (string, bool) {
	if !isSystem(prog.path) {
		return "", false
	}
	name := path.Base(prog.path)
	if isRuntime(name) && len(prog.args) > 1 {
		script := path.Clean(prog.args[1])
		if !isSystem(script) {
			return "", false
		}
		name = strings.TrimSuffix(strings.TrimSuffix(path.Base(script), ".js"), "-cli")
		if name == "__pip-runner__.py" || name == "__main__.py" {
			name = path.Base(path.Dir(script)) // a package that is started as a whole
		}
	}
	return name, slices.Contains(o.programs, name)
}

// pointedAt tells whether the arguments name the secret's file. The program
// that keeps a secret knows where it is; one that is pointed at the file reads
// it as it would any other ("curl file:///home/dev/.netrc", "git diff
// --no-index"). Options that say which key to use are the exception.
func pointedAt(args []string, secret string) bool {
	name := path.Base(secret)
	if parent := path.Base(path.Dir(secret)); name == "config" || name == "credentials" {
		name = parent + "/" + name // alone it is a word like any other
	}
	for i, arg := range args {
		if i == 0 || !namesFile(arg, name) {
			continue
		}
		option, _, inOne := strings.Cut(arg, "=")
		if !inOne {
			option = args[i-1]
		}
		if !choosesKey(option) {
			return true
		}
	}
	return false
}

// namesFile finds the file's name in an argument: alone, at the end of a
// path, or behind the signs that lead to one ("@file", "x=file", "HEAD:file").
func namesFile(arg, name string) bool {
	before, ok := strings.CutSuffix(arg, name)
	return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], "/=@:,<"))
}

func choosesKey(option string) bool {
	switch option {
	case "-i", "IdentityFile", "-oIdentityFile", "--kubeconfig", "--netrc-file", "--userconfig", "--key", "--cert":
		return true
	}
	return false
}

// printsSecrets knows the arguments that make these programs hand a secret
// to whoever asks: "git credential fill", "aws configure get", "yarn config
// list", "kubectl config view", "gh auth token", "gcloud auth print-...".
func printsSecrets(program, arg string) bool {
	switch arg {
	case "config":
		return program != "npm" && program != "git" // these two keep theirs back
	case "credential", "configure", "token", "auth", "export-credentials":
		return true
	}
	return strings.HasPrefix(arg, "print-")
}
