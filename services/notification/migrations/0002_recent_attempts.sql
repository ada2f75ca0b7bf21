-- Up Migration

-- Since tried_since, as far as they were recorded by a release that knows these columns: how often it was tried, and after how
-- many of these attempts nobody knew whether the mail server had taken it.
ALTER TABLE emails
  ADD COLUMN recent_attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN unconfirmed_attempts integer NOT NULL DEFAULT 0;
