import { FEATURE as FEATURE_RESOURCE } from '../../../billing/resource/feature.ts';
import { PrivilegeValueType } from '../../generated/prisma/enums.ts';
import { checkPrivileges, fillPrivileges } from '../default/feature.ts';
import { fieldsOf } from '../document/resource-field.ts';
import { always, choice, field, required, shape, stamps } from '../document/shape.ts';

const FEATURE_PRIVILEGE = shape({
  name: 'feature_privilege',
  table: 'feature_privileges',
  key: ['feature_id', 'code'],
  unique: always,
  fields: [
    field('code', 'text', required),
    field('name', 'text'),
    choice('value_type', PrivilegeValueType, { initial: 'string' }),
    field('config.select_options', 'texts', { initial: [], aliases: ['select_options'] }),
    field('position', 'integer', { nullable: false }),
    ...stamps('updated', 'deleted'),
  ],
  order: 't.position, t.created_at, t.id',
  adopt: checkPrivileges,
  fill: fillPrivileges,
});

/** Something that an application does for those whose plan has it. */
export const FEATURE = shape({
  name: 'feature',
  table: 'features',
  section: 'features',
  key: ['code'],
  unique: always,
  codeColumn: 'code',
  fields: [...fieldsOf(FEATURE_RESOURCE), ...stamps('updated', 'deleted')],
  children: [{ member: 'privileges', shape: () => FEATURE_PRIVILEGE, parent: 'feature_id' }],
  lookup: ['code'],
});
