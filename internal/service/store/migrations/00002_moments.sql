-- +goose Up
-- When something was done last, by whoever did it.
CREATE TABLE moments (
	name TEXT PRIMARY KEY,
	at   BIGINT NOT NULL
);
INSERT INTO moments (name, at) VALUES ('written', 0), ('reaped', 0);

-- +goose Down
DROP TABLE moments;
