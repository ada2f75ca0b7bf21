-- Up Migration

-- A change waits for its quote's lock; what it is decided by is the time after that, not when its transaction began.
CREATE OR REPLACE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT statement_timestamp()';

-- Version of the public API in whose shape the members are.
ALTER TABLE quotes ADD COLUMN api_version text NOT NULL DEFAULT '2026-09-23';

-- An id that was given up before its quote was stored is held by a row with nothing else in it, so that the primary key
-- alone keeps a late insert out, one of the previous release included.
ALTER TABLE quotes ADD COLUMN voided_at timestamptz;

ALTER TABLE quotes
  ALTER COLUMN broker_id DROP NOT NULL,
  ALTER COLUMN created_at DROP NOT NULL,
  ALTER COLUMN expires_at DROP NOT NULL,
  ALTER COLUMN request_members DROP NOT NULL,
  ALTER COLUMN priced_members DROP NOT NULL,
  ALTER COLUMN deal DROP NOT NULL,
  ALTER COLUMN priced_under DROP NOT NULL;

-- Not validated: earlier rows are whole by the rules they were stored under, and reading them all would hold the table.
ALTER TABLE quotes ADD CONSTRAINT quotes_whole_or_voided CHECK (
  num_nonnulls(broker_id, created_at, expires_at, request_members, priced_members, deal, priced_under)
    = CASE WHEN voided_at IS NULL THEN 7 ELSE 0 END
) NOT VALID;

-- What became of each change of a quote, a new link or a response: it was made, or given up before it was made. Its
-- primary key decides which. A change may be given up whether or not its quote is there.
CREATE TABLE quote_changes (
  agency_id text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  quote_id text NOT NULL,
  id text NOT NULL,
  fate text NOT NULL CHECK (fate IN ('made', 'voided')),
  decided_at timestamptz NOT NULL,
  PRIMARY KEY (agency_id, mode, quote_id, id)
);

-- The change that issued the link; null for the one that came with the quote.
ALTER TABLE hosted_links ADD COLUMN change_id text;

-- The insured's response to a quote, and what became of the broker's notification. The primary key makes it the only one.
CREATE TABLE interests (
  agency_id text NOT NULL,
  mode text NOT NULL,
  quote_id text NOT NULL,
  change_id text NOT NULL,
  option_id text NOT NULL,
  note text CHECK (char_length(note) BETWEEN 1 AND 500),
  submitted_at timestamptz NOT NULL,
  notification_status text NOT NULL,
  notification_reason text,
  notification_recipient text,
  notification_at timestamptz NOT NULL,
  PRIMARY KEY (agency_id, mode, quote_id),
  FOREIGN KEY (agency_id, mode, quote_id) REFERENCES quotes (agency_id, mode, id),
  FOREIGN KEY (agency_id, mode, quote_id, change_id) REFERENCES quote_changes (agency_id, mode, quote_id, id),
  -- Test quotes notify nobody, and live ones always somebody.
  CHECK ((mode = 'test') = (notification_status = 'skipped'))
);
