-- Who may come in, and what they may use: read and written by the package `team` alone, in sessions
-- of `schema.access.TEAM_USER`. No member's own session sees a row. Safe to run again.

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

-- How far a job came that is being done.
CREATE TABLE IF NOT EXISTS quire.job_progress (
    job       bigint PRIMARY KEY,
    documents integer NOT NULL,
    told      timestamptz NOT NULL DEFAULT now()
);
