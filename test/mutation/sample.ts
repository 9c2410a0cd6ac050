import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * A sample of the rules for `--mutate`: each top-level piece of a file (what stands between blank lines of the outermost level)
 * is drawn with the same chance, by a hash of seed, file and first line of its text. So an edit elsewhere never changes what is drawn.
 * Arguments: one piece in how many (12), seed (1).
 */
const root = join(import.meta.dirname, '../..');
const oneIn = Number(process.argv[2] ?? 12);
const seed = process.argv[3] ?? '1';

interface Piece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function piecesOf(source: string): Piece[] {
  const lines = source.split('\n');
  const starts = lines.flatMap((line, n) => (n === 0 || (lines[n - 1] === '' && /^\S/.test(line)) ? [n] : []));
  return starts.map((start, n) => {
    const end = starts[n + 1] ?? lines.length;
    const text = lines.slice(start, end).find((line) => !/^(\/\*| \*|\/\/)/.test(line)) ?? '';
    return { text, from: start + 1, to: end };
  });
}

function isDrawn(file: string, piece: Piece): boolean {
  const hash = createHash('sha256').update(`${seed} ${file} ${piece.text}`).digest();
  return hash.readUInt32BE(0) % oneIn === 0;
}

const drawn = readdirSync(join(root, 'src/billing'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/billing/${name}`)
  .sort()
  .flatMap((file) =>
    piecesOf(readFileSync(join(root, file), 'utf8'))
      .filter((piece) => isDrawn(file, piece))
      .map(({ from, to }) => `${file}:${from}-${to}`),
  );
process.stdout.write(`${drawn.join(',')}\n`);
