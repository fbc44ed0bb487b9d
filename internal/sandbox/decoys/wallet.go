package decoys

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

func wallets(k *kit, h *Home) error {
	ethereum(k, h)
	solana(k, h)
	return bitcoin(k, h)
}

// ethereum is a key encrypted with a password: without it, it cannot be
// distinguished from random bytes.
func ethereum(k *kit, h *Home) {
	m := k.mint("ethereum")
	address := m.text(40, hexits)
	// The name contains the creation time, which must not depend on today.
	made := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(m.rng.Int64N(int64(600 * 24 * time.Hour))))
	h.decoy(m, KindWallet, "eth", ".ethereum/keystore/UTC--"+made.Format("2006-01-02T15-04-05.000000000Z")+"--"+address, fmt.Sprintf(
		`{"address":"%s","crypto":{"cipher":"aes-128-ctr","ciphertext":"%s","cipherparams":{"iv":"%x"},"kdf":"scrypt","kdfparams":{"dklen":32,"n":262144,"p":1,"r":8,"salt":"%x"},"mac":"%x"},"id":"%s","version":3}`,
		address, m.secret("", 64, hexits), m.bytes(16), m.bytes(32), m.bytes(32), m.uuid()))
}

func solana(k *kit, h *Home) {
	m := k.mint("solana")
	key := ed25519.NewKeyFromSeed(m.bytes(ed25519.SeedSize))
	numbers := make([]string, len(key))
	for i, b := range key {
		numbers[i] = fmt.Sprint(b)
	}
	// The first half is the secret one.
	m.keep(strings.Join(numbers[:ed25519.SeedSize], ","))
	m.keep(string(key.Seed()))
	h.decoy(m, KindWallet, "sol", ".config/solana/id.json", "["+strings.Join(numbers, ",")+"]")
	h.plain(".config/solana/cli/config.yml", 0o644, "---\njson_rpc_url: https://api.mainnet-beta.solana.com\nwebsocket_url: ''\nkeypair_path: /home/dev/.config/solana/id.json\naddress_labels:\n  '11111111111111111111111111111111': System Program\ncommitment: confirmed\n")
}

// bitcoin is an encrypted wallet of the reference client: the keys under a
// master key, and that under a password.
func bitcoin(k *kit, h *Home) error {
	m := k.mint("bitcoin")
	text := func(s string) []byte { return append([]byte{byte(len(s))}, s...) }
	number := func(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
	t := table{
		name: "main", create: "CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)",
		indexes: []index{{columns: []int{0}}},
	}
	add := func(key, value []byte) { t.rows = append(t.rows, []any{key, value}) }
	add(text("version"), number(280000))
	add(text("minversion"), number(169900))
	add(text("flags"), append(number(0), 4, 0, 0, 0)) // by descriptors
	master := text(string(m.bytes(48)))
	master = append(append(master, text(string(m.bytes(8)))...), number(0)...)
	master = append(append(master, number(120000+m.rng.IntN(90000))...), 0)
	m.keep(string(master[1:49]))
	add(append(text("mkey"), number(1)...), master)
	for range 8 {
		public := append([]byte{33, byte(2 + m.rng.IntN(2))}, m.bytes(32)...)
		secret := m.bytes(48)
		m.keep(string(secret))
		add(append(append(text("walletdescriptorckey"), m.bytes(32)...), public...), append([]byte{48}, secret...))
	}
	file, err := database(t)
	if err != nil {
		return fmt.Errorf("writing a wallet: %w", err)
	}
	binary.BigEndian.PutUint32(file[68:], 0xf9beb4d9) // of the main network
	h.decoy(m, KindWallet, "btc", ".bitcoin/wallets/savings/wallet.dat", string(file))
	return nil
}

// metaMask is the store of a browser wallet.
func metaMask(k *kit, h *Home) error {
	m := k.mint("metamask")
	b64 := func(n int) string { return base64.StdEncoding.EncodeToString(m.bytes(n)) }
	vault, err := json.Marshal(fmt.Sprintf(`{"data":"%s","iv":"%s","keyMetadata":{"algorithm":"PBKDF2","params":{"iterations":600000}},"salt":"%s"}`,
		m.keep(b64(420)), b64(16), b64(32)))
	if err != nil {
		return fmt.Errorf("quoting a vault: %w", err)
	}
	address := "0x" + m.text(40, hexits)
	return h.level(m, KindWallet, "metamask", chromeDir+"Default/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn",
		entry{"data", fmt.Sprintf(
			`{"AccountsController":{"internalAccounts":{"accounts":{"%[1]s":{"address":"%[2]s","id":"%[1]s","metadata":{"name":"Account 1"}}},"selectedAccount":"%[1]s"}},"KeyringController":{"vault":%[3]s},"OnboardingController":{"completedOnboarding":true}}`,
			m.uuid(), address, vault)},
		entry{"meta", `{"version":156}`})
}
