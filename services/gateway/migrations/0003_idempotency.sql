-- Up Migration

-- Writes that were sent with an Idempotency-Key in the last 24 hours. Only the holder who is named in owner may change a
-- row, but that anyone may mark it lost. No foreign keys: a row lives for a day, and each would lock the agency's row.
-- Every row is rewritten once, when it is finished, so half of each page is left free for it.
CREATE TABLE idempotency_keys (
  agency_id text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  key text NOT NULL,
  owner uuid NOT NULL,
  -- What a repetition must have in common with the first request.
  method text NOT NULL,
  path text NOT NULL,
  body_hash bytea NOT NULL CHECK (length(body_hash) = 32),
  broker_id text NOT NULL,
  -- Id of what the request makes.
  write_id text NOT NULL,
  claimed_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('claimed', 'finished', 'lost')),
  -- The answer: HTTP status, version of the API that served it, body. The body may hold a hosted link, so it is sealed.
  status smallint,
  version text,
  sealed_body bytea,
  PRIMARY KEY (agency_id, mode, key),
  CHECK ((state = 'finished') = (status IS NOT NULL AND version IS NOT NULL))
) WITH (fillfactor = 50);

-- What is encrypted does not compress.
ALTER TABLE idempotency_keys ALTER COLUMN sealed_body SET STORAGE EXTERNAL;

-- Rows are removed by age, whosever they are.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (claimed_at);
