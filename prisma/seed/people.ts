/** A customer of the demo, and what is special about it. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly entity: string;
  readonly country: string;
  readonly city: string;
  readonly locale: string;
  /** Own time zone; the entity's where absent. */
  readonly zone?: string;
  /** Day of the first subscription. */
  readonly since: string;
  readonly traits: ReadonlySet<string>;
}

// id | name | plan | entity | country | city | locale | zone | since | traits
const TABLE = `
aubrac|Fromagerie de l'Aubrac|starter|fr|FR|Rodez|fr||2024-11-01|wallet,coupon:welcome,one_off
belzona|Brasserie Belzone|starter|fr|FR|Lille|fr||2024-11-18|anniversary,late
cervin|Cervin Optique|starter|fr|CH|Sion|fr|Europe/Zurich|2025-01-08|anniversary,coupon:half_year
drava|Drava Papier GmbH|starter|fr|DE|Passau|de|Europe/Berlin|2025-02-01|upgrade:2026-03-12:growth,coupon:partner_10
elektra|Ηλέκτρα Ναυτιλιακή|starter|fr|GR|Πειραιάς|en|Europe/Athens|2025-03-03|wallet_granted
fjordlys|Fjordlys Energi AS|starter|fr|NO|Bergen|nb|Europe/Oslo|2025-04-15|anniversary,failing
gota|Göta Verkstad AB|starter|fr|SE|Göteborg|sv|Europe/Stockholm|2025-06-01|grace,late
helios|Ήλιος Αγροτική|starter|fr|GR|Καλαμάτα|en|Europe/Athens|2025-09-10|terminate:2026-06-20
iskar|Искър Машини|starter|fr|BG|София|en|Europe/Sofia|2025-12-01|coupon:api_20
jaspe|Jaspe Ediciones|starter|fr|ES|Sevilla|es|Europe/Madrid|2026-02-14|anniversary,override
kantara|Kantara Architectes|growth|fr|FR|Nantes|fr||2024-11-05|units:2025-05-10:3,wallet
lignano|Lignano Vele S.r.l.|growth|fr|IT|Udine|it|Europe/Rome|2024-12-01|terminate:2026-04-16,late
merano|Merano Bergbahn|growth|fr|IT|Bolzano|de|Europe/Rome|2025-01-20|anniversary,coupon:partner_10,one_off
neretva|Неретва Логистика|growth|fr|RS|Нови Сад|en|Europe/Belgrade|2025-03-01|downgrade:2026-11-10:starter
ostrava|Ostrava Sklo s.r.o.|growth|fr|CZ|Ostrava|en|Europe/Prague|2025-05-06|refund:2026-05-11
pallas|Παλλάς Εκδοτική|growth|fr|GR|Αθήνα|en|Europe/Athens|2025-07-01|downgrade:2026-02-09:starter
quercy|Quercy Truffes|growth|fr|FR|Cahors|fr||2025-08-19|anniversary,failing
rhodope|Родопи Текстил|growth|fr|BG|Пловдив|en|Europe/Sofia|2025-11-01|units:2026-07-02:0,late
sarthe|Sarthe Imprimerie|growth|fr|FR|Le Mans|fr||2026-01-12|grace
tessin|Tessin Uhren|growth|fr|CH|Lugano|it|Europe/Zurich|2026-04-01|tax:zero
umbria|Umbria Ceramiche|quarterly|fr|IT|Perugia|it|Europe/Rome|2024-11-01|wallet_charge
vistula|Vistula Stocznia|quarterly|fr|PL|Gdańsk|en|Europe/Warsaw|2025-02-10|anniversary
weser|Weser Kaffee KG|quarterly|fr|DE|Bremen|de|Europe/Berlin|2025-10-01|late
xanthi|Ξάνθη Καπνός|free|fr|GR|Ξάνθη|en|Europe/Athens|2025-11-01|skip,idle
yonne|Yonne Jardins|free|fr|FR|Auxerre|fr||2026-03-01|skip
abilene|Abilene Freight|scale|us|US|Abilene|en|America/Chicago|2024-11-01|coupon:scale_credit,wallet
bayou|Bayou Seafood Co.|scale|us|US|Lafayette|en|America/Chicago|2025-01-01|late
cascade|Cascade Timber|scale|us|US|Spokane|en|America/Los_Angeles|2025-04-07|anniversary,one_off
deltona|Deltona Medical|scale|us|US|Deltona|en||2025-07-01|override
everett|Everett Aero|scale|us|US|Everett|en|America/Los_Angeles|2025-12-01|failing
fargo|Fargo Grain|scale|us|US|Fargo|en|America/Chicago|2026-03-09|anniversary
granada|Granada Hoteles|enterprise|us|MX|Mérida|es|America/Merida|2024-11-01|wallet
hudson|Hudson Press|enterprise|us|US|Hudson|en||2025-03-15|anniversary,terminate:2026-09-12
inverness|Inverness Wool|enterprise|us|GB|Inverness|en|Europe/London|2025-09-01|tax:zero
juneau|Juneau Salmon|enterprise|us|US|Juneau|en|America/Juneau|2026-02-01|units:2026-08-15:5
keelung|基隆海運股份有限公司|enterprise|us|TW|基隆市|zh-TW|Asia/Taipei|2026-05-01|tax:zero,meta
laramie|Laramie Radio|messaging|us|US|Laramie|en|America/Denver|2025-06-01|wallet_messages
mobile_bay|Mobile Bay Pilots|messaging|us|US|Mobile|en|America/Chicago|2025-09-12|anniversary,failing
natchez|Natchez Records|messaging|us|US|Natchez|en|America/Chicago|2026-01-01|late
ozark|Ozark Outfitters|messaging|us|US|Branson|en|America/Chicago|2026-04-01|
pontiac|Pontiac Parts|messaging|us|US|Pontiac|en|America/Detroit|2026-07-01|
qamar|قمر للتجارة|messaging|us|AE|دبي|en|Asia/Dubai|2026-08-01|tax:zero
ribble|Ribble Bakers|weekly_cards|fr|GB|Preston|en|Europe/London|2026-02-02|tax:vat_uk,wallet
severn|Severn Cycles|weekly_cards|fr|GB|Worcester|en|Europe/London|2026-04-08|tax:vat_uk,anniversary
thames|Thames Chandlery|weekly_cards|fr|GB|Gravesend|en|Europe/London|2026-06-01|tax:vat_uk,late
ullswater|Ullswater Ferries|weekly_cards|fr|GB|Penrith|en|Europe/London|2026-07-06|tax:vat_uk
wye|Wye Valley Cider|weekly_cards|fr|GB|Hereford|en|Europe/London|2026-08-03|tax:vat_uk,terminate:2026-10-15
akita|秋田精密株式会社|tokyo|jp|JP|秋田市|en||2024-11-01|wallet
biwako|琵琶湖水産|tokyo|jp|JP|大津市|en||2025-04-01|late
chitose|千歳航空サービス|tokyo|jp|JP|千歳市|en||2025-08-20|anniversary
daebul|대불조선 주식회사|tokyo|jp|KR|영암군|en|Asia/Seoul|2025-12-01|tax:zero
echigo|越後酒造|tokyo|jp|JP|長岡市|en||2026-05-01|future:2026-12-01:tokyo
failaka|فيلكا للملاحة|gulf|us|KW|الكويت|en|Asia/Kuwait|2025-01-01|tax:zero,wallet
ghurair|الغرير للحبوب|gulf|us|KW|الأحمدي|en|Asia/Kuwait|2025-06-10|tax:zero,anniversary,late
hawalli|حولي للطباعة|gulf|us|KW|حولي|en|Asia/Kuwait|2025-11-01|tax:zero,partner
jahra|الجهراء للتوريد|gulf|us|KW|الجهراء|en|Asia/Kuwait|2026-03-01|tax:zero
araras|Araras Móveis|brasil|br|BR|Araras|pt-BR||2024-11-10|anniversary,wallet
barretos|Barretos Rodeio|brasil|br|BR|Barretos|pt-BR||2025-05-01|failing
curitiba|Curitiba Erva-Mate|brasil|br|BR|Curitiba|pt-BR||2025-10-01|coupon:partner_10
diamantina|Diamantina Joias|brasil|br|BR|Diamantina|pt-BR||2026-02-20|anniversary,terminate:2026-10-30`;

function person(line: string): Person {
  const [id = '', name = '', plan = '', entity, country = '', city = '', locale = '', zone, since = '', traits = ''] =
    line.split('|');
  return {
    id,
    name,
    plan,
    entity: `quintavel_${entity}`,
    country,
    city,
    locale,
    ...(zone ? { zone } : {}),
    since,
    traits: new Set(traits.split(',').filter((trait) => trait !== '')),
  };
}

/** About sixty customers in Latin, Greek, Cyrillic, Chinese, Japanese, Korean and Arabic letters. */
export const PEOPLE: readonly Person[] = TABLE.trim().split('\n').map(person);

/** The words after a trait: `upgrade:2026-03-12:growth` has a day and a plan. Undefined without the trait. */
export function traitOf({ traits }: Person, name: string): readonly string[] | undefined {
  for (const trait of traits) if (trait === name || trait.startsWith(`${name}:`)) return trait.split(':').slice(1);
  return undefined;
}
