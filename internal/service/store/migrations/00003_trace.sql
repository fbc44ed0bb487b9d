-- +goose Up
-- trace is the W3C traceparent of the request that queued the job, '' if there is none.
ALTER TABLE jobs ADD COLUMN trace TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE jobs DROP COLUMN trace;
