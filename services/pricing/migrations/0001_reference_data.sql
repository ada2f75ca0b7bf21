-- Up Migration

-- The one source of time; tests replace it in their own database to move the clock.
CREATE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now()';

-- Rate sheets as the very text that was loaded. Quotes name the version they were priced from, so none ever goes away.
CREATE TABLE rate_sheets (
  version integer PRIMARY KEY CHECK (version > 0),
  json text NOT NULL,
  loaded_at timestamptz NOT NULL DEFAULT pfq_now()
);

-- Pricing settings as the very text that was set. Version 1 holds the defaults of the release that started first.
CREATE TABLE settings (
  version integer PRIMARY KEY CHECK (version > 0),
  json text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT pfq_now()
);

-- Carrier directories; each load is a whole new one.
CREATE TABLE carrier_directories (
  version integer PRIMARY KEY CHECK (version > 0),
  loaded_at timestamptz NOT NULL DEFAULT pfq_now()
);

-- The insurers of each directory in the order of the file. A null rating is none on file, which is not the rating NR.
CREATE TABLE carriers (
  directory_version integer NOT NULL REFERENCES carrier_directories,
  position integer NOT NULL,
  name text NOT NULL,
  naic_code text,
  am_best_id text,
  rating text,
  PRIMARY KEY (directory_version, position)
);

-- Issuers and coverage types that are not financed; each change is a whole new list.
CREATE TABLE declined_lists (
  version integer PRIMARY KEY CHECK (version > 0),
  issuers text[] NOT NULL,
  coverages text[] NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT pfq_now()
);

-- What each version of the coverage list says of prices, written down when a release with that list first starts.
CREATE TABLE coverage_lists (
  version text PRIMARY KEY,
  verify_minimum_earned text[] NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT pfq_now()
);

-- The one row that says which versions price the next quote; null before the first. Changes take their turn on it.
CREATE TABLE current_versions (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  rate_sheet integer REFERENCES rate_sheets,
  settings integer REFERENCES settings,
  carrier_directory integer REFERENCES carrier_directories,
  declined_list integer REFERENCES declined_lists
);

INSERT INTO current_versions DEFAULT VALUES;

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
  RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME;
END $$;

CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON rate_sheets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON settings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON carrier_directories
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON carriers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON declined_lists
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON coverage_lists
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
