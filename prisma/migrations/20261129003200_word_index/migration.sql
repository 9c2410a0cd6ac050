-- Enough to keep PostgreSQL from reading rows one by one, and not so much that it begins workers or compiles the statement.
ALTER FUNCTION "search_lexemes"(uuid, text) COST 20000 PARALLEL UNSAFE;

-- What was written lately is read from its start by every search; the embedded server has nobody who tidies it up.
DO $$
DECLARE
  "index" text;
BEGIN
  FOR "index" IN SELECT "indexname" FROM "pg_indexes" WHERE "schemaname" = current_schema() AND "indexdef" LIKE '%gin (search_lexemes(%' LOOP
    EXECUTE format('ALTER INDEX %I SET (gin_pending_list_limit = 256)', "index");
    PERFORM gin_clean_pending_list("index"::regclass);
  END LOOP;
END
$$;
