const AMOUNT = 'a decimal of at least 0, as text';
const RANGES = 'ranges without a gap from 0 or 1 on, each with an end above its start, the last without one';
const SOME_RANGE = 'at least one range';
const SUBSCRIPTION = 'exactly one subscription';

/** What may be given, by the code of what is wrong: of codes that say the same wherever they are said. */
const ALLOWED: Readonly<Record<string, string>> = {
  alert_already_exists: 'one alert of each type, and of each metric',
  billing_periods_does_not_match: 'subscriptions whose periods end together',
  cannot_be_in_past: 'a moment that is to come',
  invalid_aggregation_type_or_charge_model: 'a charge model that fits the metric and when it is billed',
  invalid_amount: AMOUNT,
  invalid_billable_metric_or_charge_model: 'a recurring metric and a charge model that can be prorated',
  invalid_charge_model: 'a charge model that fits when it is billed and whether it is prorated',
  invalid_date: 'a date or a date-time of ISO 8601, of the years 1 to 9999',
  invalid_email_format: 'e-mail addresses with commas between them',
  invalid_fixed_amount: AMOUNT,
  invalid_free_units: 'a whole number of at least 0',
  invalid_free_units_per_events: 'a whole number of at least 1',
  invalid_free_units_per_total_aggregation: AMOUNT,
  invalid_graduated_percentage_ranges: RANGES,
  invalid_graduated_ranges: RANGES,
  invalid_package_size: 'a whole number of at least 1',
  invalid_rate: AMOUNT,
  invalid_timestamp: 'a date-time of ISO 8601, of the years 1 to 9999',
  invalid_timezone: 'a name of the IANA time zone database',
  invalid_type: 'a list of texts that are not empty',
  invalid_value: 'a metric that does not count the latest value',
  invalid_volume_ranges: RANGES,
  'is not a number': 'a number',
  key_is_invalid: 'a text without NUL and halves of characters',
  missing_graduated_percentage_ranges: SOME_RANGE,
  missing_graduated_ranges: SOME_RANGE,
  missing_volume_ranges: SOME_RANGE,
  must_be_persisted: 'a customer that is stored',
  must_be_true_unless_pay_in_advance: 'true, or false where it is paid in advance',
  new_plan_should_be_different_from_existing_plan: 'another plan than the present one',
  not_compatible_with_cursors: 'cursors or page numbers',
  not_compatible_with_first: 'first or last',
  not_compatible_with_pay_in_advance: '0 where it is paid in advance',
  not_a_valid_country_code: 'a code of ISO 3166',
  not_a_valid_language_code: 'a language tag of BCP 47',
  only_compatible_with_pay_in_advance_and_non_invoiceable: 'null unless it is paid in advance and not invoiced',
  only_one_subscription_allowed_for_plan_change: SUBSCRIPTION,
  only_one_subscription_allowed_for_termination: SUBSCRIPTION,
  per_transaction_max_lower_than_per_transaction_min: 'a maximum that is not below the minimum',
  subscription_billing_entities_do_not_match: 'subscriptions that one entity bills',
  subscription_currencies_does_not_match: 'subscriptions of one currency',
  url_is_invalid: 'an address that http or https leads to',
  units_or_events_must_be_given: 'either units or events',
  value_already_exist: 'what is not there yet',
  value_belongs_to_another_list: 'a place that this list answered',
  value_belongs_to_another_order: 'a place that a list of the same order answered',
  value_is_duplicated: 'each value once',
  wallet_is_terminated: 'a wallet that is active',
};

/** What may be given instead of what was refused with a code; undefined where it depends on the field. */
export const allowedInstead = (code: string): string | undefined => ALLOWED[code];
