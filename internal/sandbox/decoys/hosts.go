package decoys

// belonging returns the services that a legitimate program sends a kind of
// secret to, including subdomains, besides the developer's own company.
func belonging(kind string) []string {
	switch kind {
	case KindAWS, KindAWSSession, KindS3:
		return []string{"amazonaws.com", "aws.amazon.com"}
	case KindGCloud, KindServiceAccount:
		return []string{"googleapis.com", "accounts.google.com"}
	case KindAzure:
		return []string{"microsoftonline.com", "azure.com", "windows.net", "microsoft.com"}
	case KindDocker:
		return []string{"docker.io", "docker.com", "ghcr.io"}
	case KindTerraform:
		return []string{"terraform.io"}
	case KindNPM:
		return []string{"npmjs.org"}
	case KindPyPI:
		return []string{"pypi.org"}
	case KindNetrc:
		return []string{"heroku.com"}
	case KindGit, KindGitHub:
		return []string{"github.com", "githubusercontent.com"}
	case KindStripe:
		return []string{"stripe.com"}
	case KindChat:
		return []string{"slack.com", "discord.com"}
	case KindModelToken:
		return []string{"huggingface.co", "hf.co", "openai.com", "anthropic.com"}
	case KindAssistant:
		return []string{"anthropic.com", "openai.com", "githubcopilot.com", "github.com", "googleapis.com"}
	}
	return nil
}

// company reports kinds whose secrets are for hosts of the company.
func company(kind string) bool {
	switch kind {
	case KindKube, KindDocker, KindVault, KindVPN, KindDotenv, KindNPM, KindPyPI, KindNetrc, KindGit, KindPostgres, KindMySQL, KindRclone, KindTerraformState:
		return true
	}
	return false
}

// belong sets the legitimate hosts of each secret.
func (h *Home) belong() {
	for i := range h.Decoys {
		d := &h.Decoys[i]
		d.Hosts = belonging(d.Kind)
		if company(d.Kind) {
			d.Hosts = append(d.Hosts, h.Domain, h.ServiceDomain)
		}
	}
}
