-- Row-level security on every table. Whose a row is, is seen by the columns: rows of a space are
-- whose the space is, rows with a user are that user's; all others are the team's, see team.sql.

DO $$
DECLARE
    name text;
    keys text[];
    present text := 'current_setting(''quire.user_id'', true)';
BEGIN
    -- FORCE binds the tables' owner too; see library/database/roles.py for those whom it does not bind.
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'quire' LOOP
        EXECUTE format('ALTER TABLE quire.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE quire.%I FORCE ROW LEVEL SECURITY', name);
        IF NOT EXISTS (SELECT FROM pg_policies
                       WHERE schemaname = 'quire' AND tablename = name AND policyname = 'own') THEN
            SELECT array_agg(attname) INTO keys FROM pg_attribute
            WHERE attrelid = format('quire.%I', name)::regclass AND attnum > 0;
            EXECUTE format('CREATE POLICY own ON quire.%I USING (%s)', name,
                           CASE WHEN 'space_id' = ANY (keys)
                           THEN 'space_id IN (SELECT id FROM quire.spaces)'  -- has a policy itself
                           WHEN 'user_id' = ANY (keys) THEN 'user_id = ' || present
                           ELSE present || ' = ''#team''' END);
        END IF;
    END LOOP;
END
$$;
