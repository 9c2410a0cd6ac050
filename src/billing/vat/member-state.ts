/** A part of a member state where VAT is another: those of its addresses have these postal codes. */
export interface TaxException {
  /** As codes of taxes name it. */
  readonly name: string;
  /** As people name it. */
  readonly title: string;
  readonly zipcode: RegExp;
  /** Percent, as text. */
  readonly rate: string;
}

interface MemberState {
  /** The standard rate, percent, as text. */
  readonly standard: string;
  readonly exceptions?: readonly TaxException[];
}

const exception = (name: string, title: string, zipcode: RegExp, rate = '0'): TaxException => ({
  name,
  title,
  zipcode,
  rate,
});

/**
 * The member states by their ISO codes (Greece is GR here, EL in VAT numbers), with the standard rates of VAT in force in November 2026
 * and the territories that are outside of the common VAT system, or have rates of their own: article 6 of Directive 2006/112/EC (no VAT:
 * the Canary Islands, Ceuta, Melilla, Livigno, Campione d'Italia, Büsingen, Heligoland, Åland, Mount Athos, French Guiana, Mayotte),
 * articles 104 and 105 (Jungholz and Mittelberg, the Azores and Madeira), and the French overseas departments' 8.5 %. Rates of the states
 * are those that the European Commission lists: among the latest, Estonia 24 % since July 2025, Romania 21 % since August 2025,
 * Slovakia 23 % since January 2025, Finland 25.5 % since September 2024. Northern Ireland (XI) is taxed as the EU for goods only and is left out.
 */
export const MEMBER_STATES: Readonly<Record<string, MemberState>> = {
  AT: {
    standard: '20',
    exceptions: [
      exception('jungholz', 'Jungholz', /^6691$/, '19'),
      exception('mittelberg', 'Mittelberg', /^699[1-3]$/, '19'),
    ],
  },
  BE: { standard: '21' },
  BG: { standard: '20' },
  CY: { standard: '19' },
  CZ: { standard: '21' },
  DE: {
    standard: '19',
    exceptions: [
      exception('busingen_am_hochrhein', 'Büsingen am Hochrhein', /^78266$/),
      exception('heligoland', 'Heligoland', /^27498$/),
    ],
  },
  DK: { standard: '25' },
  EE: { standard: '24' },
  ES: {
    standard: '21',
    exceptions: [
      exception('canary_islands', 'Canary Islands', /^(35|38)\d{3}$/),
      exception('ceuta', 'Ceuta', /^51\d{3}$/),
      exception('melilla', 'Melilla', /^52\d{3}$/),
    ],
  },
  FI: { standard: '25.5', exceptions: [exception('aland', 'Åland', /^22\d{3}$/)] },
  FR: {
    standard: '20',
    exceptions: [
      exception('guadeloupe', 'Guadeloupe', /^971\d{2}$/, '8.5'),
      exception('martinique', 'Martinique', /^972\d{2}$/, '8.5'),
      exception('guyane', 'French Guiana', /^973\d{2}$/),
      exception('reunion', 'Réunion', /^974\d{2}$/, '8.5'),
      exception('mayotte', 'Mayotte', /^976\d{2}$/),
    ],
  },
  GR: { standard: '24', exceptions: [exception('mount_athos', 'Mount Athos', /^63086$/)] },
  HR: { standard: '25' },
  HU: { standard: '27' },
  IE: { standard: '23' },
  IT: {
    standard: '22',
    exceptions: [
      exception('campione_d_italia', "Campione d'Italia", /^22061$/),
      exception('livigno', 'Livigno', /^23041$/),
    ],
  },
  LT: { standard: '21' },
  LU: { standard: '17' },
  LV: { standard: '21' },
  MT: { standard: '18' },
  NL: { standard: '21' },
  PL: { standard: '23' },
  PT: {
    standard: '23',
    exceptions: [
      exception('azores', 'Azores', /^9[5-9]\d{2}(\d{3})?$/, '16'),
      exception('madeira', 'Madeira', /^9[0-4]\d{2}(\d{3})?$/, '22'),
    ],
  },
  RO: { standard: '21' },
  SE: { standard: '25' },
  SI: { standard: '22' },
  SK: { standard: '23' },
};

/** Whether a country is a member state of the EU, whose VAT is managed. */
export const isMemberState = (country: string | null | undefined): country is string =>
  typeof country === 'string' && Object.hasOwn(MEMBER_STATES, country);
