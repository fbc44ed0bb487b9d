package protocols

import (
	"context"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/keyvalue"
)

const (
	wordsMax  = 16        // arguments that are reported as a statement
	wordMax   = 4 << 10   // bytes of each
	argsMax   = 2048      // arguments that are kept
	valueMax  = 256 << 10 // bytes of all of them
	queuedMax = 64 << 10  // bytes of answers kept until the end of a transaction
)

func redis() speaker {
	return speaker{
		name: "redis",
		match: func(first []byte) match {
			if len(first) > 1 && first[0] == '*' && (first[1] < '0' || first[1] > '9') {
				return no
			}
			return max(opens(first, "*"), opensAny(first,
				"PING\r\n", "INFO\r\n", "HELLO 2", "HELLO 3", "AUTH ", "ECHO ", "SELECT ", "CONFIG ", "KEYS ",
				"FLUSHALL\r\n", "SLAVEOF ", "REPLICAOF ", "COMMAND\r\n", "DBSIZE\r\n", "CLIENT ", "MONITOR\r\n", "EVAL "))
		},
		serve: func(_ context.Context, w *wire) error {
			return (&keyStore{wire: w, session: w.stored().Keys.Session()}).lead()
		},
	}
}

// keyStore is a session with the keys of the run.
type keyStore struct {
	*wire

	session *keyvalue.Session
	cut     bool // of the last command not all was kept
	third   bool // the client asked for version 3 of the protocol
	multi   bool // in a transaction
	queue   []byte
	queued  int
}

func (k *keyStore) lead() error {
	for {
		args, err := k.args()
		if err != nil {
			return err
		}
		if len(args) == 0 {
			k.tell("query")
			continue
		}
		verb := strings.ToUpper(args[0])
		if verb == "AUTH" || verb == "HELLO" {
			k.tell("login")
		}
		k.tell("query")
		if verb != "AUTH" && verb != "HELLO" {
			k.ask(languageRedis, commandLine(shortened(args)))
		}
		if verb == "QUIT" {
			k.printf("+OK\r\n")
			return nil
		}
		k.answer(verb, args[1:])
	}
}

// shortened is the part of a command that is reported as a statement. All of it is
// reported as sent.
func shortened(args []string) []string {
	var list []string
	for _, a := range args[:min(len(args), wordsMax)] {
		list = append(list, a[:min(len(a), wordMax)])
	}
	return list
}

// args reads a command: an array of strings, or a line of words. Of a command that
// is too large only the beginning is returned, and it is not executed.
func (k *keyStore) args() ([]string, error) {
	k.cut = false
	line, err := k.line()
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(line, "*") {
		return strings.Fields(line[:min(len(line), wordMax)]), nil
	}
	n, err := strconv.ParseInt(line[1:], 10, 32)
	if err != nil {
		return nil, errStray
	}
	var args []string
	room := valueMax
	for range n {
		arg, err := k.arg(room)
		if err != nil {
			return nil, err
		}
		room -= len(arg)
		if len(args) < argsMax {
			args = append(args, arg)
		} else {
			k.cut = true
		}
	}
	return args, nil
}

// arg reads a string, and keeps as many bytes of it as there is room for.
func (k *keyStore) arg(room int) (string, error) {
	line, err := k.line()
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(line, "$") {
		return "", errStray
	}
	n, err := strconv.ParseInt(line[1:], 10, 64)
	if err != nil || n < 0 || n > budget {
		return "", errStray
	}
	var kept []byte
	for left := n; left > 0; {
		p, err := k.take(int(min(left, tellAt)))
		if err != nil {
			return "", err
		}
		left -= int64(len(p))
		kept = append(kept, p[:min(len(p), room-len(kept))]...)
		if len(k.heard) >= tellAt {
			k.tell("query")
		}
	}
	k.cut = k.cut || int64(len(kept)) < n
	_, err = k.take(2) // the end of the line
	return string(kept), err
}

// answer sends a reply, or queues it until the transaction is executed.
func (k *keyStore) answer(verb string, args []string) {
	switch {
	case k.mute: // nobody reads the answer
	case k.cut && !k.multi:
		k.printf("-OOM command not allowed when used memory > 'maxmemory'.\r\n")
	case verb == "MULTI" && !k.multi:
		k.multi, k.queue, k.queued = true, nil, 0
		k.printf("+OK\r\n")
	case verb == "EXEC" && k.multi:
		k.multi = false
		k.printf("*%d\r\n", k.queued)
		k.put(k.queue...)
	case verb == "DISCARD" && k.multi:
		k.multi = false
		k.printf("+OK\r\n")
	case k.multi:
		reply := ""
		if !k.cut && len(k.queue) <= queuedMax {
			reply = k.reply(verb, args)
		}
		if reply == "" || len(k.queue)+len(reply) > queuedMax {
			k.printf("-OOM command not allowed when used memory > 'maxmemory'.\r\n")
			return
		}
		k.queue = append(k.queue, reply...)
		k.queued++
		k.printf("+QUEUED\r\n")
	default:
		k.put([]byte(k.reply(verb, args))...)
	}
}
