package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// AddKey stores a key with the hash of its secret.
func (s *Store) AddKey(ctx context.Context, k *job.Key, hash []byte) (err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	return s.within(ctx, func(tx *sql.Tx) error {
		if err := s.enter(ctx, tx, k.Project); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, s.sql(`INSERT INTO api_keys (id, project, name, role, hash, created) VALUES ($1, $2, $3, $4, $5, {now})`),
			k.ID, k.Project, k.Name, string(k.Role), hash)
		return err
	})
}

// Key returns a key that is not revoked, with its hash.
func (s *Store) Key(ctx context.Context, id string) (k *job.Key, hash []byte, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	row := s.read.QueryRowContext(ctx, s.sql(`SELECT id, project, name, role, created, used, revoked, hash FROM api_keys WHERE id = $1 AND revoked IS NULL`), id)
	k, err = scanKey(row.Scan, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil, ErrNotFound
	}
	return k, hash, err
}

// Keys lists the keys of a project, or of all for "".
func (s *Store) Keys(ctx context.Context, project string) (keys []job.Key, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	rows, err := s.read.QueryContext(ctx, s.sql(`SELECT id, project, name, role, created, used, revoked FROM api_keys
		WHERE project = $1 OR $1 = '' ORDER BY project, created, id`), project)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	keys = []job.Key{}
	for rows.Next() {
		k, err := scanKey(rows.Scan)
		if err != nil {
			return nil, err
		}
		keys = append(keys, *k)
	}
	return keys, rows.Err()
}

// RevokeKey revokes a key of a project, or of any for "".
func (s *Store) RevokeKey(ctx context.Context, project, id string) (err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	done, err := s.write.ExecContext(ctx, s.sql(`UPDATE api_keys SET revoked = {now} WHERE id = $1 AND (project = $2 OR $2 = '') AND revoked IS NULL`), id, project)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrNotFound)
	}
	return nil
}

// UsedKey stores when a key was used, at most once a minute.
func (s *Store) UsedKey(ctx context.Context, id string) (err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	_, err = s.write.ExecContext(ctx, s.sql(`UPDATE api_keys SET used = {now} WHERE id = $1 AND (used IS NULL OR used < {now} - 60000)`), id)
	return err
}

func scanKey(scan func(...any) error, more ...any) (*job.Key, error) {
	var k job.Key
	var created int64
	var used, revoked sql.NullInt64
	if err := scan(append([]any{&k.ID, &k.Project, &k.Name, &k.Role, &created, &used, &revoked}, more...)...); err != nil {
		return nil, err
	}
	k.Created, k.Used, k.Revoked = time.UnixMilli(created).UTC(), moment(used), moment(revoked)
	return &k, nil
}
