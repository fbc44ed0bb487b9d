package protocols

import (
	"context"
	"strconv"
	"strings"
)

const (
	wordsMax  = 16       // arguments that are kept
	wordMax   = 4 << 10  // bytes of each
	queuedMax = 64 << 10 // bytes of answers kept until the end of a transaction
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
		serve: func(_ context.Context, w *wire) error { return (&keyStore{wire: w}).lead() },
	}
}

// keyStore is a store that keeps nothing.
type keyStore struct {
	*wire

	third  bool // the client asked for version 3 of the protocol
	multi  bool // in a transaction
	queue  []byte
	queued int
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
			k.ask(languageRedis, commandLine(args))
		}
		if verb == "QUIT" {
			k.printf("+OK\r\n")
			return nil
		}
		k.answer(verb, args[1:])
	}
}

// args reads a command: an array of strings, or a line of words. Only the first
// arguments, and the beginning of each, are returned.
func (k *keyStore) args() ([]string, error) {
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
	for i := range n {
		arg, err := k.arg()
		if err != nil {
			return nil, err
		}
		if i < wordsMax {
			args = append(args, arg)
		}
	}
	return args, nil
}

func (k *keyStore) arg() (string, error) {
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
	p, err := k.take(int(min(n, wordMax)))
	if err != nil {
		return "", err
	}
	if len(k.heard) >= tellAt || n > wordMax {
		if err := k.pour("query", n-int64(len(p))); err != nil {
			return "", err
		}
	}
	_, err = k.take(2) // the end of the line
	return string(p), err
}

// answer sends a reply, or queues it until the transaction is executed.
func (k *keyStore) answer(verb string, args []string) {
	switch {
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
		reply := k.reply(verb, args)
		if len(k.queue)+len(reply) > queuedMax {
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
