import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ReplayReport } from '@onceflow/local';
import { renderReplays } from '../../../cli/replay/render';
import { recorded, replayed, type States } from '../../../packages/local/test/replay/recorded';

const GUIDE = readFileSync(path.join(__dirname, '../../../docs/guide/replay.md'), 'utf8');
const PLAIN = { width: Number.POSITIVE_INFINITY, isColored: false };

const charge = (seconds: number, limit: number): States => ({
  Wait: { Type: 'Wait', Seconds: seconds, Next: 'Charge' },
  Charge: {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName: 'Stack-Charge', Payload: '{% $states.input %}' },
    Output: '{% $states.input %}',
    Next: 'Large?',
  },
  'Large?': {
    Type: 'Choice',
    Choices: [{ Condition: `{% $states.input.amount > ${limit} %}`, Next: 'Ask a person' }],
    Default: 'Ship',
  },
  'Ask a person': { Type: 'Pass', Next: 'Ship' },
  Ship: { Type: 'Succeed' },
});

const answers = [{ output: { Payload: 'paid' }, afterMs: 700 }];
const deployed = (history: string) => history.replaceAll('Stack-Charge', 'Stack-Charge1A2B3C4D-QX7ZK2L9');
const openNames = ['Stack-Charge'];

function reportOn(amount: number, more: { readonly fails?: boolean } = {}): ReplayReport {
  const script = more.fails ? { answers: [{ error: 'Declined' }] } : { answers };
  const history = recorded(charge(5, 1000), { input: { amount }, ...script });
  return replayed(charge(60, 100), deployed(history), { openNames });
}

/** The answer without what a note would say of each. */
function withoutNotes(report: ReplayReport): ReplayReport {
  return report.kind === 'notReplayed' ? report : { ...report, notes: [] };
}

describe('the answer for people', () => {
  test('of two histories: as the guide shows it', () => {
    const rows = [
      { file: 'histories/order-7.json', report: reportOn(250) },
      { file: 'histories/order-8.json', report: reportOn(12, { fails: true }) },
    ];

    expect(GUIDE).toContain(`\`\`\`text\n${renderReplays(PLAIN, rows)}\`\`\`\n`);
  });

  test('of many that diverge alike: the first two in full, the others in a line', () => {
    const report = withoutNotes(reportOn(250));
    const rows = Array.from({ length: 4 }, (_, index) => ({ file: `${index}.json`, report }));
    const lines = renderReplays(PLAIN, rows).split('\n');

    expect(lines.filter(line => line.startsWith('    recorded'))).toHaveLength(2);
    expect(lines).toContain('3.json  another way (13 events, SUCCEEDED): at event 11, as 0.json');
  });

  test('of more than a screen: those without a message are counted only', () => {
    const report = withoutNotes(reportOn(12));
    const rows = Array.from({ length: 30 }, (_, index) => ({ file: `${index}.json`, report }));

    expect(renderReplays(PLAIN, rows).trimEnd().split('\n').slice(1)).toEqual([
      '30 histories: 30 the same way, 0 another way, 0 not replayed',
    ]);
  });
});
