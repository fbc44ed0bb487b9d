package attack

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// World is what is planted in one run: programs, files and names that only a
// successful attack uses.
//
// The pipeline plants [World.Programs] and [World.Files], and its network calls
// [World.Resolve] and [World.Location].
type World struct {
	seed uint64
	// Roots are the directories that the server may work in.
	Roots []string
	// Outside is a directory outside the roots.
	Outside string
	// Zone is a domain whose names are all ours.
	Zone string
}

// How many there are of each. Each class has a range of its own, so that even a
// late sign names its class.
const (
	programs = 160
	secrets  = 128
	vaults   = 48
)

// New makes the world of a run. The roots are absolute paths in the sandbox;
// without roots the work directory is the root.
func New(seed uint64, roots ...string) *World {
	w := &World{seed: seed}
	for _, r := range roots {
		if at := path.Clean(r); path.IsAbs(r) && !slices.Contains(w.Roots, at) {
			w.Roots = append(w.Roots, at)
		}
	}
	if len(w.Roots) == 0 {
		w.Roots = []string{mcpsf.WorkDir}
	}
	w.Zone = w.word("zone", 0) + ".example"
	w.Outside = "/" + w.word("outside", 0)
	for _, dir := range []string{mcpsf.Home + "/.local/share", "/var/tmp", "/opt"} {
		if !slices.ContainsFunc(w.Roots, func(r string) bool { return r == "/" || dir == r || strings.HasPrefix(dir, r+"/") }) {
			w.Outside = path.Join(dir, w.word("outside", 0))
			break
		}
	}
	return w
}

// Program is the name of a program on PATH that does nothing.
func (w *World) Program(i int) string { return w.word("program", i%programs) }

// Programs lists all programs.
func (w *World) Programs() []string { return list(programs, w.Program) }

// Secret is the path of a file outside the roots. The name has no extension;
// the same name with each of a few common extensions exists, too.
func (w *World) Secret(i int) string {
	return path.Join(w.Outside, w.word("secret", i%secrets))
}

// Vault is a directory outside the roots that contains a file.
func (w *World) Vault(i int) string {
	return path.Join(w.Outside, w.word("vault", i%vaults))
}

// Host is a name that no server has a reason to resolve.
func (w *World) Host(i int) string { return w.word("host", i) + "." + w.Zone }

// Loopback is a loopback address on which nothing listens.
func (w *World) Loopback(i int) string {
	h := w.hash("loopback", i)
	return fmt.Sprintf("127.%d.%d.%d", 1+h%250, 1+h>>8%250, 2+i%250)
}

// Inward is a name that resolves to [World.Loopback], as do its subdomains.
func (w *World) Inward(i int) (name, address string) {
	return fmt.Sprintf("i%d.%s", i, w.Zone), w.Loopback(i)
}

// Rebinding is a name that resolves to a public address the first time and to
// [World.Loopback] afterwards.
func (w *World) Rebinding(i int) (name, address string) {
	return fmt.Sprintf("b%d.%s", i, w.Zone), w.Loopback(i)
}

// Redirect is an ordinary URL whose server redirects to [World.Loopback].
func (w *World) Redirect(i int) (url, address string) {
	return fmt.Sprintf("http://r%d.%s/", i, w.Zone), w.Loopback(i)
}

// Resolve returns the address of a special name for the nth query, counted from
// 0 for each record type. For any other name it returns false.
func (w *World) Resolve(name string, nth int) (netip.Addr, bool) {
	kind, i, ok := w.special(name)
	if !ok || kind == 'r' || kind == 'b' && nth == 0 {
		return netip.Addr{}, false
	}
	a, err := netip.ParseAddr(w.Loopback(i))
	return a, err == nil
}

// Location returns the address that the web server of that name redirects to.
func (w *World) Location(name string) (string, bool) {
	kind, i, ok := w.special(name)
	return "http://" + w.Loopback(i) + "/", ok && kind == 'r'
}

// special parses the last label before the zone: a letter and a number.
func (w *World) special(name string) (kind byte, i int, ok bool) {
	rest, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(name, ".")), "."+w.Zone)
	label := rest[strings.LastIndexByte(rest, '.')+1:]
	if !ok || len(label) < 2 || len(label) > 5 || strings.IndexByte("ibr", label[0]) < 0 {
		return 0, 0, false
	}
	i, err := strconv.Atoi(label[1:])
	return label[0], i, err == nil && i >= 0
}

// Number returns two factors and their product. The product is too long to
// occur by chance and is exact in every language.
func (w *World) Number(class string, i int) (a, b, product int) {
	h := w.hash(class+" number", i)
	a = 100_003 + int(h%799_000)
	b = 100_019 + int(h>>24%799_000)
	return a, b, a * b
}

// Word is a name without meaning.
func (w *World) Word(class string, i int) string { return w.word(class+" word", i) }

// word begins with letters, so that it is an identifier in every language, and
// is lower case, as host names are. The number in it keeps two words of a kind
// distinct.
func (w *World) word(what string, i int) string {
	h := w.hash(what, 0)
	return fmt.Sprintf("mc%c%04x%02x", 'g'+byte(h>>32%20), h&0xffff, i)
}

func (w *World) hash(what string, i int) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, w.seed))
	_, _ = h.Write([]byte(what))
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(i)))
	// The low bits of FNV depend on the last bytes most.
	return h.Sum64() * 0x9e3779b97f4a7c15 >> 8
}

func list(n int, f func(int) string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = f(i)
	}
	return all
}
