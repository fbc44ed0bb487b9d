#!/bin/sh
# Makes the database that the variables describe unless it is there, and runs it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # The word splitting is meant: these are arguments.
  initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust $POSTGRES_INITDB_ARGS
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -w -o "-c listen_addresses= -k /run/postgresql" start
  createdb -h /run/postgresql -U "$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl -D "$PGDATA" -w -m fast stop
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -k /run/postgresql
