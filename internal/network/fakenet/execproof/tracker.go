// Package execproof proves that a served file was executed. The URL of the file
// goes in; a harmless script or program comes out that does one thing when it
// runs: it asks the fake Internet for a path or a name that is the product of
// two numbers and therefore not written in the file. A client that only reads,
// prints, parses or follows the links of the file never asks for it.
package execproof

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
)

// The languages of scripts.
const (
	Shell      = "sh"
	PowerShell = "ps1"
	Python     = "py"
	JavaScript = "js"
	// Pickle is a Python pickle, which runs code when it is loaded.
	Pickle = "pkl"
	// Program is an ELF program, not a script.
	Program = "elf"
)

// maxServed is how many different files are remembered; files served after that
// do not report.
// no gap: every fetched file and every program that runs is an event; only the proof that ties the two is not made
const maxServed = 4096

// reportPath is where a script reports to. It looks like an update check.
const reportPath = "/v1/version/"

// Origin is where a file is fetched from.
type Origin struct {
	// URL names the file in the report.
	URL string
	// Scheme and Host ("name", "name:port") are where the script reports to.
	Scheme, Host string
}

// Tracker makes scripts and programs that report when they are run, and
// recognises their reports. It is safe for concurrent use.
type Tracker struct {
	seed   uint64
	mu     sync.Mutex
	served map[string]*mcpsf.ExecProofDetail // by product
}

// New makes an empty tracker. The same seed makes the same scripts.
func New(seed uint64) *Tracker {
	return &Tracker{seed: seed, served: map[string]*mcpsf.ExecProofDetail{}}
}

// Script is the file that is served, in that language or as a program. The same
// origin gets the same bytes, so that it may be fetched in ranges. It is nil if
// the language is unknown or too many files were served.
func (t *Tracker) Script(kind string, from Origin) []byte {
	p := t.plan(kind, from)
	write, ok := map[string]func(*plan) []byte{
		Shell: shell, PowerShell: powerShell, Python: python, JavaScript: javaScript, Pickle: pickle, Program: program,
	}[kind]
	if !ok || !t.remember(p.product, &mcpsf.ExecProofDetail{What: mcpsf.ExecProofScript, Source: from.URL, Detail: kind}) {
		return nil
	}
	return write(p)
}

// Requested returns which file reported by requesting that path; nil: none.
func (t *Tracker) Requested(path string) *mcpsf.ExecProofDetail {
	if product, ok := strings.CutPrefix(path, reportPath); ok {
		return t.find(product)
	}
	return nil
}

// Resolved returns which file reported by looking up that name; nil: none.
func (t *Tracker) Resolved(name string) *mcpsf.ExecProofDetail {
	label, _, _ := strings.Cut(name, ".")
	if len(label) > 1 && (label[0] == 'v' || label[0] == 'V') {
		return t.find(label[1:])
	}
	return nil
}

func (t *Tracker) find(product string) *mcpsf.ExecProofDetail {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := t.served[product]
	if d == nil {
		return nil
	}
	c := *d
	return &c
}

func (t *Tracker) remember(product string, d *mcpsf.ExecProofDetail) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.served[product] == nil && len(t.served) >= maxServed {
		return false
	}
	t.served[product] = d
	return true
}

// plan has the values that a script needs.
type plan struct {
	a, b    uint64
	product string
	// base is the URL prefix of the product in a request; zone is the domain
	// suffix of the product in a lookup.
	base, zone string
	scheme     string
}

// plan draws two numbers whose product is below 2^52, so that every language
// calculates it exactly.
func (t *Tracker) plan(kind string, from Origin) *plan {
	sum := fnv.New64a()
	fmt.Fprintf(sum, "oracle %s %s", kind, from.URL) // keep the first word: changing it changes the numbers of every seed
	d := rand.New(rand.NewPCG(t.seed, sum.Sum64()))
	p := &plan{a: 1<<25 + d.Uint64N(1<<25), b: 1<<25 + d.Uint64N(1<<25), scheme: "http"}
	p.product = strconv.FormatUint(p.a*p.b, 10)
	if from.Scheme == "https" {
		p.scheme = "https"
	}
	host := harmless(from.Host)
	p.base = p.scheme + "://" + host + reportPath
	p.zone = zone(host)
	return p
}

// zone is the domain below which names are looked up: that of the host, or the
// local one if the host has none or is this machine.
func zone(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]."))
	local := !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost")
	if local || net.ParseIP(host) != nil || strings.ContainsAny(host, ":[]") || len(host) > 200 {
		return "lan"
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 {
			return "lan"
		}
	}
	return host
}

// harmless makes a host name safe to insert into any of the languages.
func harmless(host string) string {
	bad := strings.ContainsFunc(host, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(".-_:[]", c))
	})
	if bad || host == "" || len(host) > 260 {
		return mcpsf.NetRouter4
	}
	return host
}
