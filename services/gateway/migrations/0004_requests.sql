-- Up Migration

-- Answered requests to the public API, for the operator who is given a request id. Never what was said: no body, no query, no
-- key, no token. Rows are written behind the answer, so some may be missing; they are removed after REQUEST_LOG_DAYS. An id
-- begins with the time and sorts by code point, so that the oldest lie together at the beginning of the primary key.
CREATE TABLE requests (
  request_id text COLLATE "C" PRIMARY KEY,
  received_at timestamptz NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  route text NOT NULL,
  -- 0 where the caller broke off.
  status smallint NOT NULL,
  duration_us integer NOT NULL,
  error_code text,
  -- All three, or none where the key was not known.
  agency_id text,
  mode text CHECK (mode IN ('live', 'test')),
  key_id text,
  quote_id text,
  api_version text NOT NULL,
  has_idempotency_key boolean NOT NULL,
  -- The request whose recorded answer this one was given.
  replay_of text COLLATE "C",
  trace_id text
);

-- For the replays of a request, in their order.
CREATE INDEX requests_by_first ON requests (replay_of, request_id) WHERE replay_of IS NOT NULL;

-- The request that claimed the key, which a replay names, and the owner of that claim. The release before knows neither: it leaves
-- them out of its own claims, and leaves them as they were where it takes over a row that is 24 hours old. So the request is the
-- row's where its owner is, and a replay of any other row names none.
ALTER TABLE idempotency_keys ADD COLUMN request_id text, ADD COLUMN request_owner uuid;
