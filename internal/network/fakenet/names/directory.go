package names

import (
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"strings"
	"sync"
)

// maxNames bounds how many names are remembered. Further names get addresses,
// too, but their addresses do not lead back to the name.
// no gap: what is not remembered is shown by its address, and explains nothing
const maxNames = 1 << 16

// Directory knows which names exist and which addresses they have.
type Directory struct {
	seed uint64
	// fixed are the names that we serve ourselves.
	fixed map[string]netip.Addr
	// open says that other names exist, too.
	open bool

	// steer decides the address of some names; asked counts how often they were
	// asked for.
	steer func(name string, nth int) (netip.Addr, bool)
	asked map[string]int

	mu        sync.Mutex
	addresses map[string]netip.Addr
	names     map[netip.Addr]string
	learned   map[string]bool
}

// New makes a directory. The fixed names have these addresses. If open is set,
// others exist, with addresses made from the seed.
func New(seed uint64, fixed map[string]netip.Addr, open bool) *Directory {
	b := &Directory{
		seed: seed, fixed: map[string]netip.Addr{}, open: open,
		addresses: map[string]netip.Addr{}, names: map[netip.Addr]string{}, learned: map[string]bool{},
	}
	for name, address := range fixed {
		b.fixed[canonical(name)] = address
		b.names[address] = canonical(name)
	}
	return b
}

// Steer sets a function that decides the address of some names. It is called
// first, with how often the name was asked for before. Steer must be called
// before the directory is used.
func (b *Directory) Steer(to func(name string, nth int) (netip.Addr, bool)) {
	b.steer, b.asked = to, map[string]int{}
}

// steered is the address that the function of Steer decides.
func (b *Directory) steered(name string, six bool) (netip.Addr, bool) {
	if b.steer == nil {
		return netip.Addr{}, false
	}
	b.mu.Lock()
	nth := b.asked[name]
	if !six && (nth > 0 || len(b.asked) < maxNames) {
		b.asked[name]++
	}
	b.mu.Unlock()
	return b.steer(name, nth)
}

// canonical is a name as resolvers compare it.
func canonical(name string) string {
	return strings.ToLower(strings.TrimSuffix(name, "."))
}

// Name is the name that an address was given to, "" if none.
func (b *Directory) Name(address netip.Addr) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.names[address.Unmap()]
}

// Address4 is the IPv4 address of a name; false if it has none.
func (b *Directory) Address4(name string) (netip.Addr, bool) { return b.address(name, false) }

// Address6 is the IPv6 address of a name. Names of the local network have none.
func (b *Directory) Address6(name string) (netip.Addr, bool) { return b.address(name, true) }

func (b *Directory) address(name string, six bool) (netip.Addr, bool) {
	name = canonical(name)
	if a, ok := b.fixed[name]; ok {
		return a, a.Is6() == six
	}
	if a, ok := b.steered(name, six); ok {
		return a, a.Is6() == six
	}
	switch {
	case name == "localhost" && six:
		return netip.IPv6Loopback(), true
	case name == "localhost":
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), true
	case isMetadata(name):
		return netip.AddrFrom4([4]byte{169, 254, 169, 254}), !six
	case !b.known(name):
		return netip.Addr{}, false
	}
	return b.handOut(name, six), true
}

// Exists says whether a name exists, with or without addresses.
func (b *Directory) Exists(name string) bool {
	name = canonical(name)
	_, ours := b.fixed[name]
	return ours || name == "localhost" || isMetadata(name) || b.known(name)
}

// Learn records whether a name exists that the directory does not decide. Its
// address is still made up, because it says which name a connection is for.
func (b *Directory) Learn(name string, exists bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name = canonical(name)
	if _, known := b.learned[name]; known || len(b.learned) < maxNames {
		b.learned[name] = exists
	}
}

func (b *Directory) known(name string) bool {
	b.mu.Lock()
	there, learned := b.learned[name]
	b.mu.Unlock()
	if learned {
		return there
	}
	return b.open && exists(name)
}

// handOut finds the address of a name, or makes one that no other name has.
func (b *Directory) handOut(name string, six bool) netip.Addr {
	key := name
	if six {
		key += " 6"
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if a, ok := b.addresses[key]; ok {
		return a
	}
	var a netip.Addr
	for attempt := uint64(0); ; attempt++ {
		a = b.madeUp(key, attempt, six)
		if _, taken := b.names[a]; !taken {
			break
		}
	}
	if len(b.addresses) < maxNames {
		b.addresses[key], b.names[a] = a, name
	}
	return a
}

// madeUp is an address that looks like one of a large provider. Nothing is ever
// sent there.
func (b *Directory) madeUp(key string, attempt uint64, six bool) netip.Addr {
	var mixed [16]byte
	binary.LittleEndian.PutUint64(mixed[:], b.seed)
	binary.LittleEndian.PutUint64(mixed[8:], attempt)
	sum := sha256.Sum256(append(mixed[:], key...))
	if six {
		a := [16]byte{0x26, 0x06, 0x47, 0x00}
		copy(a[4:8], sum[:4])
		copy(a[12:], sum[4:8])
		return netip.AddrFrom16(a)
	}
	blocks := [...][2]byte{{104, 18}, {104, 21}, {172, 67}, {151, 101}, {13, 224}, {52, 216}, {34, 149}, {140, 82}}
	block := blocks[int(sum[4])%len(blocks)]
	return netip.AddrFrom4([4]byte{block[0], block[1], sum[0], 1 + sum[1]%254})
}
