-- Up Migration

-- Requests of a key in its current minute, and its POST /v1/quotes on the current UTC day. One row a key, rewritten with
-- every request, so half of each page is left free for it.
CREATE TABLE key_usage (
  agency_id text NOT NULL,
  mode text NOT NULL,
  key_id text NOT NULL,
  minute timestamptz NOT NULL,
  requests integer NOT NULL,
  day timestamptz NOT NULL,
  quotes integer NOT NULL,
  PRIMARY KEY (agency_id, mode, key_id),
  FOREIGN KEY (agency_id, mode, key_id) REFERENCES api_keys
) WITH (fillfactor = 50);

-- POST /v1/quotes of all keys of an agency and mode on the current UTC day.
CREATE TABLE agency_usage (
  agency_id text NOT NULL REFERENCES agencies,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  day timestamptz NOT NULL,
  quotes integer NOT NULL,
  PRIMARY KEY (agency_id, mode)
) WITH (fillfactor = 50);
