-- Row-level security on every table. Whose a row is, is seen by the columns: rows of a space are
-- whose the space is, rows with a user are that user's; all others are the team's, see team.sql.
-- Of a space's rows, those with readers of their own are seen by these alone: a session says by
-- which names its reader is known, one a line. It sees the sets of readers with one of them.

DO $$
DECLARE
    name text;
    keys text[];
    present text := 'current_setting(''quire.user_id'', true)';
    known text := 'string_to_array((SELECT current_setting(''quire.readers'', true)), E''\n'')';
    visible text := '(SELECT id FROM quire.reader_sets)';
    hidden text;
    rule text;
BEGIN
    -- FORCE binds the tables' owner too; see library/database/roles.py for those whom it does not bind.
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'quire' LOOP
        EXECUTE format('ALTER TABLE quire.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE quire.%I FORCE ROW LEVEL SECURITY', name);
        SELECT array_agg(attname) INTO keys FROM pg_attribute
        WHERE attrelid = format('quire.%I', name)::regclass AND attnum > 0;
        IF NOT EXISTS (SELECT FROM pg_policies
                       WHERE schemaname = 'quire' AND tablename = name AND policyname = 'own') THEN
            EXECUTE format('CREATE POLICY own ON quire.%I USING (%s)', name,
                           CASE WHEN 'space_id' = ANY (keys)
                           THEN 'space_id IN (SELECT id FROM quire.spaces)'  -- has a policy itself
                           WHEN 'user_id' = ANY (keys) THEN 'user_id = ' || present
                           ELSE present || ' = ''#team''' END);
        END IF;
        -- What was written from documents is seen by whom all of these are.
        hidden := format('EXISTS (SELECT FROM quire.run_documents d WHERE d.space_id = %I.space_id '
                         'AND d.thread = %I.thread AND d.kept_for IS NOT NULL '
                         'AND d.kept_for NOT IN %s)', name, name, visible);
        rule := CASE WHEN 'readers' = ANY (keys) THEN 'readers IS NULL OR readers IN ' || visible
                WHEN name = 'reader_sets' THEN 'principals && ' || known
                WHEN name = 'reports' THEN 'NOT ' || hidden
                WHEN name = 'answers' THEN 'NOT ' || hidden || ' AND EXISTS (SELECT FROM '
                    'quire.reports r WHERE r.id = answers.report AND r.version = answers.version)'
                END;
        IF rule IS NOT NULL AND NOT EXISTS (
            SELECT FROM pg_policies
            WHERE schemaname = 'quire' AND tablename = name AND policyname = 'readers') THEN
            EXECUTE format('CREATE POLICY readers ON quire.%I AS RESTRICTIVE USING (%s)', name, rule);
        END IF;
    END LOOP;
END
$$;
