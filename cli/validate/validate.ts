import { clientsFor } from '../aws/clients';
import { installedLocal } from '../dev/server';
import { EXIT } from '../program/exit';
import { installHint } from '../program/install-hint';
import { usage } from '../refusal';
import { table } from '../render/layout';
import type { Style, Terminal } from '../terminal';
import { plural } from '../text';
import { Questions } from './ask';
import { assemblyOf } from './assembly';
import { HELP, parseOptions } from './options';
import { type Row, rowsOf } from './rows';

/** The person who asked, and how the answer is laid out for them. */
interface Reader {
  readonly terminal: Terminal & { clear(): void };
  readonly style: Style;
}

/**
 * Asks AWS about what an app deploys, prints what it says, and gives the exit code. `args` are those after `validate`.
 *
 * @throws Refusal for a command line or an app that cannot be used
 */
export async function validate(
  args: readonly string[],
  { terminal, style }: Reader,
  ended: AbortSignal,
): Promise<number> {
  const parsed = parseOptions(args);
  if (parsed.kind === 'usage') throw usage(parsed.message);
  if (parsed.kind === 'help') {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  const { options } = parsed;
  const local = installedLocal();
  if (!local) throw usage(`validate needs @onceflow/local; ${installHint('@onceflow/local')}`);
  const { stateMachines } = await assemblyOf(options, local, ended);
  if (stateMachines.length === 0) throw usage('there is no state machine in this app to ask about');
  const aws = clientsFor(options, process.env, ended);
  try {
    const questions = new Questions(aws.sfn, ended);
    const rows = await rowsOf(stateMachines, questions, text => terminal.progress(text));
    terminal.clear();
    const endpoint = options.endpoint ?? process.env['AWS_ENDPOINT_URL'] ?? null;
    process.stdout.write(
      options.json ? `${JSON.stringify({ endpoint, rows })}\n` : rendered(rows, endpoint, style),
    );
    const isAnswered = rows.some(({ verdict }) => verdict !== 'unknown');
    return isAnswered && !rows.some(isRefused) ? EXIT.done : EXIT.failed;
  } finally {
    aws.close();
  }
}

/** Only what the app deploys can be refused to it. */
function isRefused({ verdict, isDeployed }: Row): boolean {
  return verdict === 'refused' && isDeployed;
}

function rendered(rows: readonly Row[], endpoint: string | null, style: Style): string {
  const columns = [
    { title: 'state machine', values: rows.map(({ machine }) => machine), isElastic: true },
    { title: 'claim', values: rows.map(({ claim }) => claim), isElastic: true },
    { title: 'answer', values: rows.map(({ verdict }) => verdict), isElastic: false },
    { title: 'why', values: rows.map(({ detail }) => detail), isElastic: true },
  ];
  const counts = (['confirmed', 'refused', 'unknown'] as const).map(
    verdict => `${rows.filter(row => row.verdict === verdict).length} ${verdict}`,
  );
  const sum = `${plural(rows.length, 'row')}: ${counts.join(', ')}`;
  const asked = endpoint === null ? '' : `; asked of ${endpoint}, and not of AWS`;
  return `${table(style, columns)}\n\n${sum}${asked}\n`;
}
