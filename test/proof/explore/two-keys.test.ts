import { Duration, type Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Recovery, Results } from '../../../infra/index';
import { subjectOfAssembly } from '../../../proof/explore/model/load-subject';
import type { Subject } from '../../../proof/explore/model/subject';
import { changeToken, objectAt, replaceIn, stateOf } from '../../../proof/explore/mutations/edit';
import type { Mutation } from '../../../proof/explore/mutations/mutation';
import { mutated } from '../../../proof/explore/mutations/run';
import { assemblyOf } from '../../support/assembly';
import { KINDS, type Names, namesAlong } from './names';

/** The reference app with all that makes names. */
const VARIANT = {
  name: 'two keys',
  workflow: {
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 2, delay: Duration.seconds(10) } }),
  },
  settings: (stack: Stack) => ({
    results: Results.inBucket(new Bucket(stack, 'Results'), { maxInRecord: 0 }),
  }),
};

/** Each kind of name is made in one of them. */
const TRACES = [
  // The result is put, and read.
  'send1 works1.1 end1 send2',
  // Recovery delivers an execution that never claimed its key.
  'send1 abort1 never1 tell1 do2',
  // It redrives an owner, and once more.
  'send1 do1 do1 abort1 ends1.1 tell1 lose-recovery1 abort1 never1 tell1 lose-recovery2',
  // A duplicate finds the owner overdue, and starts recovery.
  'send1 do1 do1 abort1 ends1.1 untold1 pass send2 do2 do2 do2 recover2',
  // An event whose step fails is delivered again, twice.
  'send1 do1 do1 fail1.1 do2 do2 do2 do2 fail2.2 do3',
];

const START = 'start by the dispatcher';
const RECOVERY = 'start by recovery';
const KEY = 'order-7';
const LONG = 'o'.repeat(79);
const LONGER = 'o'.repeat(450);

type Neighbors = readonly [one: string, other: string];

/** Keys of which one begins as the other does, or that differ only in case, or beyond a limit. */
const NEIGHBORS: readonly Neighbors[] = [
  [KEY, 'Order-7'],
  [KEY, `${KEY}-recovery-1`],
  [KEY, `${KEY},`],
  [KEY, `~${KEY}`],
  [`${LONG}a`, `${LONG}b`],
  [`${LONG}ab`, `${LONG}ac`],
  [`${LONGER}a`, `${LONGER}b`],
];

let shipped: Subject | undefined;

function subject(): Subject {
  if (shipped) return shipped;
  const loaded = subjectOfAssembly(assemblyOf(VARIANT));
  if (loaded.kind === 'problem') throw new Error(loaded.message);
  shipped = { ...loaded.subject, running: ['recovery', 'redelivery'] };
  return shipped;
}

const known = new Map<string, Names>();

function namesOf(orderId: string, isSecond: boolean, mutant?: Mutant): Names {
  const share = `${orderId} ${isSecond}`;
  const before = mutant ? undefined : known.get(share);
  if (before) return before;
  const changed = mutant ? mutated(subject(), mutant) : subject();
  const traces = mutant ? [mutant.trace] : TRACES;
  const names = namesAlong({ subject: { ...changed, orderId }, traces, isSecond });
  if (!mutant) known.set(share, names);
  return names;
}

/** The kinds of names that requests for two keys share. */
function shared([one, other]: Neighbors, mutant?: Mutant): string[] {
  const [ones, others] = [namesOf(one, false, mutant), namesOf(other, true, mutant)];
  return [...ones].flatMap(([what, names]) =>
    [...names].some(name => others.get(what)?.has(name)) ? [what] : [],
  );
}

describe('names of two keys', () => {
  test('each kind of name is met, and each record is that of the key', () => {
    const names = namesOf(KEY, false);

    expect([...names.keys()].sort()).toEqual([...KINDS].sort());
    expect([...(names.get('record') ?? [])]).toEqual([`ChargePayment#${KEY}`]);
  });

  test('a redrive of another end has another client token', () => {
    expect(namesOf(KEY, false).get('client token')?.size).toBe(2);
  });

  test.each(NEIGHBORS.map(pair => [pair[0].slice(-12), pair[1].slice(-36), pair] as const))(
    '%s and %s: no request of one has a name of the other',
    (_one, _other, pair) => {
      expect(shared(pair)).toEqual([]);
    },
  );

  test('a key that looks like a name that recovery or a redelivery makes: no request has a name of both', () => {
    const made = [...(namesOf(KEY, false).get(RECOVERY) ?? [])].filter(name => name.startsWith(KEY));

    expect(made).toHaveLength(3);
    expect(made.flatMap(name => shared([KEY, name]))).toEqual([]);
  });

  test('a key that looks like the second name of another: its execution meets a second start by the dispatcher', () => {
    const [second = ''] = [...(namesOf(KEY, false).get(START) ?? [])].filter(name => name !== KEY);

    expect(shared([KEY, second])).toEqual([START, 'execution']);
  });
});

