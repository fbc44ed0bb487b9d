package protocols

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/keyvalue"
)

const redisVersion = "7.2.5"

// reply answers a command: what concerns the connection is answered here, what
// concerns keys by the store.
func (k *keyStore) reply(verb string, args []string) string {
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch verb {
	case "HELLO":
		return k.hello(first)
	case "AUTH", "RESET", "READONLY", "READWRITE", "SAVE", "BGSAVE", "WATCH", "UNWATCH", "DISCARD", "REPLICAOF", "SLAVEOF", "MONITOR", "SCRIPT", "FUNCTION", "DEBUG":
		return "+OK\r\n"
	case "PING":
		if first != "" {
			return bulk(first)
		}
		return "+PONG\r\n"
	case "ECHO":
		return bulk(first)
	case "INFO":
		return bulk(k.info())
	case "CLIENT":
		return k.client(strings.ToUpper(first), args)
	case "CONFIG":
		if strings.EqualFold(first, "GET") {
			return k.encode(config(args[1:]))
		}
		return "+OK\r\n"
	case "COMMAND", "SLOWLOG", "ACL", "LATENCY", "CLUSTER":
		if strings.EqualFold(first, "COUNT") {
			return ":241\r\n"
		}
		return "*0\r\n"
	case "MODULE":
		return k.encode(keyvalue.List{keyvalue.Map{"name", "ReJSON", "ver", int64(20609)}})
	case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE":
		return k.subscribed(strings.ToLower(verb), args)
	case "PUBLISH", "WAIT":
		return ":0\r\n"
	case "LASTSAVE":
		return ":1716200000\r\n"
	case "TIME":
		return k.encode(keyvalue.List{"1716200000", "0"})
	case "EVAL", "EVALSHA", "EVAL_RO", "FCALL", "DUMP": // scripts are reported, and not run
		return k.encode(nil)
	}
	return k.encode(k.session.Do(append([]string{verb}, args...)))
}

// encode writes a reply in the version of the protocol that the client asked for.
func (k *keyStore) encode(v any) string {
	var b strings.Builder
	k.write(&b, v)
	return b.String()
}

func (k *keyStore) write(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		if k.third {
			b.WriteString("_\r\n")
			return
		}
		b.WriteString("$-1\r\n")
	case keyvalue.Status:
		b.WriteString("+" + string(v) + "\r\n")
	case keyvalue.Fault:
		b.WriteString("-" + string(v) + "\r\n")
	case int64:
		b.WriteString(":" + strconv.FormatInt(v, 10) + "\r\n")
	case float64:
		s := strconv.FormatFloat(v, 'g', 17, 64)
		if k.third {
			b.WriteString("," + s + "\r\n")
			return
		}
		b.WriteString(bulk(s))
	case string:
		b.WriteString(bulk(v))
	case keyvalue.List:
		fmt.Fprintf(b, "*%d\r\n", len(v))
		for _, one := range v {
			k.write(b, one)
		}
	case keyvalue.Map:
		k.writeMap(b, v)
	case keyvalue.Scores:
		if !k.third {
			k.write(b, keyvalue.List(v))
			return
		}
		fmt.Fprintf(b, "*%d\r\n", len(v)/2)
		for i := 0; i+1 < len(v); i += 2 {
			k.write(b, keyvalue.List{v[i], v[i+1]})
		}
	}
}

func (k *keyStore) writeMap(b *strings.Builder, v keyvalue.Map) {
	if k.third {
		fmt.Fprintf(b, "%%%d\r\n", len(v)/2)
	} else {
		fmt.Fprintf(b, "*%d\r\n", len(v))
	}
	for _, one := range v {
		k.write(b, one)
	}
}

func (k *keyStore) info() string {
	n := k.session.Do([]string{"DBSIZE"})
	return "# Server\r\nredis_version:" + redisVersion + "\r\nredis_mode:standalone\r\nos:Linux 6.1.0-21-amd64 x86_64\r\n" +
		"arch_bits:64\r\ntcp_port:6379\r\nuptime_in_seconds:3551211\r\nuptime_in_days:41\r\n# Clients\r\nconnected_clients:1\r\n# Memory\r\nused_memory:1067432\r\nused_memory_human:1.02M\r\n" +
		"# Persistence\r\nloading:0\r\n# Stats\r\ntotal_commands_processed:18310\r\nkeyspace_hits:911\r\nkeyspace_misses:27\r\n# Replication\r\nrole:master\r\nconnected_slaves:0\r\n" +
		"# Keyspace\r\ndb0:keys=" + fmt.Sprint(n) + ",expires=1,avg_ttl=86400000\r\n"
}

// config answers CONFIG GET.
func config(names []string) keyvalue.Map {
	out := keyvalue.Map{}
	for _, known := range [][2]string{{"maxmemory", "0"}, {"maxmemory-policy", "noeviction"}, {"databases", "16"}, {"save", "3600 1 300 100 60 10000"}, {"appendonly", "no"}, {"dir", "/data"}, {"timeout", "0"}} {
		for _, name := range names {
			if name == "*" || strings.EqualFold(name, known[0]) {
				out = append(out, known[0], known[1])
				break
			}
		}
	}
	return out
}

func (k *keyStore) hello(version string) string {
	k.third = version == "3" || version == "" && k.third
	kind, proto := "*14", 2
	if k.third {
		kind, proto = "%7", 3
	}
	return fmt.Sprintf("%s\r\n%s%s%s%s%s:%d\r\n%s:42\r\n%s%s%s%s%s*0\r\n", kind,
		bulk("server"), bulk("redis"), bulk("version"), bulk(redisVersion), bulk("proto"), proto, bulk("id"),
		bulk("mode"), bulk("standalone"), bulk("role"), bulk("master"), bulk("modules"))
}

func (k *keyStore) subscribed(kind string, channels []string) string {
	var b strings.Builder
	mark := "*"
	if k.third {
		mark = ">"
	}
	for i, channel := range channels {
		fmt.Fprintf(&b, "%s3\r\n%s%s:%d\r\n", mark, bulk(kind), bulk(channel), i+1)
	}
	return b.String()
}

func (k *keyStore) client(verb string, args []string) string {
	switch verb {
	case "ID":
		return ":42\r\n"
	case "SETNAME":
		if len(args) > 1 {
			k.session.Name = args[1][:min(len(args[1]), addressMax)]
		}
	case "GETNAME":
		return bulk(k.session.Name)
	case "LIST", "INFO":
		return bulk("id=42 addr=127.0.0.1:50312 laddr=127.0.0.1:6379 fd=8 name=" + k.session.Name + " age=0 idle=0 flags=N db=0 cmd=client resp=2\n")
	}
	return "+OK\r\n"
}

func bulk(s string) string { return fmt.Sprintf("$%d\r\n%s\r\n", len(s), s) }
