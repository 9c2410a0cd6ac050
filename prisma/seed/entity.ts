import type { EntityRow } from './document.ts';
import { row } from './row.ts';

const FR_ADDRESS = { address_line1: '18 rue des Tanneurs', city: 'Lyon', zipcode: '69009', state: 'Rhône' };
const US_ADDRESS = { address_line1: '412 Harbor Street', city: 'Albany', zipcode: '12207', state: 'NY' };
const JP_ADDRESS = { address_line1: '神田錦町 3-11', city: '千代田区', zipcode: '101-0054', state: '東京都' };
const BR_ADDRESS = { address_line1: 'Rua das Laranjeiras 77', city: 'São Paulo', zipcode: '01310-000', state: 'SP' };

type EntityMembers = Pick<EntityRow, 'name' | 'country' | 'default_currency' | 'timezone' | 'document_number_prefix'> &
  Partial<EntityRow>;

/** A legal entity that issues invoices. */
export function entityRow(owner: string, code: string, members: EntityMembers): EntityRow {
  return {
    ...row('billing_entity', owner, code),
    email: `billing@${owner}.example`,
    email_settings: ['invoice.finalized', 'credit_note.created'],
    ...members,
  };
}

/** The legal entities of the first organization, in four countries. */
export const ENTITIES: EntityRow[] = [
  entityRow('quintavel', 'quintavel_fr', {
    name: 'Quintavel SAS',
    legal_name: 'Quintavel SAS',
    legal_number: 'RCS Lyon 000 111 222',
    tax_identification_number: 'FR00000111222',
    country: 'FR',
    ...FR_ADDRESS,
    default_currency: 'EUR',
    document_locale: 'fr',
    timezone: 'Europe/Paris',
    document_number_prefix: 'QTV-FR',
    net_payment_term: 30,
    is_default: true,
    eu_tax_management: true,
    invoice_footer: 'Quintavel SAS · 18 rue des Tanneurs · 69009 Lyon · RCS Lyon 000 111 222',
    tax_codes: ['vat_fr'],
    invoice_custom_section_codes: ['late_payment_fr'],
    payment_iban: 'FR1420041010050500013M02606',
    payment_bic: 'QTVLFRPPXXX',
    payment_account_holder: 'Quintavel SAS',
    payment_bank_name: 'Banque des Tanneurs',
    payment_url: 'https://pay.quintavel.example/{number}',
  }),
  entityRow('quintavel', 'quintavel_us', {
    name: 'Quintavel Inc.',
    legal_name: 'Quintavel Inc.',
    country: 'US',
    ...US_ADDRESS,
    tax_identification_number: '00-0000001',
    default_currency: 'USD',
    document_locale: 'en',
    timezone: 'America/New_York',
    document_number_prefix: 'QTV-US',
    net_payment_term: 15,
    tax_codes: ['sales_ny'],
    invoice_custom_section_codes: ['wire_us_en'],
    payment_url: 'https://pay.quintavel.example/{number}',
  }),
  entityRow('quintavel', 'quintavel_jp', {
    name: 'Quintavel KK',
    legal_name: 'クインタヴェル株式会社',
    country: 'JP',
    ...JP_ADDRESS,
    tax_identification_number: 'T0000000000001',
    default_currency: 'JPY',
    document_locale: 'en',
    timezone: 'Asia/Tokyo',
    document_number_prefix: 'QTV-JP',
    net_payment_term: 30,
    invoice_grace_period: 2,
    tax_codes: ['ct_jp'],
    invoice_custom_section_codes: ['wire_jp_en'],
  }),
  entityRow('quintavel', 'quintavel_br', {
    name: 'Quintavel Brasil Ltda.',
    legal_name: 'Quintavel Brasil Ltda.',
    country: 'BR',
    ...BR_ADDRESS,
    tax_identification_number: '00.000.000/0001-00',
    default_currency: 'BRL',
    document_locale: 'pt-BR',
    timezone: 'America/Sao_Paulo',
    document_number_prefix: 'QTV-BR',
    net_payment_term: 10,
    tax_codes: ['iss_br', 'pis_br'],
    payment_url: 'https://pay.quintavel.example/{number}',
  }),
];
