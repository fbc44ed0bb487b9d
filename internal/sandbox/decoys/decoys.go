// Package decoys furnishes the home directory that the target finds.
//
// In comes a seed and the time, out goes a [Home]: the secrets and documents
// of a developer who does not exist, the ordinary files around them, and the
// variables that the developer's shell exports. Every secret is minted from the
// seed and has the format of the real thing, so that a program that looks for
// credentials takes it, and its tokens occur nowhere else in the world, so that
// wherever one turns up it came from here. Nothing in a file says that it is
// a decoy.
//
// Where a format hides a secret from the eye but not from a thief, as browsers
// do, the tokens are both: what lies in the file, and what comes out of it.
//
// The same seed and time give the same home, byte for byte; the paths depend
// on the seed alone.
package decoys

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// Home is what is planted.
type Home struct {
	// Decoys are the files whose fate matters.
	Decoys []mcpsf.Decoy
	// Scenery is everything else a home has; reading it means nothing.
	Scenery []File
	// Places are what a server can be told to work on.
	Places Places
	// Domain is where the developer's company has its hosts. The files name
	// many of them, and no resolver of the world knows one.
	Domain string

	variables []Variable
	machine   Machine
}

// File is a piece of scenery. Path is absolute, inside the sandbox.
type File struct {
	Path    string
	Mode    uint32
	Content []byte
}

// Mint makes the home of one run.
func Mint(seed uint64, now time.Time) (Home, error) {
	k := newKit(seed, now)
	k.search()
	defer func() { _, _ = k.sshKey(), k.accountKey() }() // wait for the searches, whatever fails below
	home := Home{Places: places(), Domain: k.who.domain}
	for _, furnish := range rooms() {
		if err := furnish(k, &home); err != nil {
			return Home{}, fmt.Errorf("making decoys: %w", err)
		}
	}
	uniqueIDs(home.Decoys)
	home.belong()
	return home, nil
}

// rooms lists what a home is made of.
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
		serviceAccount, sshKeys, // last: their keys are still being looked for
	}
}

// decoy adds a file with the tokens that m recorded. The id starts with
// prefix; secrets are readable by their owner only.
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

// plain adds a piece of scenery.
func (h *Home) plain(name string, mode uint32, content string) {
	h.Scenery = append(h.Scenery, File{Path: path.Join(mcpsf.Home, name), Mode: mode, Content: []byte(content)})
}

// uniqueIDs tells apart ids that chance made equal.
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
