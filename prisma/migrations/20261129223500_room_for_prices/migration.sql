-- A cascade changes all prices of all overrides. Where a page has room for the new rows, no index is written for them: a fifth of the work.
ALTER TABLE "charges" SET (fillfactor = 50);
ALTER TABLE "fixed_charges" SET (fillfactor = 50);
ALTER TABLE "charge_filters" SET (fillfactor = 50);
