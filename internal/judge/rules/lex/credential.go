package lex

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// secretValue matches values that are credentials by their form.
var secretValue = lazyregexp.New(`^(?:eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abpr]-[\w-]{10,}|` +
	`A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_\w{20,}|pypi-[\w-]{30,}|Bearer [\w.~+/=-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY-----)`)

// IsCredential tells whether an argument is a password, a token or a key, by the
// name of its parameter or by its form.
func IsCredential(name, value string) bool {
	words := Words(name)
	for i, w := range words {
		switch w {
		case "password", "passwords", "passwd", "passphrase", "pwd", "secret", "secrets", "token", "jwt", "bearer", "credential", "credentials",
			"apikey", "authorization", "otp", "cookie", "mnemonic":
			return true
		case "key":
			if i > 0 && slices.Contains([]string{"api", "access", "private", "secret", "ssh", "auth", "service", "signing", "encryption"}, words[i-1]) {
				return true
			}
		}
	}
	return secretValue.MatchString(value)
}
