-- Up Migration

-- The one source of time; tests replace it in their own database to move the clock.
CREATE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now()';

-- A quote as it was priced. The members columns are JSON text that is served byte for byte, so they are never jsonb.
CREATE TABLE quotes (
  agency_id text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  id text NOT NULL,
  broker_id text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Constant members of the public object that come from the request and from pricing.
  request_members bytea NOT NULL,
  priced_members bytea NOT NULL,
  -- What it was priced from and under which versions, as protobuf bytes: enough to price it again. They are never decoded
  -- here, so that nothing is lost while releases with different fields run side by side.
  deal bytea NOT NULL,
  priced_under bytea NOT NULL,
  PRIMARY KEY (agency_id, mode, id)
);

-- For the operator, who looks quotes up by id alone.
CREATE INDEX quotes_by_id ON quotes (id);

-- Hosted links by the SHA-256 of their token; the token itself is nowhere. A quote has one current link.
CREATE TABLE hosted_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  agency_id text NOT NULL,
  mode text NOT NULL,
  quote_id text NOT NULL,
  issued_at timestamptz NOT NULL,
  replaced_at timestamptz,
  FOREIGN KEY (agency_id, mode, quote_id) REFERENCES quotes (agency_id, mode, id)
);

CREATE UNIQUE INDEX hosted_links_current ON hosted_links (agency_id, mode, quote_id) WHERE replaced_at IS NULL;
