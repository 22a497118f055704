import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withFigures } from '../../../proof/explore/figures';
import { FAILURE_IS_SENT, RESULT_IS_SENT } from '../../../proof/explore/invariants/final-notices';
import { RECOVERED } from '../../../proof/explore/invariants/final-recovery';
import { REDELIVERED } from '../../../proof/explore/invariants/final-redelivery';
import { INVARIANTS } from '../../../proof/explore/invariants/invariants';
import { NOTHING_IS_STUCK } from '../../../proof/explore/invariants/nothing-is-stuck';
import { EVERYTHING_ENDS } from '../../../proof/explore/invariants/termination';
import { StateSpace } from '../../../proof/explore/model/state-space';
import { MUTATIONS, mutated } from '../../../proof/explore/mutations/run';
import { randomWalk } from '../../../proof/explore/random/walk';
import { replayTrace } from '../../../proof/explore/trace';
import { VARIANT_MUTATIONS } from '../../../proof/explore/variants/mutations';
import { VARIANTS, type VariantName } from '../../../proof/explore/variants/variants';
import { explored } from '../../support/scale';
import { ABILITIES, kindOf } from './abilities';
import { KILLS } from './kills';
import { SCHEDULES } from './schedules';
import { shippedSubject, variantSubject } from './subject';

const PAGE = path.join(__dirname, '../../../docs/proof/switched-off.md');

const NAMES = [
  ...INVARIANTS,
  ...[EVERYTHING_ENDS, NOTHING_IS_STUCK, RECOVERED, REDELIVERED, FAILURE_IS_SENT, RESULT_IS_SENT],
].map(({ name }) => name);

/** A mutant that one invariant finds alone: all others are switched off. Without a trace, along its kept one. */
interface Break {
  readonly invariant: string;
  readonly mutant: string;
  readonly variant?: VariantName;
  readonly trace?: string;
}

const BREAKS: readonly Break[] = [
  { invariant: 'anotherWorkflowsStays', mutant: 'claim-unconditional', trace: 'start1 another do1' },
  { invariant: 'callsWhenOverdue', mutant: 'wait-last-one-too-long' },
  { invariant: 'completedMeansSuccess', mutant: 'chain-result-in-a-list' },
  { invariant: 'deliversWhatIsUndone', mutant: 'recovery-forgotten-is-delivered' },
  {
    invariant: 'doubtIsKept',
    mutant: 'claim-unconditional',
    variant: 'at-most-once',
    trace: 'start1 do1 do1 kill1.1 pass timer1 do1 end1 start2 do2',
  },
  { invariant: 'failureIsKept', mutant: 'stored-failure-failure-is-taken-over' },
  {
    invariant: 'failureIsSent',
    mutant: 'on-failure-sent-before-the-record',
    trace: 'start1 do1 throttle1 do1 do1 end1',
  },
  {
    invariant: 'fencingRises',
    mutant: 'takeover-same-attempt',
    trace: 'start1 do1 do1 fail1.1 do1 start2 do2 do2 do2 do2',
  },
  {
    invariant: 'keepsTheEvent',
    mutant: 'dispatch-keeps-a-part',
    trace: 'send1 throttle-dispatch1 dispatch1',
  },
  {
    invariant: 'keepsWhatNoDeliveryChanges',
    mutant: 'custom-event-bus-throttled-is-kept',
    trace: 'send1 throttle-dispatch1',
  },
  { invariant: 'namesItsResult', mutant: 'results-not-put' },
  {
    invariant: 'noDeliveryIsDropped',
    mutant: 'dispatch-keeps-nothing',
    trace: 'send1 throttle-dispatch1',
  },
  {
    invariant: 'nothingAfterARelease',
    mutant: 'recovery-released-by-anybody',
    trace: 'start1 do1 do1 abort1 ends1.1 pass release pass released tell1 recover1 recover1',
  },
  {
    invariant: 'onlyTheOpenComesAgain',
    mutant: 'express-custom-event-bus-unfinished-is-final',
    trace: 'send1 dispatch1 limit1 dispatch1 dispatch1',
  },
  { invariant: 'oneFailure', mutant: 'stored-failure-failure-for-any-payload' },
  { invariant: 'oneRunPerAttempt', mutant: 'retry-once-more' },
  { invariant: 'oneStepAtATime', mutant: 'chain-retried-at-once' },
  { invariant: 'onlyTheOwnerWrites', mutant: 'finalize-unconditional' },
  { invariant: 'ranAtMostOnce', mutant: 'at-most-once-cut-off-is-released' },
  { invariant: 'recordSaysThePayload', mutant: 'claim-without-payload', trace: 'start1 do1' },
  { invariant: 'redrivesAreBounded', mutant: 'recovery-redrives-one-too-many' },
  {
    invariant: 'rejectedOnce',
    mutant: 'without-key-unnamed',
    trace: 'send1 lose-dispatch1 dispatch1',
  },
  {
    invariant: 'rejectedPayloadNeverRuns',
    mutant: 'judge-any-payload',
    trace: 'start1 do1 do1 fail1.1 do1 end1 start2* do2 do2 do2 do2',
  },
  {
    invariant: 'resultIsSent',
    mutant: 'on-success-sent-before-the-record',
    trace: 'start1 do1 do1 works1.1 do1 do1 abort1',
  },
  {
    invariant: 'retentionIsKept',
    mutant: 'finalize-for-a-minute',
    trace: 'start1 do1 do1 works1.1 do1',
  },
  { invariant: 'stepIsToldWhatIs', mutant: 'express-lease-too-short' },
  { invariant: 'succeedsOnce', mutant: 'recovery-release-before-redrive' },
  { invariant: 'unfinishedNeverExpires', mutant: 'recovery-release-expires' },
  { invariant: 'waitsItsTime', mutant: 'wait-too-long' },
];

