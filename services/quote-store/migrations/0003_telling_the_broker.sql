-- Up Migration

-- Whom a quote is for and from, by the names they had when it was made. The release before stores none of them, so they are
-- no part of quotes_whole_or_voided; the broker's address is then read from request_members.
ALTER TABLE quotes
  ADD COLUMN insured_name text,
  ADD COLUMN agency_name text,
  ADD COLUMN broker_name text,
  ADD COLUMN broker_email text;

-- The event that tells of a live response; null for a test one, which nobody is told of. What becomes of the notification
-- is told back in revisions that count up from 0, so that an older one never replaces a newer.
ALTER TABLE interests
  ADD COLUMN event_id text,
  ADD COLUMN notification_revision integer NOT NULL DEFAULT 0;

-- Not validated: every earlier row is the response to a test quote, which the release before goes on storing.
ALTER TABLE interests ADD CONSTRAINT interests_notification CHECK (
  CASE
    WHEN notification_status = 'skipped' THEN num_nonnulls(event_id, notification_recipient) = 0
    WHEN notification_status IN ('pending', 'sent') THEN
      num_nonnulls(event_id, notification_recipient) = 2 AND notification_reason IS NULL
    WHEN notification_status = 'failed' THEN num_nonnulls(event_id, notification_recipient, notification_reason) = 3
    ELSE false
  END
) NOT VALID;