/** Makes names without what tells keys apart. */
interface Mutant extends Mutation {
  /** Neighbors whose names meet then. */
  readonly pair: Neighbors;
  /** What of them meets. */
  readonly meets: string;
  /** Where it makes such a name. */
  readonly trace: string;
}

/** Changes a member of the request of a state. */
function inRequest(state: string, member: string, change: (text: string) => string): Mutation['change'] {
  return draft => {
    const request = objectAt(stateOf(draft, state), 'Arguments');
    request[member] = change(String(request[member]));
  };
}

/** Takes the execution out of what a name or a token is a hash of. */
const withoutOwner = (text: string) => text.replace('$hash($owner.executionArn & ', '$hash(');

const LONG_PAIR: Neighbors = [`${LONG}a`, `${LONG}b`];
const REDRIVEN = 'send1 do1 do1 abort1 ends1.1 tell1 lose-recovery1';

const MUTANTS: readonly Mutant[] = [
  {
    name: 'redelivery',
    says: 'a redelivery is named without its execution',
    of: 'redelivery',
    change: inRequest('Deliver again', 'Name', text => text.replace(/\$hash\(.*?\)/, "'0123456789abcdef'")),
    pair: LONG_PAIR,
    meets: RECOVERY,
    trace: 'send1 do1 do1 fail1.1 do2',
  },
  {
    name: 'recovery',
    says: 'a delivery of recovery is named without its execution',
    of: 'recovery',
    change: inRequest('Deliver again', 'Name', withoutOwner),
    pair: LONG_PAIR,
    meets: RECOVERY,
    trace: 'send1 abort1 never1 tell1 do2',
  },
  {
    name: 'token',
    says: 'a client token is made without the execution',
    of: 'recovery',
    change: draft => changeToken(draft, withoutOwner),
    pair: [KEY, 'Order-7'],
    meets: 'client token',
    trace: REDRIVEN,
  },
  {
    name: 'call',
    says: 'a recovery is named without the owner',
    of: 'workflow',
    change: inRequest('Call recovery', 'Name', text => text.replace('$record.owner.S', "''")),
    pair: [KEY, 'Order-7'],
    meets: RECOVERY,
    trace: 'send1 do1 do1 abort1 ends1.1 untold1 pass send2 do2 do2 do2 recover2',
  },
  {
    name: 'start',
    says: 'an execution is named by the begin of its key',
    of: 'dispatcher',
    change: inRequest('Start by key', 'Name', () => '{% $substring($states.input.detail.orderId, 0, 79) %}'),
    pair: LONG_PAIR,
    meets: START,
    trace: 'send1 dispatch1',
  },
  {
    name: 'object',
    says: 'the object of a result is named without the key, and without the execution',
    of: 'workflow',
    change: inRequest('Store result', 'Key', text =>
      text.replace('$hash($idempotencyKey, ', "$hash('', ").replace('$states.context.Execution.Id', "''"),
    ),
    pair: [KEY, 'Order-7'],
    meets: 'object',
    trace: 'send1 do1 do1 works1.1',
  },
  {
    name: 'record',
    says: 'the record of a long key is that of its begin',
    of: 'workflow',
    change: draft => {
      const item = objectAt(stateOf(draft, 'Claim record'), 'Arguments', 'Item', 'idempotencyKey');
      replaceIn(item, 'S', "& $hash($id, 'SHA-256')", "& ''");
    },
    pair: [`${LONGER}a`, `${LONGER}b`],
    meets: 'record',
    trace: 'send1 dispatch1',
  },
];

describe('names made without what tells keys apart', () => {
  test.each(MUTANTS.map(mutant => [mutant.says, mutant] as const))('%s: found', (_says, mutant) => {
    expect(shared(mutant.pair)).toEqual([]);
    expect(shared(mutant.pair, mutant)).toContain(mutant.meets);
  });

  test('a client token is made without the number of redrives: found', () => {
    const mutant: Mutant = {
      name: 'ends',
      says: 'a client token stands for all ends of an execution',
      of: 'recovery',
      change: draft =>
        changeToken(draft, token => token.replace(" & '#' & $formatBase($owner.redriveCount, 10)", '')),
      pair: [KEY, KEY],
      meets: 'client token',
      trace: `${REDRIVEN} abort1 never1 tell1 lose-recovery2`,
    };

    expect(namesOf(KEY, false, mutant).get('client token')?.size).toBe(1);
  });
});
