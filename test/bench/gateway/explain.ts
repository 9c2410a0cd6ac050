import pg from 'pg';
import type { Sent } from './tap.ts';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
}

/** How a statement was carried out. */
export interface Plan {
  readonly sql: string;
  /** Rows that were read of tables, kept or not. */
  readonly rows: number;
  /** Tables that were read from one end to the other. */
  readonly whole: readonly string[];
  /** Milliseconds. */
  readonly planning: number;
  readonly execution: number;
}

const ONE_BLOCK = 100; // rows

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function rowsOf(node: Node): number {
  if (!node['Relation Name']) return 0;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const read = node['Actual Rows'] + removed;
  // A table of one block has no need of an index.
  const isSmall = node['Node Type'] === 'Seq Scan' && read <= ONE_BLOCK;
  return (isSmall ? node['Actual Rows'] : read) * node['Actual Loops'];
}

const READS = /^\s*(SELECT|WITH)\b/i;

/** Carries out what was read once more, and tells how. */
export async function explain(url: string, sent: readonly Sent[]): Promise<Plan[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const plans: Plan[] = [];
  try {
    for (const { sql, values } of sent.filter((one) => READS.test(one.sql))) {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...values]);
      const [told] = rows[0]['QUERY PLAN'] as { Plan: Node; 'Planning Time': number; 'Execution Time': number }[];
      if (!told) continue;
      const nodes = nodesOf(told.Plan);
      const scans = nodes.filter((node) => node['Node Type'].endsWith('Seq Scan'));
      plans.push({
        sql,
        rows: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
        whole: [...new Set(scans.map((node) => node['Relation Name'] ?? ''))],
        planning: told['Planning Time'],
        execution: told['Execution Time'],
      });
    }
  } finally {
    await client.end();
  }
  return plans;
}
