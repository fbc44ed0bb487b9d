package reportcmd

import (
	"crypto/ed25519"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/report/evidence"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Keys makes keys to sign evidence with.
func Keys(p *program.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make keys to sign evidence with",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return program.Usage(fmt.Errorf("keys has no command %q; it has new and public", args[0]))
			}
			return program.Usage(fmt.Errorf("keys needs a command: new or public"))
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(keysNew(p), keysPublic(p))
	return cmd
}

func keysNew(p *program.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "new FILE",
		Short: "Make an ed25519 key: the private half in FILE, the public one in FILE.pub",
		Long: `FILE is PKCS #8 in PEM, as openssl genpkey -algorithm ed25519 makes it, and
readable by you alone. It is not encrypted. A file that is there is not
overwritten.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			id, err := evidence.NewKey(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(p.Stdout, "private key %s, keep it\npublic key  %s.pub, give it away\nkey id      %s\n",
				safetext.Clean(args[0]), safetext.Clean(args[0]), id)
			return nil
		},
	}
}

func keysPublic(p *program.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "public FILE",
		Short: "Print the public half of the key in FILE",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			key, err := evidence.LoadPrivateKey(args[0])
			if err != nil {
				return err
			}
			public, _ := key.Public().(ed25519.PublicKey)
			_, err = p.Stdout.Write(evidence.EncodePublicKey(public))
			return err
		},
	}
}
