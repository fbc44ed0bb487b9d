package protocols

import (
	"fmt"
	"strings"
)

const redisVersion = "7.2.5"

// reply is the answer of an empty store.
func (k *keyStore) reply(verb string, args []string) string {
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch verb {
	case "HELLO":
		return k.hello(first)
	case "PING":
		if first != "" {
			return bulk(first)
		}
		return "+PONG\r\n"
	case "ECHO":
		return bulk(first)
	case "INFO":
		return bulk("# Server\r\nredis_version:" + redisVersion + "\r\nredis_mode:standalone\r\nos:Linux 6.1.0-21-amd64 x86_64\r\n" +
			"arch_bits:64\r\ntcp_port:6379\r\nuptime_in_days:41\r\n# Clients\r\nconnected_clients:1\r\n# Memory\r\nused_memory:1067432\r\n" +
			"# Persistence\r\nloading:0\r\n# Replication\r\nrole:master\r\nconnected_slaves:0\r\n# Keyspace\r\n")
	case "CLIENT":
		return client(strings.ToUpper(first))
	case "CONFIG":
		if strings.EqualFold(first, "GET") {
			return "*0\r\n"
		}
		return "+OK\r\n"
	case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE":
		return k.subscribed(strings.ToLower(verb), args)
	case "SCAN", "SSCAN", "HSCAN", "ZSCAN":
		return "*2\r\n$1\r\n0\r\n*0\r\n"
	case "XADD":
		return bulk("1716200000000-0")
	case "TYPE":
		return "+none\r\n"
	case "TTL", "PTTL":
		return ":-2\r\n"
	case "HGETALL":
		if k.third {
			return "%0\r\n"
		}
		return "*0\r\n"
	}
	return k.plain(verb)
}

func (k *keyStore) plain(verb string) string {
	switch verb {
	case "GET", "GETDEL", "GETEX", "GETSET", "HGET", "LPOP", "RPOP", "SPOP", "LINDEX", "RANDOMKEY", "EVAL", "EVALSHA",
		"BLPOP", "BRPOP", "BLMOVE", "XREAD", "XREADGROUP", "ZSCORE", "DUMP":
		if k.third {
			return "_\r\n"
		}
		return "$-1\r\n"
	case "KEYS", "LRANGE", "SMEMBERS", "MGET", "HMGET", "HKEYS", "HVALS", "ZRANGE", "COMMAND", "XRANGE", "SLOWLOG", "MODULE", "ACL":
		return "*0\r\n"
	case "INCR", "INCRBY", "LPUSH", "RPUSH", "SADD", "HSET", "HSETNX", "ZADD", "SETNX", "EXPIRE", "PEXPIRE", "APPEND", "PFADD", "MOVE", "PERSIST":
		return ":1\r\n"
	case "DEL", "UNLINK", "EXISTS", "PUBLISH", "DBSIZE", "LLEN", "SCARD", "HLEN", "ZCARD", "STRLEN", "HDEL", "SREM", "LREM",
		"ZREM", "SISMEMBER", "HEXISTS", "TOUCH", "DECR", "WAIT", "XLEN", "XDEL", "LASTSAVE":
		return ":0\r\n"
	}
	return "+OK\r\n"
}

func (k *keyStore) hello(version string) string {
	k.third = version == "3"
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

func client(verb string) string {
	switch verb {
	case "ID":
		return ":42\r\n"
	case "GETNAME", "LIST", "INFO":
		return "$0\r\n\r\n"
	}
	return "+OK\r\n"
}

func bulk(s string) string { return fmt.Sprintf("$%d\r\n%s\r\n", len(s), s) }
