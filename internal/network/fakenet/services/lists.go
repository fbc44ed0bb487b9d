package services

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed lists.yaml
var listsText []byte

// listed is the content of lists.yaml.
type listed struct {
	API struct {
		Singular       []string `yaml:"singular"`
		PageParameters []string `yaml:"page_parameters"`
		Weather        []string `yaml:"weather"`
	} `yaml:"api"`
	Metadata struct {
		Hosts     []string `yaml:"hosts"`
		Addresses []string `yaml:"addresses"`
	} `yaml:"metadata"`
	Cluster struct {
		Labels  []string `yaml:"labels"`
		Domains []string `yaml:"domains"`
	} `yaml:"cluster"`
	Install struct {
		NotFiles  []string `yaml:"not_files"`
		Paths     []string `yaml:"paths"`
		Platforms []string `yaml:"platforms"`
		Browsers  []string `yaml:"browsers"`
	} `yaml:"install"`
	Script struct {
		APIPaths          []string `yaml:"api_paths"`
		Records           []string `yaml:"records"`
		FileParameters    []string `yaml:"file_parameters"`
		InstallerHosts    []string `yaml:"installer_hosts"`
		InstallerNames    []string `yaml:"installer_names"`
		InstallerPrefixes []string `yaml:"installer_prefixes"`
	} `yaml:"script"`
	Whoami struct {
		Locate  []string `yaml:"locate"`
		Address []string `yaml:"address"`
	} `yaml:"whoami"`
	AWSServices []string            `yaml:"aws_services"`
	Texts       map[string]textFile `yaml:"texts"`
	AWSMetadata map[string]string   `yaml:"aws_metadata"`
	GCPMetadata map[string]string   `yaml:"gcp_metadata"`
}

// textFile is a file with text content.
type textFile struct {
	Type string `yaml:"type"`
	Text string `yaml:"text"`
}

// lists parses lists.yaml once. A test ensures that it is valid.
//
//nolint:gochecknoglobals // compiled once like a regular expression, and never changed
var lists = sync.OnceValue(func() *listed {
	return wordlist.Must[listed](listsText)
})
