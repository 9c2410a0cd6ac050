import { describe, expect, it } from 'vitest';
import { groupKeyErrors } from '../../../src/billing/catalogue/group-key-check.ts';

function errorsOf(properties: Record<string, unknown>): string[][] {
  const errors: string[][] = [];
  groupKeyErrors(properties, { add: (field: string, code: string) => errors.push([field, code]) } as never);
  return errors;
}
const SHOWN = 'presentation_group_keys';

describe('group keys of properties (behaviour 3.2)', () => {
  it.each(['pricing_group_keys', 'grouped_by'])('%s is a list of texts that are not empty', (name) => {
    for (const good of [undefined, null, [], ['region'], ['region', 'cloud', 'user']])
      expect(errorsOf({ [name]: good }), JSON.stringify(good)).toEqual([]);
    for (const bad of ['region', {}, 5, false, [''], ['region', ''], [1], [null], [['region']]])
      expect(errorsOf({ [name]: bad }), JSON.stringify(bad)).toEqual([[name, 'invalid_type']]);
  });

  it('keys that are shown have a value, an option of whether, and nothing else', () => {
    const good = [
      [],
      [{ value: 'region' }],
      [{ value: 'region', options: { display_in_invoice: false } }],
      [
        { value: 'region', options: {} },
        { value: 'cloud', options: { display_in_invoice: true } },
      ],
    ];
    for (const keys of [undefined, null, ...good])
      expect(errorsOf({ [SHOWN]: keys }), JSON.stringify(keys)).toEqual([]);
    const bad = [
      ...['region', {}, 5, false],
      ...[['region'], [null], [5], [['region']], [Object.assign([], { value: 'region' })]],
      ...[[{}], [{ value: '' }], [{ value: 5 }], [{ value: 'region', more: 1 }], [{ value: 'region' }, { value: '' }]],
      ...[
        [{ value: 'r', options: null }],
        [{ value: 'r', options: 'yes' }],
        [{ value: 'r', options: { other: true } }],
      ],
      ...[[{ value: 'r', options: { display_in_invoice: 'true' } }]],
      [{ value: 'r', options: { display_in_invoice: true, other: true } }],
    ];
    for (const keys of bad)
      expect(errorsOf({ [SHOWN]: keys }), JSON.stringify(keys)).toEqual([[SHOWN, 'invalid_type']]);
  });

  it('at most two are shown, each once', () => {
    const keys = (...names: string[]) => errorsOf({ [SHOWN]: names.map((value) => ({ value })) });
    expect(keys('a', 'b', 'c')).toEqual([[SHOWN, 'too_many_keys']]);
    expect(keys('a', 'a')).toEqual([[SHOWN, 'value_is_duplicated']]);
    expect(keys('a', 'b', 'a')).toEqual([
      [SHOWN, 'too_many_keys'],
      [SHOWN, 'value_is_duplicated'],
    ]);
  });
});
