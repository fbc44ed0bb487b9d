package declared

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// maxServices is how many services one package can claim to be for. A name
// that claims them all claims nothing.
const maxServices = 3

// owner is who reads a secret as a matter of course.
type owner struct {
	// places are where the secret lies below the home directory.
	places []string
	// Programs keep the secret; words name the service it opens. libraries
	// of that service look for it on their own.
	Programs  []string
	words     []string
	libraries []string
	// cloud is set for services that have machines to rent.
	cloud bool
}

func owners() []owner {
	return []owner{
		{
			places: []string{".npmrc", ".config/npm"}, Programs: []string{"npm", "npx", "pnpm", "pnpx", "yarn"}, words: []string{"npm"},
			libraries: []string{
				"npm registry-auth-token", "npm update-check", "npm npm-registry-fetch", // look for newer versions
				"npm global-directory", "npm global-dirs", "npm global-prefix", "npm @pnpm/npm-conf", // ask where packages are put
			},
		},
		{
			places:   []string{".git-credentials", ".config/git"},
			Programs: []string{"git", "git-credential-store", "git-remote-https", "git-remote-http"},
			words:    []string{"git", "github", "gitlab"},
		},
		{places: []string{".config/gh"}, Programs: []string{"gh"}, words: []string{"github", "gh"}},
		{places: []string{".ssh"}, Programs: []string{"ssh", "scp", "sftp", "ssh-add"}, words: []string{"ssh", "sftp"}},
		{
			places: []string{".aws"}, Programs: []string{"aws"}, words: []string{"aws", "amazon", "ec2"},
			libraries: []string{"pypi botocore", "pypi aiobotocore", "npm aws-sdk", "npm @aws-sdk/credential-providers", "npm @aws-sdk/credential-provider-ini"},
			cloud:     true,
		},
		{
			places: []string{".azure"}, Programs: []string{"az"}, words: []string{"azure"},
			libraries: []string{"pypi azure-identity", "pypi msal", "npm @azure/identity", "npm @azure/msal-node"},
			cloud:     true,
		},
		{
			places: []string{".config/gcloud"}, Programs: []string{"gcloud", "gsutil", "bq"}, words: []string{"gcloud", "gcp", "google"},
			libraries: []string{"pypi google-auth", "npm google-auth-library"},
			cloud:     true,
		},
		{places: []string{".docker"}, Programs: []string{"docker", "docker-compose"}, words: []string{"docker"}, libraries: []string{"pypi docker", "npm dockerode"}},
		{
			places: []string{".kube"}, Programs: []string{"kubectl", "helm"}, words: []string{"kube", "kubernetes", "k8s", "kubectl"},
			libraries: []string{"pypi kubernetes", "pypi kubernetes-asyncio", "npm @kubernetes/client-node"},
		},
		{places: []string{".pypirc", ".pip", ".config/pip"}, Programs: []string{"pip", "pip3", "twine", "uv", "uvx"}, words: []string{"pypi"}},
		{
			places: []string{".pgpass"}, Programs: []string{"psql", "pg_dump"}, words: []string{"postgres", "postgresql"},
			libraries: []string{"pypi psycopg", "pypi psycopg2", "pypi psycopg2-binary", "pypi asyncpg", "npm pgpass"},
		},
		{places: []string{".my.cnf"}, Programs: []string{"mysql", "mysqldump"}, words: []string{"mysql"}, libraries: []string{"pypi mysqlclient"}},
		{
			places: []string{".cache/huggingface"}, Programs: []string{"hf", "huggingface-cli"}, words: []string{"huggingface", "hf"},
			libraries: []string{"pypi huggingface-hub", "npm @huggingface/hub"},
		},
		{places: []string{".terraform.d"}, Programs: []string{"terraform", "tofu"}, words: []string{"terraform", "tofu", "opentofu"}},
		{places: []string{".vault-token"}, Programs: []string{"vault"}, words: []string{"vault"}, libraries: []string{"pypi hvac"}},
		{places: []string{".ansible"}, Programs: []string{"ansible", "ansible-playbook", "ansible-vault"}, words: []string{"ansible"}},
		{places: []string{".config/rclone"}, Programs: []string{"rclone"}, words: []string{"rclone"}},
		{places: []string{".s3cfg"}, Programs: []string{"s3cmd"}, words: []string{"s3"}},
		{places: []string{".config/stripe"}, Programs: []string{"stripe"}, words: []string{"stripe"}},
		{places: []string{".config/sops"}, Programs: []string{"sops", "age"}, words: []string{"sops", "age"}},
		{places: []string{".gnupg"}, Programs: []string{"gpg", "gpg2", "gpg-agent", "gpgsm"}, words: []string{"gpg", "pgp", "gnupg"}},
		{places: []string{".config/solana"}, Programs: []string{"solana", "solana-keygen"}, words: []string{"solana"}},
		{places: []string{".netrc"}, Programs: []string{"curl", "wget", "ftp", "git-remote-https", "git-remote-http"}},
	}
}

