-- Up Migration

-- For the operator, who reads the audit log backwards from the newest change. Imports wait while it is built, which takes
-- about a second for a million rows; lists go on.
CREATE INDEX audit_log_by_time ON audit_log (at, id);
