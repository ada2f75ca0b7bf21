-- Up Migration

-- The one source of time; tests replace it in their own database to move the clock.
CREATE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now()';

-- Insurance agencies and their two switches; each switch governs the keys of its own mode.
CREATE TABLE agencies (
  id text PRIMARY KEY,
  name text NOT NULL,
  live_enabled boolean NOT NULL DEFAULT false,
  test_enabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT pfq_now()
);

-- People of an agency, shared by live and test. email_key is the address as it is compared, without case.
CREATE TABLE brokers (
  agency_id text NOT NULL REFERENCES agencies,
  id text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('invited', 'active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT pfq_now(),
  PRIMARY KEY (agency_id, id),
  UNIQUE (agency_id, email_key)
);

-- API keys by a keyed hash: the key itself is shown once and kept nowhere.
CREATE TABLE api_keys (
  agency_id text NOT NULL REFERENCES agencies,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  id text NOT NULL,
  hash bytea NOT NULL,
  type text NOT NULL CHECK (type IN ('agency', 'broker')),
  broker_id text NOT NULL,
  scopes text[] NOT NULL,
  name text NOT NULL,
  expires_on date,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pfq_now(),
  PRIMARY KEY (agency_id, mode, id),
  FOREIGN KEY (agency_id, broker_id) REFERENCES brokers (agency_id, id)
);

-- A request arrives with nothing but its key, so this one index does not begin with the agency.
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);

-- For the operator, who revokes a key by its id alone.
CREATE INDEX api_keys_by_id ON api_keys (id);

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