// Purpose is what the package is for, by its name and its libraries.
type Purpose struct {
	home string
	// words are those of the package's name. The user chose it by that name;
	// what the server calls itself once it runs nobody has seen before.
	words map[string]bool
	// libraries are the packages that were installed with the server.
	libraries map[string]bool
	owners    []owner
	claimed   *int // how many of them the name claims, once somebody asked
}

func newPurpose(scope Scope) Purpose {
	pkg, _, _ := strings.Cut(scope.Name, " ")
	return Purpose{home: scope.Home, words: lex.NameWords(pkg), libraries: libraryNames(scope.Packages), owners: owners()}
}

// runs tells whether the package is for a service that the program is the
// client of: a server for Kubernetes runs kubectl.
func (p *Purpose) runs(program string) bool {
	return slices.ContainsFunc(p.owners, func(o owner) bool { return slices.Contains(o.Programs, program) && p.serves(o) })
}

// OwnerOf looks a secret up by where it lies.
func (p *Purpose) OwnerOf(secret string) owner {
	rel, ok := strings.CutPrefix(secret, p.home+"/")
	if !ok {
		return owner{}
	}
	for _, o := range p.owners {
		if slices.ContainsFunc(o.places, func(s string) bool { return rel == s || paths.Under(rel, s) }) {
			return o
		}
	}
	return owner{}
}

// Covers tells whether the name of the package says that it works with the
// service the secret opens. The user chose it by that name; the description,
// which nobody has to read, does not count. Installing it opens no service.
func (p *Purpose) Covers(phase, secret string) bool {
	if phase == string(mcpsf.PhaseInstall) {
		return false
	}
	return p.services() <= maxServices && p.serves(p.OwnerOf(secret))
}

// services is how many the name of the package claims to be for.
func (p *Purpose) services() int {
	if p.claimed == nil {
		n := 0
		for _, o := range p.owners {
			if p.serves(o) {
				n++
			}
		}
		p.claimed = &n
	}
	return *p.claimed
}

func (p *Purpose) serves(o owner) bool {
	return slices.ContainsFunc(o.words, func(w string) bool { return p.words[w] })
}

// ByLibrary tells whether a library that looks for the secret on its own was
// installed with the server, and an interpreter reads it. Thieves can have the
// library, too: so this lessens a finding and never ends it.
func (p *Purpose) ByLibrary(phase, program, secret string) bool {
	return phase != string(mcpsf.PhaseInstall) && paths.IsSystem(program) && programs.IsRuntime(path.Base(program)) &&
		slices.ContainsFunc(p.OwnerOf(secret).libraries, func(l string) bool { return p.libraries[l] })
}

// UsesCloud tells whether a server asks where the machines of a cloud get their
// keys as a matter of course: it is made for that cloud, or has a library that
// looks there on its own, for keys or to say where it runs.
func (p *Purpose) UsesCloud(phase string) bool {
	if phase == string(mcpsf.PhaseInstall) {
		return false
	}
	for _, o := range p.owners {
		if !o.cloud {
			continue
		}
		if p.serves(o) || slices.ContainsFunc(o.libraries, func(l string) bool { return p.libraries[l] }) {
			return true
		}
	}
	return slices.ContainsFunc(watchers(), func(l string) bool { return p.libraries[l] })
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
