-- Up Migration

-- For the operator, who reads the audit log backwards from the newest change.
CREATE INDEX audit_log_by_time ON audit_log (at, id);
