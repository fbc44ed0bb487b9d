package rules

import (
	"path"
	"slices"
	"strings"
)

// maxChain bounds the walk from a process to its ancestors.
const maxChain = 8

// owner is who reads a secret as a matter of course.
type owner struct {
	// programs keep the secret; words name the service it opens.
	programs []string
	words    []string
}

// ownerOf looks a secret up by where it lies in the home directory.
func (r *run) ownerOf(p string) owner {
	rel, ok := strings.CutPrefix(p, r.scope.Home+"/")
	if !ok {
		return owner{}
	}
	at := func(places ...string) bool {
		return slices.ContainsFunc(places, func(s string) bool { return rel == s || under(rel, s) })
	}
	switch {
	case at(".npmrc", ".config/npm"):
		return owner{[]string{"npm", "npx", "pnpm", "pnpx", "yarn"}, []string{"npm"}}
	case at(".git-credentials", ".config/git"):
		return owner{[]string{"git", "git-credential-store", "git-remote-https", "git-remote-http"},
			[]string{"git", "github", "gitlab"}}
	case at(".config/gh"):
		return owner{[]string{"gh"}, []string{"github", "gh"}}
	case at(".ssh"):
		return owner{[]string{"ssh", "scp", "sftp", "ssh-add"}, []string{"ssh", "sftp"}}
	case at(".aws"):
		return owner{[]string{"aws"}, []string{"aws", "amazon"}}
	case at(".azure"):
		return owner{[]string{"az"}, []string{"azure"}}
	case at(".config/gcloud"):
		return owner{[]string{"gcloud", "gsutil", "bq"}, []string{"gcloud", "gcp", "google"}}
	case at(".docker"):
		return owner{[]string{"docker", "docker-compose"}, []string{"docker"}}
	case at(".kube"):
		return owner{[]string{"kubectl", "helm"}, []string{"kube", "kubernetes", "k8s", "kubectl"}}
	case at(".pypirc", ".pip", ".config/pip"):
		return owner{[]string{"pip", "pip3", "twine", "uv", "uvx"}, []string{"pypi"}}
	case at(".pgpass"):
		return owner{[]string{"psql", "pg_dump"}, []string{"postgres", "postgresql"}}
	case at(".my.cnf"):
		return owner{[]string{"mysql", "mysqldump"}, []string{"mysql"}}
	case at(".netrc"):
		return owner{[]string{"curl", "wget", "ftp", "git-remote-https", "git-remote-http"}, nil}
	}
	return owner{}
}

// usedByOwner tells whether the program that keeps the secret read it, and
// not in order to print it. A process chooses its name; it does not choose
// what it was executed from, and the system's programs cannot be replaced in
// the sandbox. What it can do is preload code into such a program, which
// the events do not show: so this lessens a finding and never ends it.
func (r *run) usedByOwner(f *fields, pid int) bool {
	o := r.ownerOf(f.Subject)
	// A helper ("git credential-store get") answers to whoever runs it, so
	// look at the programs of the same owner that led to it.
	chain, helper := 0, false
	for ; chain < maxChain; chain++ {
		prog := r.programs[pid]
		name, ok := ownerName(prog, o)
		if !ok {
			break
		}
		if slices.ContainsFunc(prog.args, printsSecrets) {
			return false
		}
		helper = helper || strings.HasPrefix(name, "git-credential") || slices.Contains(prog.args, "credential-store")
		pid = r.parents[pid]
	}
	return chain > 1 || (chain == 1 && !helper)
}

// inPurpose tells whether the name of the package says that it works with the
// service the secret opens. The user chose it by that name; the description,
// which nobody has to read, does not count.
func (r *run) inPurpose(f *fields) bool {
	for _, w := range r.ownerOf(f.Subject).words {
		if r.purpose[w] {
			return true
		}
	}
	return false
}

// byHabit tells whether a library of good repute reads the secret on its own.
// Loaders of .env files look in every parent of the work directory, at start;
// Python's HTTP clients look into ~/.netrc before each request.
func (r *run) byHabit(f *fields) bool {
	dir, name := path.Split(f.Subject)
	dir = path.Clean(dir)
	switch name {
	case ".env":
		return !r.inCall(f) && under(r.scope.WorkDir, dir)
	case ".netrc":
		return dir == r.scope.Home && isSystem(f.Program) && strings.HasPrefix(path.Base(f.Program), "python")
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
	}
	return name, slices.Contains(o.programs, name)
}

// printsSecrets knows the arguments that make these programs hand a secret
// to whoever asks: "git credential fill", "aws configure get", "npm config
// get", "kubectl config view", "gh auth token", "gcloud auth print-...".
func printsSecrets(arg string) bool {
	switch arg {
	case "credential", "configure", "config", "token", "auth", "export-credentials":
		return true
	}
	return strings.HasPrefix(arg, "print-")
}
