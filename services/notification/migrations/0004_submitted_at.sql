-- Up Migration

-- When the insured responded, from which the time to the mail is measured. Null for emails that the release before accepted.
ALTER TABLE emails ADD COLUMN submitted_at timestamptz;
