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
