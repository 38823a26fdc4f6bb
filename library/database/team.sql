-- Who may come in, and what they may use: read and written by the package `team` alone, in sessions
-- of `schema.access.TEAM_USER`. No member's own session sees a row. Safe to run again.

-- Who may come in. The identity is what all other rows know them by, and never changes.
CREATE TABLE IF NOT EXISTS quire.accounts (
    identity  text PRIMARY KEY CHECK (identity ~ '^[^@#]'),
    issuer    text NOT NULL,                        -- who signs them in; empty: made by hand
    subject   text NOT NULL,                        -- what the issuer knows them by
    name      text NOT NULL DEFAULT '',
    email     text NOT NULL DEFAULT '',             -- to be shown; it proves nothing
    operator  boolean NOT NULL DEFAULT false,       -- as the issuer said at the last sign-in
    blocked   timestamptz,
    made      timestamptz NOT NULL DEFAULT now(),
    signed_in timestamptz,
    UNIQUE (issuer, subject)
);

-- What they may do in the spaces of a group. What the issuer says and what was set by hand stand
-- beside each other: a sign-in replaces the former only.
CREATE TABLE IF NOT EXISTS quire.memberships (
    identity text NOT NULL REFERENCES quire.accounts ON DELETE CASCADE,
    team     text NOT NULL,                         -- the group
    role     text NOT NULL CHECK (role IN ('reader', 'writer', 'curator')),
    by_hand  boolean NOT NULL,
    PRIMARY KEY (identity, team, by_hand)
);

-- Browsers that are signed in. Of what they show of themselves only the hash is kept.
CREATE TABLE IF NOT EXISTS quire.browser_sessions (
    hash     bytea PRIMARY KEY,
    identity text NOT NULL REFERENCES quire.accounts ON DELETE CASCADE,
    made     timestamptz NOT NULL DEFAULT now(),
    expires  timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS browser_sessions_identity ON quire.browser_sessions (identity);

CREATE TABLE IF NOT EXISTS quire.api_keys (
    id       text PRIMARY KEY,                      -- to speak of it; it opens nothing
    hash     bytea NOT NULL UNIQUE,
    identity text NOT NULL REFERENCES quire.accounts ON DELETE CASCADE,
    name     text NOT NULL,
    scope    text NOT NULL CHECK (scope IN ('read', 'write', 'sources')),
    made     timestamptz NOT NULL DEFAULT now(),
    expires  timestamptz,
    revoked  timestamptz,
    used     timestamptz                            -- last, to the minute
);
CREATE INDEX IF NOT EXISTS api_keys_identity ON quire.api_keys (identity);

-- Who did what. Rows are added and read; none is changed or removed.
CREATE TABLE IF NOT EXISTS quire.audit (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL DEFAULT now(),
    identity text NOT NULL,
    action   text NOT NULL,
    object   text NOT NULL,
    detail   jsonb NOT NULL
);
CREATE INDEX IF NOT EXISTS audit_identity ON quire.audit (identity, id);
CREATE OR REPLACE FUNCTION quire.keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'records of the audit are not changed';
END
$$;
CREATE OR REPLACE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON quire.audit
    EXECUTE FUNCTION quire.keep_audit();
