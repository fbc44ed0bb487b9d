package protocols

import (
	"context"
	"encoding/base64"
	"strings"
)

func irc() speaker {
	return speaker{
		name: "irc",
		match: func(first []byte) match {
			line, _, whole := strings.Cut(string(first[:min(len(first), 512)]), "\n")
			if known := opensAny(first, "USER "); known != no {
				if !whole {
					return maybe
				}
				if len(strings.Fields(line)) > 2 {
					return yes
				}
			}
			return opensAny(first, "NICK ", "CAP LS", "CAP REQ", "PASS ")
		},
		serve: func(_ context.Context, w *wire) error { return (&chat{wire: w, nick: "*"}).lead() },
	}
}

// chat is an IRC network whose only user is the client.
type chat struct {
	*wire

	nick        string
	named, user bool
	waiting     bool // the client still negotiates capabilities
	welcomed    bool
}

func (c *chat) lead() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		if strings.HasPrefix(line, "@") || strings.HasPrefix(line, ":") { // tags, a prefix
			_, line, _ = strings.Cut(line, " ")
		}
		verb, rest := word(line)
		switch verb {
		case "PASS", "OPER", "AUTHENTICATE":
			c.tell("login")
		default:
			c.tell("")
		}
		switch verb {
		case "QUIT":
			c.printf("ERROR :Closing Link: %s (Client Quit)\r\n", c.nick)
			return nil
		case "AUTHENTICATE":
			err = c.auth(rest)
		default:
			c.obey(verb, rest)
		}
		if err != nil {
			return err
		}
		c.welcome()
	}
}

func (c *chat) obey(verb, rest string) {
	target, _, _ := strings.Cut(strings.TrimPrefix(rest, ":"), " ")
	switch verb {
	case "NICK":
		if c.welcomed {
			c.printf(":%s!%s@%s NICK :%s\r\n", c.nick, c.nick, c.host, target)
		}
		c.nick, c.named = target[:min(len(target), 64)], target != ""
	case "USER":
		c.user = true
	case "CAP":
		c.capabilities(strings.ToUpper(target), rest)
	case "PING":
		c.printf(":%s PONG %s :%s\r\n", c.host, c.host, strings.TrimPrefix(rest, ":"))
	case "JOIN":
		for _, channel := range strings.SplitN(target, ",", 16) {
			c.printf(":%s!%s@%s JOIN %s\r\n", c.nick, c.nick, c.host, channel)
			c.numeric("353", "= "+channel+" :"+c.nick)
			c.numeric("366", channel+" :End of /NAMES list.")
		}
	case "PART":
		c.printf(":%s!%s@%s PART %s\r\n", c.nick, c.nick, c.host, target)
	case "MODE":
		c.numeric("324", target+" +nt")
	case "WHO":
		c.numeric("315", target+" :End of /WHO list.")
	case "WHOIS":
		c.numeric("318", target+" :End of /WHOIS list.")
	case "LIST":
		c.numeric("323", ":End of /LIST")
	case "TOPIC":
		c.numeric("331", target+" :No topic is set.")
	case "PRIVMSG", "NOTICE", "PASS", "PONG", "AWAY", "":
	default:
		c.numeric("421", verb+" :Unknown command")
	}
}

func (c *chat) numeric(code, rest string) { c.printf(":%s %s %s %s\r\n", c.host, code, c.nick, rest) }

func (c *chat) capabilities(verb, rest string) {
	switch verb {
	case "LS", "LIST":
		c.waiting = verb == "LS"
		c.printf(":%s CAP * %s :sasl\r\n", c.host, verb)
	case "REQ":
		c.waiting = true
		_, wanted, _ := strings.Cut(rest, " ")
		c.printf(":%s CAP * ACK %s\r\n", c.host, wanted)
	case "END":
		c.waiting = false
	}
}

func (c *chat) auth(mechanism string) error {
	_, ok, err := c.sasl(strings.ToUpper(mechanism), "", func(challenge []byte) {
		if len(challenge) == 0 {
			c.printf("AUTHENTICATE +\r\n")
			return
		}
		c.printf("AUTHENTICATE %s\r\n", base64.StdEncoding.EncodeToString(challenge))
	})
	if err != nil {
		return err
	}
	if !ok {
		c.numeric("904", ":SASL authentication failed")
		return nil
	}
	c.numeric("900", c.nick+" :You are now logged in")
	c.numeric("903", ":SASL authentication successful")
	return nil
}

// welcome is sent once, after the client sent its name.
func (c *chat) welcome() {
	if c.welcomed || !c.named || !c.user || c.waiting {
		return
	}
	c.welcomed = true
	c.numeric("001", ":Welcome to the Internet Relay Chat Network "+c.nick)
	c.numeric("002", ":Your host is "+c.host+", running version InspIRCd-3")
	c.numeric("003", ":This server was created 09:12:41 Mar 02 2024")
	c.numeric("004", c.host+" InspIRCd-3 iosw biklmnopstv")
	c.numeric("005", "CHANTYPES=# NETWORK=IRC PREFIX=(ov)@+ :are supported by this server")
	c.numeric("422", ":MOTD File is missing")
}