function isBroken({ invariant, mutant, variant, trace = SCHEDULES[mutant] ?? '' }: Break): boolean {
  const ofVariant = VARIANT_MUTATIONS.find(({ name }) => name === mutant);
  const mutation = ofVariant ?? MUTATIONS.find(({ name }) => name === mutant);
  if (!mutation) throw new Error(`no mutant ${mutant}`);
  const of = variant ?? ofVariant?.variant;
  const subject = of === undefined ? shippedSubject() : variantSubject(of);
  const unchecked = NAMES.filter(name => name !== invariant);
  const channels = [
    'direct',
    ...(of === undefined || mutation.of === 'dispatcher' ? (['dispatcher'] as const) : []),
  ] as const;
  const { violation } = replayTrace(
    { ...mutated(subject, mutation), unchecked },
    { executions: 3, faults: 3, channels },
    trace.split(' '),
  );
  return violation?.invariant === invariant;
}

/** Invariants that another suite shows, with a definition or a step made by hand. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  completedByHandStays: '`completion.test.ts`, by a completion without its condition',
  samePayloadIsNotRejected: '`invariants.test.ts`, by a rule made by hand',
  recoveryIsBounded: '`invariants.test.ts`, by a step made by hand',
};

/** How many mutants by kind, which `kills.test.ts` replays, die by an invariant. */
function killsOf(invariant: string): number {
  return Object.values(KILLS).filter(([killer]) => killer === invariant).length;
}

describe('invariants switched off', () => {
  test.each(BREAKS.map(each => [each.invariant, each.mutant, each] as const))(
    '%s: alone finds %s',
    (_invariant, _mutant, each) => {
      expect(isBroken(each)).toBe(true);
    },
  );

  test('each is the one that some mutant is found by', () => {
    const isShown = (name: string) =>
      ELSEWHERE[name] !== undefined ||
      killsOf(name) > 0 ||
      BREAKS.some(({ invariant }) => invariant === name);

    expect(NAMES.filter(name => !isShown(name))).toEqual([]);
  });
});

/** The kinds of all faults in random walks of the shipped workflow and of each variant. */
function faultsWalked(): ReadonlySet<string> {
  const variants = VARIANTS.slice(0, explored(1, VARIANTS.length));
  const subjects = [shippedSubject(), ...variants.map(({ name }) => variantSubject(name))];
  const kinds = new Set<string>();
  for (const [index, subject] of subjects.entries()) {
    const space = new StateSpace(subject, 20);
    for (let walk = 0; walk < explored(2, 20); walk += 1) {
      for (const step of randomWalk(space, `${index}-${walk}`).walk.schedule) kinds.add(kindOf(step));
    }
  }
  return kinds;
}

describe('faults switched off', () => {
  test('everything that happens in random walks has a trace of its own that needs it', () => {
    const needed = new Set(ABILITIES.flatMap(([, , trace]) => trace.split(' ').map(kindOf)));

    expect([...faultsWalked()].filter(kind => !needed.has(kind))).toEqual([]);
  }, 120_000);
});

/** Each fault with the traces that cannot be gone through without it, each invariant with the mutants that it finds. */
function table(): string {
  const traces = new Map<string, string[]>();
  for (const [of, what, trace] of ABILITIES) {
    const kind = kindOf(trace.split(' ').at(-1) ?? '');
    traces.set(kind, [...(traces.get(kind) ?? []), of === 'shipped' ? what : `${of}: ${what}`]);
  }
  const rows = [
    ...[...traces].map(([kind, what]) => ['step', `\`${kind}\``, what.join('; ')]),
    ...NAMES.map(name => {
      const alone = BREAKS.filter(({ invariant }) => invariant === name).map(({ mutant }) => `\`${mutant}\``);
      const kills = killsOf(name);
      const others = kills > 0 ? [`${kills} of the mutants by kind`] : [];
      return ['invariant', `\`${name}\``, ELSEWHERE[name] ?? [...alone, ...others].join('; ')];
    }),
  ];
  const lines = [['switched off', 'which', 'what notices it'], ['---', '---', '---'], ...rows];
  return lines.map(cells => `| ${cells.join(' | ')} |\n`).join('');
}

test('the table of docs/proof/switched-off.md', () => {
  const before = readFileSync(PAGE, 'utf8');
  const page = withFigures(before, { 'switched off': table() });
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page);

  expect(page).toBe(readFileSync(PAGE, 'utf8'));
});
