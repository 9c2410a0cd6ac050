import { row } from './row.ts';

type Text = readonly [title: string, details: string];

/** What is printed below invoices, by what it says and in which language: a document has one language. */
const TEXTS: Readonly<Record<string, Readonly<Record<string, Text>>>> = {
  late_payment: {
    fr: [
      'Retard de paiement',
      'Pénalités au taux de 10 % l’an et indemnité forfaitaire de 40 € pour frais de recouvrement.',
    ],
    en: ['Late payment', 'Interest of 10% a year, and a fixed sum of €40 for the costs of recovery.'],
    de: [
      'Zahlungsverzug',
      'Verzugszinsen von 10 % im Jahr und eine Pauschale von 40 € für die Kosten der Beitreibung.',
    ],
    sv: ['Sen betalning', 'Dröjsmålsränta på 10 % per år och en fast ersättning på 40 € för indrivningskostnader.'],
  },
  wire_us: { en: ['Bank transfer', 'Account 000000000000, routing number 000000000, of Quintavel Inc.'] },
  wire_jp: { en: ['Bank transfer', 'Ordinary account 0000000 of Quintavel KK'] },
  export_note: {
    en: ['Export', 'Services supplied outside the country of the seller'],
    it: ['Esportazione', 'Servizi resi fuori dal paese del venditore'],
    'zh-TW': ['出口', '在賣方國家以外提供的服務'],
  },
};

const rowOf = (topic: string, locale: string, [display_name, details]: Text) => {
  const code = `${topic}_${locale.toLowerCase().replace('-', '_')}`;
  return { ...row('section', 'quintavel', code), name: `${display_name} (${locale})`, display_name, details };
};

/** A text in a language; none where it is not written in that. */
export function sectionIn(topic: string, locale: string) {
  const text = TEXTS[topic]?.[locale];
  return text && rowOf(topic, locale, text);
}

export const SECTIONS = Object.entries(TEXTS).flatMap(([topic, texts]) =>
  Object.entries(texts).map(([locale, text]) => rowOf(topic, locale, text)),
);

/** What each entity has to say below invoices that are paid late. */
export const ENTITY_TOPICS = [
  ['quintavel_fr', 'late_payment'],
  ['quintavel_us', 'wire_us'],
  ['quintavel_jp', 'wire_jp'],
] as const;
