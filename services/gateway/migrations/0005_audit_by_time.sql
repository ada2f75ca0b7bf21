-- Up Migration

-- For the operator, who reads the audit log from its newest entry backwards.
CREATE INDEX audit_log_by_time ON audit_log (at, id);
