package servicecmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

func serveKeys(p *program.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Create, list and revoke API keys of a service",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return program.Usage(fmt.Errorf("serve keys has no command %q; it has add, list and revoke", args[0]))
			}
			return program.Usage(errors.New("serve keys needs a command: add, list or revoke"))
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(serveKeysAdd(p), serveKeysList(p), serveKeysRevoke(p))
	return cmd
}

var projectName = lazyregexp.New(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$`)

func serveKeysAdd(p *program.Program) *cobra.Command {
	var f storageFlags
	var project, name, role string
	cmd := &cobra.Command{
		Use:   "add",
		Short: "Create a key; it is shown once",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !projectName.MatchString(project) {
				return program.Usage(fmt.Errorf("--project must be letters, digits, dots, dashes and underscores, not %q", project))
			}
			if !slices.Contains(job.Roles(), job.Role(role)) {
				return program.Usage(fmt.Errorf("--role must be reader, submitter or admin, not %q", role))
			}
			if name == "" || len(name) > 100 || safetext.Clean(name) != name {
				return program.Usage(errors.New("--name must be printable text of 1 to 100 bytes"))
			}
			return withStore(cmd.Context(), p.Getenv, &f, func(s *store.Store) error {
				k, text, hash := server.NewKey(project, name, job.Role(role))
				if err := s.AddKey(cmd.Context(), k, hash); err != nil {
					return err
				}
				fmt.Fprintln(p.Stdout, text)
				fmt.Fprintf(p.Stderr, "key %s for project %s, role %s; it is not shown again\n", k.ID, project, role)
				return nil
			})
		},
	}
	f.registerDatabase(cmd.Flags())
	cmd.Flags().StringVar(&project, "project", "default", "project that the key gives access to")
	cmd.Flags().StringVar(&name, "name", "", "name of the key in lists")
	cmd.Flags().StringVar(&role, "role", string(job.Submitter), "what the key allows: reader, submitter or admin")
	return cmd
}

func serveKeysList(p *program.Program) *cobra.Command {
	var f storageFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the keys of all projects",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStore(cmd.Context(), p.Getenv, &f, func(s *store.Store) error {
				keys, err := s.Keys(cmd.Context(), "")
				if err != nil {
					return err
				}
				t := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
				fmt.Fprintln(t, "ID\tPROJECT\tROLE\tNAME\tCREATED\tUSED\tREVOKED")
				for i := range keys {
					k := &keys[i]
					fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, safetext.Clean(k.Project), k.Role, safetext.Clean(k.Name), day(&k.Created), day(k.Used), day(k.Revoked))
				}
				return t.Flush()
			})
		},
	}
	f.registerDatabase(cmd.Flags())
	return cmd
}

func day(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.Format("2006-01-02 15:04")
}

func serveKeysRevoke(p *program.Program) *cobra.Command {
	var f storageFlags
	cmd := &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke a key and end its sessions",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd.Context(), p.Getenv, &f, func(s *store.Store) error {
				err := s.RevokeKey(cmd.Context(), "", args[0])
				if errors.Is(err, store.ErrNotFound) {
					return program.Usage(fmt.Errorf("no active key %q; see: mcpsf serve keys list", args[0]))
				}
				return err
			})
		},
	}
	f.registerDatabase(cmd.Flags())
	return cmd
}

func withStore(ctx context.Context, getenv func(string) string, f *storageFlags, do func(*store.Store) error) error {
	if err := f.fill(getenv); err != nil {
		return err
	}
	s, err := store.Open(ctx, f.database)
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}
