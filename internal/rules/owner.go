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
	// programs keep the secret; words name the service it opens.
	programs []string
	words    []string
}

func owners() []owner {
	return []owner{
		{[]string{".npmrc", ".config/npm"}, []string{"npm", "npx", "pnpm", "pnpx", "yarn"}, []string{"npm"}},
		{
			[]string{".git-credentials", ".config/git"},
			[]string{"git", "git-credential-store", "git-remote-https", "git-remote-http"},
			[]string{"git", "github", "gitlab"},
		},
		{[]string{".config/gh"}, []string{"gh"}, []string{"github", "gh"}},
		{[]string{".ssh"}, []string{"ssh", "scp", "sftp", "ssh-add"}, []string{"ssh", "sftp"}},
		{[]string{".aws"}, []string{"aws"}, []string{"aws", "amazon"}},
		{[]string{".azure"}, []string{"az"}, []string{"azure"}},
		{[]string{".config/gcloud"}, []string{"gcloud", "gsutil", "bq"}, []string{"gcloud", "gcp", "google"}},
		{[]string{".docker"}, []string{"docker", "docker-compose"}, []string{"docker"}},
		{[]string{".kube"}, []string{"kubectl", "helm"}, []string{"kube", "kubernetes", "k8s", "kubectl"}},
		{[]string{".pypirc", ".pip", ".config/pip"}, []string{"pip", "pip3", "twine", "uv", "uvx"}, []string{"pypi"}},
		{[]string{".pgpass"}, []string{"psql", "pg_dump"}, []string{"postgres", "postgresql"}},
		{[]string{".my.cnf"}, []string{"mysql", "mysqldump"}, []string{"mysql"}},
		{[]string{".netrc"}, []string{"curl", "wget", "ftp", "git-remote-https", "git-remote-http"}, nil},
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
	services := 0
	for _, o := range r.owners {
		if r.serves(o) {
			services++
		}
	}
	return services <= maxServices && r.serves(r.ownerOf(f.Subject))
}

func (r *run) serves(o owner) bool {
	return slices.ContainsFunc(o.words, func(w string) bool { return r.purpose[w] })
}

// byHabit tells whether a library of good repute reads the secret on its own.
// Loaders of .env files walk up from the work directory, at start, so they
// have looked in a deeper one before; Python's HTTP clients look into ~/.netrc
// before each request, so the process goes on to the network.
func (r *run) byHabit(f *fields) bool {
	dir, name := path.Split(f.Subject)
	dir = path.Clean(dir)
	switch name {
	case ".env":
		return !r.inCall(f) && under(r.scope.WorkDir, dir) && r.history.walkedUp[dir]
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
