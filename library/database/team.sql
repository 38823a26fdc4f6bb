-- Who may come in, and what they may use: read and written by the package `team` alone, in sessions
-- of `schema.access.TEAM_USER`. No member's own session sees a row. Safe to run again.

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
