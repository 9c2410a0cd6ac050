import type { CustomerRow } from './document.ts';
import type { Life } from './life.ts';
import { idOf } from './random.ts';

/** The identifiers that the document gives to what a timeline names. */
export class Names {
  constructor(
    private readonly customer: CustomerRow,
    private readonly asides: Life['asides'],
  ) {}

  invoice(name: string): string {
    return this.asides.get(name)?.svc_id ?? idOf('invoice', this.customer.svc_id, name);
  }

  creditNote(name: string): string {
    return idOf('credit_note', this.customer.svc_id, name);
  }
}
