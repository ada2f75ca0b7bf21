-- Up Migration

-- For the operator, who reads the audit log backwards from the newest change. Changes wait while it is built, which takes
-- about a second for a million rows; pricing goes on.
CREATE INDEX audit_log_by_time ON audit_log (at, id);
