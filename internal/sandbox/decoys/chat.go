package decoys

import (
	"encoding/base64"
	"fmt"
)

// chats are the logins of chat programs that embed a browser.
func chats(k *kit, h *Home) error {
	m := k.mint("slack")
	team, name := "T0"+m.text(9, upper+digits), k.who.company+"-"+m.text(6, lower+digits) // the company name alone may belong to somebody
	err := h.level(m, KindChat, "slack", ".config/Slack/Local Storage/leveldb",
		entry{"META:https://app.slack.com", "\b" + string(m.bytes(8))},
		entry{"VERSION", "1"},
		localStorage("https://app.slack.com", "localConfig_v2", fmt.Sprintf(
			`{"teams":{"%[1]s":{"id":"%[1]s","name":"%[2]s","url":"https://%[2]s.slack.com/","domain":"%[2]s","token":"%[3]s","user_id":"U0%[4]s"}},"orderedTeamIds":["%[1]s"],"lastActiveTeamId":"%[1]s","version":2}`,
			team, name, "xoxc-"+m.keep(m.text(12, digits[1:])+"-"+m.text(13, digits[1:])+"-"+m.text(13, digits[1:])+"-"+m.text(64, hexits)),
			m.text(9, upper+digits))))
	if err != nil {
		return err
	}
	m = k.mint("discord")
	user := "1" + m.text(17, digits)
	token := base64.RawURLEncoding.EncodeToString([]byte(user)) + "." + m.text(6, urlsafe) + "." + m.text(38, urlsafe)
	return h.level(m, KindChat, "discord", ".config/discord/Local Storage/leveldb",
		entry{"META:https://discord.com", "\b" + string(m.bytes(8))},
		entry{"VERSION", "1"},
		localStorage("https://discord.com", "user_id_cache", `"`+user+`"`),
		localStorage("https://discord.com", "token", `"`+m.keep(token)+`"`))
}

// localStorage is an item of a page's local storage. The ones mark texts of one
// byte per character.
func localStorage(origin, key, value string) entry {
	return entry{"_" + origin + "\x00\x01" + key, "\x01" + value}
}
