-- Up Migration

-- The one source of time; tests replace it in their own database to move the clock. Not the beginning of the transaction:
-- a statement that waited for another's is decided by the time after that.
CREATE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT statement_timestamp()';

-- The one email about each event that was taken, and what became of it. The primary key is what makes a second delivery of
-- an event change nothing, so rows outlast every delivery: topics keep events for a week.
CREATE TABLE emails (
  agency_id text NOT NULL,
  mode text NOT NULL CHECK (mode = 'live'),
  -- Compared byte by byte, so that the order of a list does not depend on the language of the server.
  event_id text COLLATE "C" NOT NULL,
  quote_id text NOT NULL,
  recipient text NOT NULL,
  -- The whole message as every attempt sends it.
  message bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'sent', 'failed')),
  -- A public code.
  reason text,
  -- What was last heard of an attempt, for the operator.
  last_error text,
  attempts integer NOT NULL DEFAULT 0,
  -- Counts what the quote store is told of the event: 0 while there is nothing to tell.
  revision integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  -- Since when it has been tried without a pause; it is given up some time after that.
  tried_since timestamptz NOT NULL,
  status_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  request_id text NOT NULL,
  traceparent text,
  PRIMARY KEY (agency_id, mode, event_id),
  CHECK ((status = 'failed') = (reason IS NOT NULL)),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);

-- For the operator: by an event's id alone, newest first, and those that failed.
CREATE INDEX emails_by_event ON emails (event_id);
CREATE INDEX emails_by_age ON emails (created_at, event_id);
CREATE INDEX emails_failed ON emails (created_at, event_id) WHERE status = 'failed';

-- Who changed what and when. Rows are only ever added.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT pfq_now(),
  actor text NOT NULL,
  action text NOT NULL,
  target text NOT NULL,
  details jsonb NOT NULL
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;

CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
