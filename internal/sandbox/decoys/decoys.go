// Package decoys makes the home directory that the target finds.
//
// It takes a seed and the time and returns a [Home]: the secrets and documents
// of a fictitious developer, the ordinary files around them, and the variables
// that the developer's shell exports. Every secret is made from the seed and
// has the format of the real thing, so that a program that looks for
// credentials takes it. Its tokens occur nowhere else in the world, so that a
// token that turns up anywhere came from here. Nothing in a file says that it
// is a decoy.
//
// Where a format only obscures a secret, as browsers do, the tokens are both
// the stored and the decoded value.
//
// The same seed and time give the same home, byte for byte; the paths depend on
// the seed alone.
package decoys

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// Home is the set of planted files.
type Home struct {
	// Decoys are the files whose accesses matter.
	Decoys []mcpsf.Decoy
	// Scenery is all other files; reading them means nothing.
	Scenery []File
	// Places are files and directories that a server can be told to work on.
	Places Places
	// Own are the paths of files that the user brought.
	Own []string
	// Domain is the domain of the developer's company. The files name many of
	// its hosts, and no real resolver knows one.
	Domain string
	// ServiceDomain is that of its databases and its cluster, which configuration
	// files lead to: the fake Internet answers there.
	ServiceDomain string
	// Owner is the developer.
	Owner Owner

	variables []Variable
	machine   Machine
}

// Owner is the developer whose home it is, as the files name them.
type Owner struct {
	First, Last, Login, Email string
	// Company is one lower-case word.
	Company string
}

// File is a scenery file. Path is absolute, inside the sandbox.
type File struct {
	Path    string
	Mode    uint32
	Content []byte
}

// Mint makes the home of one run.
func Mint(seed uint64, now time.Time) (Home, error) {
	k := newKit(seed, now)
	k.search()
	defer func() { _, _ = k.sshKey(), k.accountKey() }() // wait for the key searches even if something fails below
	home := Home{Places: places(), Domain: k.who.domain, ServiceDomain: k.who.services, Owner: Owner{k.who.first, k.who.last, k.who.login, k.who.email, k.who.company}}
	for _, furnish := range rooms() {
		if err := furnish(k, &home); err != nil {
			return Home{}, fmt.Errorf("making decoys: %w", err)
		}
	}
	uniqueIDs(home.Decoys)
	home.belong()
	return home, nil
}

// rooms lists the parts of a home.
func rooms() []func(*kit, *Home) error {
	return []func(*kit, *Home) error{
		gpgKeys, ageKey,
		awsCredentials, gcloudCredentials, azureCredentials, kubeconfig, dockerConfig,
		terraform, terraformState, vaultToken, ansibleVault, rclone, s3cfg, vpn,
		npmrc, pypirc, netrc, gitCredentials, githubHosts, stripe, databasePasswords,
		dotenv, mcpConfigs, codexConfig, assistants, modelTokens, histories,
		chrome, firefox, chats, wallets, metaMask,
		passwordExports, passwordDatabase, keyring, passwordNotes, mail, variables, cloudMachine,
		documents, pictures, projects, papers, webshop, shopDatabase, scenery,
		serviceAccount, sshKeys, // last, because their keys take long to find
	}
}

// decoy adds a file with the tokens that m recorded. The id starts with prefix;
// only the owner can read secrets.
func (h *Home) decoy(m *mint, kind, prefix, name, content string) {
	mode := uint32(0o600)
	if kind == mcpsf.DecoyDocument {
		mode = 0o644
	}
	h.Decoys = append(h.Decoys, mcpsf.Decoy{
		ID:      fmt.Sprintf("%s-%02x", prefix, m.rng.IntN(256)),
		Kind:    kind,
		Path:    path.Join(mcpsf.Home, name),
		Mode:    mode,
		Content: []byte(content),
		Tokens:  m.tokens,
	})
}

// plain adds a scenery file.
func (h *Home) plain(name string, mode uint32, content string) {
	h.Scenery = append(h.Scenery, File{Path: path.Join(mcpsf.Home, name), Mode: mode, Content: []byte(content)})
}

// uniqueIDs changes ids that are equal by chance.
func uniqueIDs(decoys []mcpsf.Decoy) {
	seen := map[string]bool{}
	for i := range decoys {
		prefix := decoys[i].ID[:strings.LastIndexByte(decoys[i].ID, '-')]
		for n := i; seen[decoys[i].ID]; n++ {
			decoys[i].ID = fmt.Sprintf("%s-%02x", prefix, n)
		}
		seen[decoys[i].ID] = true
	}
}
