-- Letters are decomposed as of Unicode 13, which every server knows: its tables, and those of what reads a search, are of any
-- version. What came later, and scripts in which few write, stay as they are written. src/store/search/word.ts does the same.

-- A text without case, accents and signs: words with spaces between them, and "-" where a sign was within one.
CREATE OR REPLACE FUNCTION "search_text"("given" text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  known text := '\u0001-\u085b\u08d3-\u0c04\u0c3e-\u0ce3\u0d00-\u0ecd\u0edc-\u1714\u1732-\u180d\u1885-\u1ac0\u1b00-\u1df9\u1dfb-\ua770\ua7f8-\uffff\U0001d400-\U0001d7ff\U0001ee00-\U0002fa1f';
  marks text := '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u20d0-\u20ff\ufe00-\ufe0f\u00ad\u200b-\u200d\u2060\ufeff]';
  t text := lower(left("given", 4000) COLLATE "C");
BEGIN
  IF octet_length(t) <> length(t) THEN
    IF t ~ ('[^' || known || ']') THEN
      t := (SELECT string_agg(CASE WHEN part[1] ~ ('^[' || known || ']')
          THEN normalize(regexp_replace(normalize(part[1], NFKD), marks, '', 'g'), NFKC) ELSE part[1] END, '' ORDER BY place)
        FROM regexp_matches(t, '[' || known || ']+|[^' || known || ']+', 'g') WITH ORDINALITY AS run (part, place));
    ELSE
      t := normalize(regexp_replace(normalize(t, NFKD), marks, '', 'g'), NFKC);
    END IF;
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

-- What is stored with such letters already; the triggers read it anew.
DO $$
DECLARE
  "table" text;
BEGIN
  FOR "table" IN SELECT "table_name" FROM information_schema.columns WHERE "table_schema" = current_schema() AND "column_name" = 'words' LOOP
    EXECUTE format('UPDATE %I SET "words" = '''' WHERE "words" ~ %L', "table", '[^\u0001-\u085b\u08d3-\u0c04\u0c3e-\u0ce3\u0d00-\u0ecd\u0edc-\u1714\u1732-\u180d\u1885-\u1ac0\u1b00-\u1df9\u1dfb-\ua770\ua7f8-\uffff\U0001d400-\U0001d7ff\U0001ee00-\U0002fa1f]');
  END LOOP;
END
$$;
