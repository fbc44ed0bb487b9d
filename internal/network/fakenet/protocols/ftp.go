package protocols

import (
	"cmp"
	"context"
	"net"
	"strings"
)

func ftp() speaker {
	return speaker{
		name:  "ftp",
		ports: []uint16{21, 990},
		match: func(first []byte) match {
			// This client does not wait for the greeting. IRC also begins with
			// USER, but with more words.
			if line, _, whole := strings.Cut(string(first), "\n"); whole && len(strings.Fields(line)) <= 2 {
				return opensAny(first, "USER ")
			}
			return no
		},
		serve: func(_ context.Context, w *wire) error { return (&filer{wire: w}).lead() },
	}
}

// filer is the control connection. The client sends files over other
// connections, to the port that it is given; all bytes sent there are read.
type filer struct {
	*wire

	passive uint16 // the last port given to the client
}

func (f *filer) lead() error {
	f.printf("220 (vsFTPd 3.0.5)\r\n")
	for {
		line, err := f.line()
		if err != nil {
			return err
		}
		verb, rest := word(line)
		switch verb {
		case "USER", "PASS", "ACCT":
			f.tell("login")
		default:
			f.tell("")
		}
		switch verb {
		case "QUIT":
			f.printf("221 Goodbye.\r\n")
			return nil
		case "AUTH":
			if !f.canSecure() {
				f.printf("530 Please login with USER and PASS.\r\n")
				continue
			}
			f.printf("234 Proceed with negotiation.\r\n")
			if err := f.upgrade(); err != nil {
				return err
			}
		default:
			f.obey(verb, rest)
		}
	}
}

func (f *filer) obey(verb, rest string) {
	switch verb {
	case "PASV", "EPSV":
		f.open(verb)
	case "FEAT":
		f.printf("211-Features:\r\n EPSV\r\n MDTM\r\n PASV\r\n REST STREAM\r\n SIZE\r\n TVFS\r\n UTF8\r\n211 End\r\n")
	case "MKD", "XMKD":
		f.printf("257 %q created\r\n", rest)
	default:
		f.printf("%s\r\n", filed(verb))
	}
}

// open gives the client a port for the next file.
func (f *filer) open(verb string) {
	f.passive = max(f.passive+1, 50101)
	if verb == "EPSV" {
		f.printf("229 Entering Extended Passive Mode (|||%d|)\r\n", f.passive)
		return
	}
	addr, _ := f.conn.LocalAddr().(*net.TCPAddr)
	if addr == nil || addr.IP.To4() == nil {
		f.printf("425 Can't open passive connection.\r\n")
		return
	}
	ip := addr.IP.To4()
	f.printf("227 Entering Passive Mode (%d,%d,%d,%d,%d,%d).\r\n", ip[0], ip[1], ip[2], ip[3], f.passive>>8, f.passive&0xff)
}

// filed answers commands whose answer is fixed. An upload is confirmed at once,
// because this connection does not see it.
func filed(verb string) string {
	answers := map[string]string{ //nolint:gosec // answers of a server
		"USER": "331 Please specify the password.",
		"PASS": "230 Login successful.",
		"ACCT": "202 ACCT not implemented.",
		"SYST": "215 UNIX Type: L8",
		"PWD":  `257 "/" is the current directory`,
		"XPWD": `257 "/" is the current directory`,
		"TYPE": "200 Switching to Binary mode.",
		"MODE": "200 Mode set to S.",
		"STRU": "200 Structure set to F.",
		"OPTS": "200 Always in UTF8 mode.",
		"NOOP": "200 NOOP ok.",
		"PBSZ": "200 PBSZ set to 0.",
		"PROT": "200 PROT now Private.",
		"CWD":  "250 Directory successfully changed.",
		"CDUP": "250 Directory successfully changed.",
		"STOR": "150 Ok to send data.\r\n226 Transfer complete.",
		"APPE": "150 Ok to send data.\r\n226 Transfer complete.",
		"STOU": "150 FILE: upload\r\n226 Transfer complete.",
		"ALLO": "202 ALLO command ignored.",
		"REST": "350 Restart position accepted (0).",
		"RNFR": "350 Ready for RNTO.",
		"RNTO": "250 Rename successful.",
		"DELE": "250 Delete operation successful.",
		"RMD":  "250 Remove directory operation successful.",
		"SITE": "200 SITE command ok.",
		"STAT": "211 End of status",
		"HELP": "214 Help OK.",
		"PORT": "500 Illegal PORT command.",
		"EPRT": "500 Illegal EPRT command.",
		"RETR": "550 Failed to open file.",
		"SIZE": "550 Could not get file size.",
		"MDTM": "550 Could not get file modification time.",
		"LIST": "425 Failed to establish connection.",
		"NLST": "425 Failed to establish connection.",
		"MLSD": "425 Failed to establish connection.",
	}
	return cmp.Or(answers[verb], "500 Unknown command.")
}
