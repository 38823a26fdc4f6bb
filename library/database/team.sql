-- Who may come in, and what they may use: read and written by the package `team` alone, in sessions
-- of `schema.access.TEAM_USER`. No member's own session sees a row. Safe to run again.

-- Links that show one version of a report to whoever has them; gone with the report.
CREATE TABLE IF NOT EXISTS quire.share_links (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash    bytea NOT NULL UNIQUE,                  -- of the token, which stands nowhere
    owner   text NOT NULL,                          -- of the report's space
    report  text NOT NULL,
    version integer NOT NULL,
    maker   text NOT NULL,                          -- identity of who made it
    made    timestamptz NOT NULL DEFAULT now(),
    expires timestamptz,                            -- never, where there is none
    FOREIGN KEY (report, version) REFERENCES quire.reports ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS share_links_report ON quire.share_links (report);

-- What webhooks are told, and what came of it; see team/webhook_deliveries.py.
CREATE TABLE IF NOT EXISTS quire.webhook_deliveries (
    id       text PRIMARY KEY,
    owner    text NOT NULL,                         -- whose report it is
    report   text NOT NULL,
    address  text NOT NULL,                         -- may hold a secret: it is never shown
    title    text NOT NULL,
    outcome  text NOT NULL,                         -- of the run: finished or failed
    state    text NOT NULL DEFAULT 'waiting',       -- waiting, delivered or failed
    attempts integer NOT NULL DEFAULT 0,
    due      timestamptz NOT NULL DEFAULT now(),    -- of the next attempt
    reason   text NOT NULL DEFAULT '',              -- why the last attempt failed
    created  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS webhook_deliveries_due ON quire.webhook_deliveries (due)
    WHERE state = 'waiting';

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

-- Names by which documents with readers of their own know them; as the issuer says, or by hand.
CREATE TABLE IF NOT EXISTS quire.known_names (
    identity text NOT NULL REFERENCES quire.accounts ON DELETE CASCADE,
    name     text NOT NULL,
    by_hand  boolean NOT NULL,
    PRIMARY KEY (identity, name, by_hand)
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

-- When sources are brought up to date by themselves.
CREATE TABLE IF NOT EXISTS quire.schedules (
    owner    text NOT NULL,                         -- of the space
    space    text NOT NULL,
    source   text NOT NULL,                         -- connector:location
    identity text NOT NULL,                         -- who scheduled it: syncs are held to their role
    every    interval NOT NULL CHECK (every >= interval '1 minute'),
    due      timestamptz NOT NULL,
    PRIMARY KEY (owner, space, source)
);

-- How far a job came, and why it failed when it was last tried.
CREATE TABLE IF NOT EXISTS quire.job_progress (
    job       bigint PRIMARY KEY,
    documents integer NOT NULL,
    failure   text NOT NULL DEFAULT '',
    told      timestamptz NOT NULL DEFAULT now()
);

-- Turns that are taken, and who waits for one: `team/turns.py`. A row whose time is over is nobody's.
CREATE TABLE IF NOT EXISTS quire.turns (
    ticket   uuid PRIMARY KEY,
    name     text NOT NULL,
    identity text NOT NULL,
    taken    boolean NOT NULL,
    asked    timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires  timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS turns_name ON quire.turns (name);

-- What a user's models read and wrote, by day (UTC): `team/usage.py`.
CREATE TABLE IF NOT EXISTS quire.usage (
    identity      text NOT NULL,
    day           date NOT NULL,
    runs          integer NOT NULL DEFAULT 0,
    calls         integer NOT NULL DEFAULT 0,
    input_tokens  bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (identity, day)
);
ALTER TABLE quire.usage ADD COLUMN IF NOT EXISTS dollars double precision NOT NULL DEFAULT 0;

-- What users may use; '*' is everybody for whom nothing else is said, '@GROUP' each of a group.
CREATE TABLE IF NOT EXISTS quire.limits (
    subject text NOT NULL,
    kind    text NOT NULL,
    most    bigint NOT NULL CHECK (most >= 0),
    PRIMARY KEY (subject, kind)
);

-- Days after which the reports of a space go: `team/retention.py`.
CREATE TABLE IF NOT EXISTS quire.retention (
    owner text NOT NULL,
    space text NOT NULL,
    days  integer NOT NULL CHECK (days > 0),
    PRIMARY KEY (owner, space)
);
