package protocols

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

const sha2Plugin = "caching_sha2_password"

// The capability flags of client and server.
const (
	mysqlConnectDB  = 1 << 3
	mysqlSSL        = 1 << 11
	mysqlPluginAuth = 1 << 19
	mysqlAttributes = 1 << 20
	mysqlLenencAuth = 1 << 21
	mysqlStatements = 1 << 16
	mysqlMultiple   = 7 << 16 // multiple statements and results
	mysqlCommon     = 0xf7df  // the flags of every server since version 4.1, without compression and TLS
	mysqlAutocommit = 2       // the status of a session

	mysqlInTransaction = 1
	mysqlMoreResults   = 8
	mysqlCharset       = 0xff // utf8mb4
	mysqlFullPacket    = 1<<24 - 1
	mysqlAuthMore      = 1
	mysqlFastSuccess   = 3
	mysqlFullLogin     = 4
)

func mysql() speaker {
	return speaker{
		name:  "mysql",
		ports: []uint16{3306, 3307},
		match: never,
		serve: func(_ context.Context, w *wire) error {
			r := &relations{wire: w, session: w.stored().SQL.Session(relational.MySQL, w.now())}
			defer r.session.Close()
			return r.lead()
		},
	}
}

// relations is a session with the tables of the run.
type relations struct {
	*wire

	session    *relational.Session
	multiple   bool // the client may send several statements at once
	seq        byte // number of the next packet
	prepared   map[uint32]*mysqlPrepared
	remembered int    // bytes of prepared statements
	number     uint32 // of the last prepared statement
}

func (r *relations) lead() error {
	r.exact = true // TLS begins right behind the packet that requests it
	r.greet()
	if err := r.login(); err != nil {
		return err
	}
	r.exact = false
	for {
		p, err := r.packet("query")
		if err != nil {
			return err
		}
		r.tell("query")
		if len(p) == 0 {
			return errStray
		}
		if p[0] == 1 { // COM_QUIT
			return nil
		}
		r.obey(p[0], p[1:])
	}
}

func (r *relations) greet() {
	salt := r.nonce()
	for i, c := range salt {
		salt[i] = c&0x3f + 0x30 // printable, never NUL
	}
	able := uint32(mysqlCommon | mysqlMultiple | mysqlPluginAuth | mysqlAttributes | mysqlLenencAuth)
	if r.canSecure() {
		able |= mysqlSSL
	}
	p := append([]byte{10}, cstrings(relational.MySQLVersion)...)
	p = binary.LittleEndian.AppendUint32(p, 30+uint32(salt[20]))
	p = append(append(p, salt[:8]...), 0)
	p = binary.LittleEndian.AppendUint16(p, uint16(able))
	p = append(p, mysqlCharset, mysqlAutocommit, 0)
	p = binary.LittleEndian.AppendUint16(p, uint16(able>>16))
	p = append(p, 21)
	p = append(p, make([]byte, 10)...)
	p = append(append(p, salt[8:20]...), 0)
	r.send(append(p, cstrings(sha2Plugin)...))
}

// login accepts every user. Inside TLS, clients send their password in clear if
// asked; without TLS, only its digest is seen.
func (r *relations) login() error {
	p, err := r.packet("login")
	if err != nil {
		return err
	}
	r.tell("login")
	if len(p) == 32 && binary.LittleEndian.Uint32(p)&mysqlSSL != 0 && r.canSecure() {
		if err := r.upgrade(); err != nil {
			return err
		}
		if p, err = r.packet("login"); err != nil {
			return err
		}
		r.tell("login")
	}
	if len(p) < 32 {
		return errStray
	}
	able := binary.LittleEndian.Uint32(p)
	r.multiple = able&mysqlStatements != 0
	digest, plugin := r.credentials(p[32:], able)
	if plugin == sha2Plugin && len(digest) > 0 {
		if err := r.sha2(); err != nil {
			return err
		}
	}
	r.ok(0, 0, 0)
	return nil
}

func (r *relations) sha2() error {
	if !r.secure {
		r.send([]byte{mysqlAuthMore, mysqlFastSuccess})
		return nil
	}
	r.send([]byte{mysqlAuthMore, mysqlFullLogin})
	_, err := r.packet("login")
	r.tell("login")
	return err
}

// credentials finds the digest of the password and the plugin that made it. Every
// name of a database is one of that with the tables.
func (r *relations) credentials(p []byte, able uint32) (digest []byte, plugin string) {
	user, p := cstring(p)
	if user != "" {
		r.session.User = strings.ToValidUTF8(user[:min(len(user), nameMax)], "")
	}
	if len(p) == 0 {
		return nil, ""
	}
	n := min(int(p[0]), len(p)-1) // a digest has 20 or 32 bytes; every client encodes that length in one byte
	digest, p = p[1:1+n], p[1+n:]
	if able&mysqlConnectDB != 0 {
		var name string
		if name, p = cstring(p); name != "" {
			r.session.Database = strings.ToValidUTF8(name[:min(len(name), nameMax)], "")
		}
	}
	if able&mysqlPluginAuth != 0 {
		plugin, _ = cstring(p)
	}
	return bytes.Clone(digest), plugin
}

// packet reads a packet and its continuations. Only the beginning of a long
// packet is returned.
func (r *relations) packet(part string) ([]byte, error) {
	var whole []byte
	for first := true; ; first = false {
		head, err := r.take(4)
		if err != nil {
			return nil, err
		}
		size := int64(head[0]) | int64(head[1])<<8 | int64(head[2])<<16
		r.seq = head[3] + 1
		p, err := r.head(part, size)
		if err != nil {
			return nil, err
		}
		if first {
			whole = p
		}
		if size < mysqlFullPacket {
			return whole, nil
		}
	}
}

func (r *relations) send(p []byte) {
	r.put(byte(len(p)), byte(len(p)>>8), byte(len(p)>>16), r.seq)
	r.put(p...)
	r.seq++
}

// ok says what a statement without a result did.
func (r *relations) ok(affected, id int64, more uint16) {
	p := lenencInt([]byte{0}, uint64(affected))
	p = lenencInt(p, uint64(id))
	r.send(append(binary.LittleEndian.AppendUint16(p, r.status()|more), 0, 0))
}

func (r *relations) eof(more uint16) {
	r.send(binary.LittleEndian.AppendUint16([]byte{0xfe, 0, 0}, r.status()|more))
}

func (r *relations) status() uint16 {
	if r.session.Status() != 'I' {
		return mysqlAutocommit | mysqlInTransaction
	}
	return mysqlAutocommit
}
