-- Words by which lists are searched: a column of each table that is searched, which the database itself keeps, whoever writes,
-- and an index that begins with the organization. src/store/search/word.ts reads what is searched for as "search_text" reads
-- what is stored; a test holds the two together.

-- A text without case, accents and signs: words with spaces between them, and "-" where a sign was within one.
CREATE FUNCTION "search_text"("given" text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  t text := lower(left("given", 4000) COLLATE "C");
BEGIN
  IF octet_length(t) <> length(t) THEN
    t := normalize(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u20d0-\u20ff\ufe00-\ufe0f\u00ad\u200b-\u200d\u2060\ufeff]', '', 'g'), NFKC);
    t := lower(t COLLATE "C");
  END IF;
  IF octet_length(t) <> length(t) THEN
    t := translate(t,
      'ЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪ'
      'ԬԮͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧ'
      'ƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎ',
      'ђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫ'
      'ԭԯͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆæðøþđħłŋœŧɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨ'
      'ʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏ');
    t := translate(t, 'øđłħŧıðς', 'odlhtidσ');
    t := replace(replace(replace(replace(replace(t, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    t := regexp_replace(t, '[\u0080-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]', ' ', 'g');
    t := regexp_replace(t, '[\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u02b0-\u02ff\u055a-\u055f\u0589\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2010-\u2027\u202a-\u202e\u2030-\u205e\u2061-\u206f\u20a0-\u20cf\u2190-\u25ff\u27c0-\u2bff\u3001-\u3004\u3008-\u3020\u3030\u303b-\u303f\u30a0\u30fb\ufff0-\uffff]', '-', 'g');
  END IF;
  t := btrim(translate(t, U&'!"#$%&''()*+,./:;<=>?@[\005C]^_`{|}~\007F' || E'\t\n\r', repeat('-', 31) || repeat(' ', 4)), ' -');
  IF t ~ '[\u0001-\u001f]|--|  |- | -' THEN
    t := regexp_replace(t, '[-\u0001-\u0020]*[\u0001-\u0020][-\u0001-\u0020]*', ' ', 'g');
    t := btrim(regexp_replace(t, '--+', '-', 'g'), ' -');
  END IF;
  RETURN t;
END
$$;

-- What is found of such texts, with a space before each: every word as far as 100 characters, and again from each of its parts
-- on, as "acm-1234" and "1234"; in scripts that do not part words, from every letter on.
CREATE FUNCTION "search_words"(VARIADIC "given" text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  t text := "public"."search_text"(array_to_string("given", ' '));
  words text := '';
  word text;
  parts text[];
  tail text;
BEGIN
  IF t = '' THEN
    RETURN t;
  END IF;
  IF octet_length(t) = length(t) AND strpos(t, '-') = 0 AND length(t) <= 100 THEN
    RETURN ' ' || t;
  END IF;
  FOREACH word IN ARRAY string_to_array(t, ' ') LOOP
    words := words || ' ' || left(word, 100);
    IF octet_length(word) = length(word) THEN
      IF strpos(word, '-') = 0 THEN
        CONTINUE;
      END IF;
      parts := string_to_array(replace(word, '-', '-|'), '|');
    ELSE
      word := regexp_replace(replace(word, '-', '-|'), '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff])', '|\1|', 'g');
      parts := array_remove(string_to_array(word, '|'), '');
    END IF;
    tail := '';
    FOR i IN REVERSE least(cardinality(parts), 128) .. 2 LOOP
      tail := left(parts[i] || tail, 100);
      IF left(tail, 1) <> '-' THEN
        words := words || ' ' || tail;
      END IF;
    END LOOP;
  END LOOP;
  RETURN left(words, 60000);
END
$$;

-- The same words, each after what names its organization, for the index. The cost that is told of it keeps PostgreSQL from
-- finding rows by it without the index.
CREATE FUNCTION "search_lexemes"("organization" uuid, "words" text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 AS $$
BEGIN
  RETURN replace("words", ' ', ' ' || right("organization"::text, 8))::tsvector;
END
$$;

-- The column, what is stored already, the trigger that keeps it, and the index.
DO $$
DECLARE
  one record;
  new_columns text;
BEGIN
  FOR one IN SELECT * FROM (VALUES
    ('billing_entities', '"code", "name", "legal_name", "email"'),
    ('taxes', '"code", "name"'),
    ('invoice_custom_sections', '"code", "name"'),
    ('customers', '"external_id", "name", "firstname", "lastname", "email", "legal_name", "tax_identification_number"'),
    ('billable_metrics', '"code", "name"'),
    ('add_ons', '"code", "name"'),
    ('pricing_units', '"code", "name"'),
    ('plans', '"code", "name", "invoice_display_name"'),
    ('subscriptions', '"external_id", "name"'),
    ('coupons', '"code", "name"'),
    ('invoices', '"number"'),
    ('credit_notes', '"number"'),
    ('wallets', '"name", "code"'),
    ('payment_requests', '"email"'),
    ('payments', '"reference", "provider_payment_id"')
  ) AS searched("table", "columns") LOOP
    new_columns := regexp_replace(one."columns", '("\w+")', 'NEW.\1', 'g');
    EXECUTE format('ALTER TABLE %I ADD COLUMN "words" TEXT NOT NULL DEFAULT %L', one."table", '');
    EXECUTE format('ALTER TABLE %I ALTER COLUMN "words" TYPE text USING "search_words"(%s)', one."table", one."columns");
    EXECUTE format('CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS %L', one."table" || '_words',
      format('BEGIN NEW."words" := "public"."search_words"(%s); RETURN NEW; END', new_columns));
    EXECUTE format('CREATE TRIGGER %I BEFORE INSERT OR UPDATE OF %s, "words" ON %I FOR EACH ROW EXECUTE FUNCTION %I()',
      one."table" || '_words', one."columns", one."table", one."table" || '_words');
    EXECUTE format('CREATE INDEX %I ON %I USING gin ("search_lexemes"("organization_id", "words"))',
      one."table" || '_words_idx', one."table");
  END LOOP;
END
$$;
