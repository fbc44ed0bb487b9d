-- +goose Up
CREATE TABLE projects (
	name   TEXT PRIMARY KEY,
	-- served is when a job of the project was last begun: who waits longest is next.
	served BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE jobs (
	id          TEXT PRIMARY KEY,
	project     TEXT NOT NULL REFERENCES projects (name),
	state       TEXT NOT NULL,
	priority    BIGINT NOT NULL DEFAULT 0,
	source      TEXT NOT NULL,
	-- archive is what was uploaded, "" if nothing was.
	archive     TEXT NOT NULL DEFAULT '',
	request     TEXT NOT NULL,
	-- sealed are the values of variables; nothing is left of them once the job has ended.
	sealed      BYTEA,
	-- same is equal for requests with the same answer, pinned tells whether for ever.
	same        TEXT NOT NULL,
	pinned      BIGINT NOT NULL,
	-- idempotency is the client's own name for the request, answered its digest.
	idempotency TEXT,
	asked       TEXT,
	created     BIGINT NOT NULL,
	started     BIGINT,
	ended       BIGINT,
	due         BIGINT NOT NULL,
	-- attempt counts claims. It fences: who has an older one has lost the job.
	attempt     BIGINT NOT NULL DEFAULT 0,
	-- crashes counts attempts that took down what ran them.
	crashes     BIGINT NOT NULL DEFAULT 0,
	worker      TEXT NOT NULL DEFAULT '',
	lease       BIGINT NOT NULL DEFAULT 0,
	cancelling  BIGINT NOT NULL DEFAULT 0,
	percent     BIGINT NOT NULL DEFAULT 0,
	step        TEXT NOT NULL DEFAULT '',
	detail      TEXT NOT NULL DEFAULT '',
	name        TEXT NOT NULL DEFAULT '',
	version     TEXT NOT NULL DEFAULT '',
	digest      TEXT NOT NULL DEFAULT '',
	band        TEXT NOT NULL DEFAULT '',
	score       BIGINT NOT NULL DEFAULT 0,
	findings    BIGINT NOT NULL DEFAULT 0,
	tool        TEXT NOT NULL DEFAULT '',
	bytes       BIGINT NOT NULL DEFAULT 0,
	problem     TEXT NOT NULL DEFAULT '',
	message     TEXT NOT NULL DEFAULT '',
	-- words is what a search looks through, in small letters.
	words       TEXT NOT NULL DEFAULT ''
);
CREATE INDEX jobs_waiting ON jobs (project, priority DESC, created, id) WHERE state = 'queued';
CREATE INDEX jobs_running ON jobs (project, lease) WHERE state = 'running';
CREATE INDEX jobs_history ON jobs (project, id DESC);
CREATE INDEX jobs_same ON jobs (project, same);
CREATE INDEX jobs_name ON jobs (project, name, id DESC) WHERE name <> '';
CREATE INDEX jobs_archive ON jobs (archive) WHERE archive <> '';
CREATE INDEX jobs_ended ON jobs (ended) WHERE ended IS NOT NULL;
CREATE UNIQUE INDEX jobs_idempotency ON jobs (project, idempotency) WHERE idempotency IS NOT NULL;

-- What a running job tells, in pieces, until a while after it has ended.
CREATE TABLE live (
	job     TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	attempt BIGINT NOT NULL,
	part    BIGINT NOT NULL,
	lines   BYTEA NOT NULL,
	PRIMARY KEY (job, attempt, part)
);

CREATE TABLE api_keys (
	id      TEXT PRIMARY KEY,
	project TEXT NOT NULL REFERENCES projects (name),
	name    TEXT NOT NULL,
	role    TEXT NOT NULL,
	hash    BYTEA NOT NULL,
	created BIGINT NOT NULL,
	used    BIGINT,
	revoked BIGINT
);

-- +goose Down
DROP TABLE api_keys;
DROP TABLE live;
DROP TABLE jobs;
DROP TABLE projects;
