-- +goose Up
-- confidence says how far the verdict can be relied on, '' in results of before.
ALTER TABLE jobs ADD COLUMN confidence TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE jobs DROP COLUMN confidence;
