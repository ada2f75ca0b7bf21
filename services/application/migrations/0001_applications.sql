-- Up Migration

-- The one source of time; tests replace it in their own database to move the clock.
CREATE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now()';

-- Applications as they last stood. The columns are what never changes and what is searched by; the rest is one document,
-- json and not jsonb, because jsonb would not give it back as it was.
CREATE TABLE applications (
  agency_id text NOT NULL,
  mode text NOT NULL CHECK (mode = 'live'),
  -- Compared byte by byte, so that the order of a list does not depend on the language of the server.
  id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  -- The owning broker's address as it is compared, without case.
  broker_email_key text NOT NULL,
  client_reference_id text,
  content json NOT NULL,
  PRIMARY KEY (agency_id, mode, id)
);

-- An id belongs to one agency for ever. Two agencies that bring in the same id at once can only be told apart here, so
-- this index does not begin with the agency.
CREATE UNIQUE INDEX applications_by_id ON applications (id);

-- Lists: of an agency, of a broker, and of what carries a caller's own id.
CREATE INDEX applications_by_creation ON applications (agency_id, mode, created_at, id);
CREATE INDEX applications_by_broker ON applications (agency_id, mode, broker_email_key, created_at, id);
CREATE INDEX applications_by_client_reference ON applications (agency_id, mode, client_reference_id, created_at, id)
  WHERE client_reference_id IS NOT NULL;

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
