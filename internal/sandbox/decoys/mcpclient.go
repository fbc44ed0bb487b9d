package decoys

import "fmt"

// mcpConfigs are the settings of MCP clients, with the credentials of each
// server.
func mcpConfigs(k *kit, h *Home) error {
	for _, c := range []struct {
		label, path string
		write       func(*kit, *mint) string
	}{
		{"mcp claude", ".config/Claude/claude_desktop_config.json", claudeDesktop},
		{"mcp cursor", ".cursor/mcp.json", cursor},
		{"mcp windsurf", ".codeium/windsurf/mcp_config.json", windsurf},
		{"mcp vscode", ".config/Code/User/mcp.json", vsCode},
		{"mcp gemini", ".gemini/settings.json", gemini},
	} {
		m := k.mint(c.label)
		h.decoy(m, KindMCPConfig, "mcp", c.path, c.write(k, m))
	}
	return nil
}

func claudeDesktop(k *kit, m *mint) string {
	return fmt.Sprintf(`{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": {
        "GITHUB_PERSONAL_ACCESS_TOKEN": "%s"
      }
    },
    "database": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-postgres", "postgres://readonly:%s@db.%s:5432/shop"]
    }
  }
}
`, m.checked("ghp_"), m.password(), k.who.services)
}

func cursor(k *kit, m *mint) string {
	return fmt.Sprintf(`{
  "mcpServers": {
    "search": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": {
        "BRAVE_API_KEY": "%s"
      }
    },
    "tracker": {
      "url": "https://tracker.%s/mcp",
      "headers": {
        "Authorization": "Bearer %s"
      }
    }
  }
}
`, m.secret("BSA", 28, urlsafe), k.who.domain, m.secret("", 48, alnum))
}

func windsurf(_ *kit, m *mint) string {
	return fmt.Sprintf(`{
  "mcpServers": {
    "slack": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-slack"],
      "env": {
        "SLACK_BOT_TOKEN": "%s",
        "SLACK_TEAM_ID": "T0%s"
      }
    }
  }
}
`, m.slack("xoxb-"), m.text(9, upper+digits))
}

func vsCode(k *kit, m *mint) string {
	return fmt.Sprintf(`{
	"servers": {
		"sentry": {
			"type": "stdio",
			"command": "npx",
			"args": ["@sentry/mcp-server@latest"],
			"env": {
				"SENTRY_ACCESS_TOKEN": "%s",
				"SENTRY_HOST": "sentry.%s"
			}
		}
	},
	"inputs": []
}
`, m.secret("sntryu_", 64, hexits), k.who.domain)
}

func gemini(k *kit, m *mint) string {
	return fmt.Sprintf(`{
  "selectedAuthType": "oauth-personal",
  "theme": "Default",
  "mcpServers": {
    "jira": {
      "command": "uvx",
      "args": ["mcp-atlassian"],
      "env": {
        "JIRA_URL": "https://jira.%s",
        "JIRA_PERSONAL_TOKEN": "%s"
      }
    }
  }
}
`, k.who.domain, m.secret("", 44, alnum))
}

// codexConfig is the configuration that is not JSON.
func codexConfig(k *kit, h *Home) error {
	m := k.mint("mcp codex")
	h.decoy(m, KindMCPConfig, "mcp", ".codex/config.toml", fmt.Sprintf(`model = "gpt-5"
approval_policy = "on-request"

[mcp_servers.grafana]
command = "mcp-grafana"
args = ["-t", "stdio"]

[mcp_servers.grafana.env]
GRAFANA_URL = "https://grafana.%s"
GRAFANA_API_KEY = "%s"
`, k.who.domain, "glsa_"+m.keep(m.text(32, alnum)+"_"+m.text(8, hexits))))
	return nil
}

// slack is a token as Slack issues it.
func (m *mint) slack(prefix string) string {
	return m.keep(prefix + m.text(12, digits[1:]) + "-" + m.text(13, digits[1:]) + "-" + m.text(24, alnum))
}
