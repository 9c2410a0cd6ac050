import type { Person } from './people.ts';
import { Random } from './random.ts';

/** A street of each country, and the form of its tax numbers; a digit stands for each #. No number is anybody's. */
const COUNTRIES: Readonly<Record<string, readonly [street: string, tax: string]>> = {
  AE: ['شارع الشيخ زايد {n}', '100000000######'],
  BG: ['ул. „Иван Вазов“ {n}', 'BG000######'],
  BR: ['Rua das Flores {n}', '00.000.###/0001-##'],
  CH: ['Bahnhofstrasse {n}', 'CHE-000.###.### MWST'],
  CZ: ['Masarykova {n}', 'CZ000#####'],
  DE: ['Hauptstraße {n}', 'DE000######'],
  ES: ['Calle Mayor {n}', 'ESB000#####'],
  FR: ['{n} rue de la République', 'FR00000######'],
  GB: ['{n} Mill Lane', 'GB000######'],
  GR: ['Ερμού {n}', 'EL000######'],
  IT: ['Via Roma {n}', 'IT00000######'],
  JP: ['本町 {n}-1', 'T0000000######'],
  KR: ['대불로 {n}', '000-##-#####'],
  KW: ['شارع الخليج {n}', '000######'],
  MX: ['Calle 60 núm. {n}', 'XXX000000###'],
  NO: ['Storgata {n}', 'NO 000 ### ### MVA'],
  PL: ['ul. Długa {n}', 'PL00000#####'],
  RS: ['Његошева {n}', '000######'],
  SE: ['Storgatan {n}', 'SE000000####01'],
  TW: ['中正路 {n} 號', '000#####'],
  US: ['{n} Main Street', '00-0######'],
};

// id | postal code | state
const TABLE = `
aubrac|12000|
belzona|59000|
cervin|1950|VS
drava|94032|
elektra|185 35|
fjordlys|5014|
gota|411 07|
helios|241 00|
iskar|1000|
jaspe|41001|
kantara|44000|
lignano|33100|UD
merano|39100|BZ
neretva|21000|
ostrava|702 00|
pallas|105 63|
quercy|46000|
rhodope|4000|
sarthe|72000|
tessin|6900|TI
umbria|06121|PG
vistula|80-831|
weser|28195|
xanthi|671 00|
yonne|89000|
abilene|79601|TX
bayou|70501|LA
cascade|99201|WA
deltona|32725|FL
everett|98201|WA
fargo|58102|ND
granada|97000|YUC
hudson|12534|NY
inverness|IV1 1HT|
juneau|99801|AK
keelung|200|
laramie|82070|WY
mobile_bay|36602|AL
natchez|39120|MS
ozark|65616|MO
pontiac|48342|MI
qamar||
ribble|PR1 3RL|
severn|WR1 2PW|
thames|DA11 0BH|
ullswater|CA11 7XR|
wye|HR4 9AR|
akita|010-0001|秋田県
biwako|520-0041|滋賀県
chitose|066-0047|北海道
daebul|58456|전라남도
echigo|940-0071|新潟県
failaka|13001|
ghurair|61001|
hawalli|32001|
jahra|01001|
araras|13600-000|SP
barretos|14780-000|SP
curitiba|80010-000|PR
diamantina|39100-000|MG
mulde|04668|
saale|06618|
unstrut|06632|`;

const PLACES = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [id = '', zipcode = '', state = ''] = line.split('|');
      return [id, { ...(zipcode && { zipcode }), ...(state && { state }) }] as const;
    }),
);

/** Where a customer has its seat, and the number that it pays taxes under. */
export function addressOf({ id, city, country }: Person) {
  const random = new Random(`address ${id}`);
  const [street = '', tax = ''] = COUNTRIES[country] ?? [];
  return {
    address_line1: street.replace('{n}', String(random.whole(1, 98))),
    city,
    ...PLACES.get(id),
    country,
    tax_identification_number: tax.replace(/#/g, () => String(random.whole(0, 9))),
  };
}
