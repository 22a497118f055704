import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { inputText } from '../../client/input-text';
import { startBatch } from '../../functions/start-from-queue/start-batch';
import { EventRule } from '../../infra/cdk/event-rule';
import { IdempotentWorkflow } from '../../infra/index';
import { filtersOf } from '../../infra/sources/custom-event-bus-filter';
import { readRequests } from '../../infra/sources/http-request';
import { requestTemplate } from '../../infra/sources/http-templates';
import type { Outcomes } from '../../infra/sources/outcomes';
import { validateFragmentId, validateScope } from '../../infra/validation/props';
import { evaluateMapping } from '../../packages/local/vtl/mapping';
import { parseTemplate } from '../../packages/local/vtl/parse';
import { executionName } from '../../state-machine/contract/execution-name';
import { keyText } from '../../state-machine/contract/idempotency-key';
import { schemaProblem } from '../../state-machine/contract/table-schema';
import { parseKeyExpressions } from '../../state-machine/expression/key-expressions';
import { fits } from '../../state-machine/front-door/answers';
import { keyOf } from '../../state-machine/front-door/request';
import { keptPayloadExpression } from '../../state-machine/jsonata/kept-payload';
import { keyTextExpression, nameExpression } from '../../state-machine/jsonata/key';
import { OnFailed } from '../../state-machine/options/on-failed';
import { Results } from '../../state-machine/options/results';
import { StoreError } from '../../state-machine/options/store-error';
import { type Notice, sendNotice } from '../../state-machine/tasks/send-notice';
import { storedResult } from '../../state-machine/workflow/states/finalize';
import { evaluate206 } from '../support/evaluate';
import { definitionIn, newStack, someFunction } from '../support/synthesize';

/** Of one, two, three and four bytes; the last one is two units of UTF-16. */
const CHARACTERS = ['a', 'é', '中', '😀'];

/** Units of a bound. A character beyond ASCII can be taken for four bytes. */
type Counted = keyof typeof SIZES;
const SIZES = {
  bytes: (character: string) => Buffer.byteLength(character),
  'at most four bytes': (character: string) => (character === 'a' ? 1 : 4),
  characters: () => 1,
  'UTF-16 units': (character: string) => character.length,
  'escaped characters': (character: string) => (character === 'a' ? 1 : character.length * '\\u0000'.length),
};

/** Whether a text of this length is taken as it is: tried at the bound and one unit beyond. */
interface Tried {
  readonly max: number;
  readonly counts: Counted;
  /** @default - all */
  readonly of?: readonly string[];
  readonly takes: (text: string) => boolean | Promise<boolean>;
}

/** The row whose file imports this constant and compares with it. */
interface Shared {
  readonly with: string;
}

/** Why no data of a user is counted. */
interface NotOfData {
  readonly because: string;
}

const throwsNothing = (define: () => unknown) => {
  try {
    define();
    return true;
  } catch {
    return false;
  }
};
const evaluated = async (expression: string, input: unknown, more: object = {}) => {
  const context = { State: { RetryCount: 0 } };
  const evaluation = await evaluate206(expression, { states: { input, context }, ...more });
  return 'value' in evaluation ? evaluation.value : evaluation.thrown;
};
const KEY = parseKeyExpressions('{% $states.input.id %}');
const isStarted = async (body: string) => {
  let hasStarted = false;
  const attributes = { ApproximateReceiveCount: '1' };
  await startBatch(
    { Records: [{ messageId: 'm', receiptHandle: 'r', body, attributes }] },
    {
      start: async () => {
        hasStarted = true;
        return { kind: 'started', output: '{}' };
      },
      postpone: async () => undefined,
      complain: () => undefined,
    },
  );
  return hasStarted;
};
/** The message of a notice whose facts, cause and content are these variables. */
async function messageOf(notice: Partial<Notice>, input: unknown, variables: object = {}) {
  const stack = newStack();
  const queue = new Queue(stack, 'Failures');
  const facts = { idempotencyKey: "'order-7'" };
  const task = sendNotice(
    stack,
    { kind: 'queue', queue },
    { id: 'Notify', comment: '', kind: 'FAILED', facts, ...notice },
  );
  const { Arguments } = task.toStateJson() as { readonly Arguments: { readonly MessageBody: string } };
  return Object(await evaluated(Arguments.MessageBody, input, variables));
}
const FACTS = { status: 'FAILED', idempotencyKey: 'order-7' };
const inQuotes = (...values: readonly unknown[]) => JSON.stringify([JSON.stringify(values)]).length;

/** Whether the state that stores a result in the bucket passes it on, because duplicates can read it back. */
async function isReadBack(result: string) {
  const { States } = definitionIn(WITH_RESULTS);
  const { Output } = States['Store result'] as unknown as { readonly Output: string };
  return (await evaluated(Output, result)) === result;
}

/** The text of the front door's input, of a request with this body. */
function handedOver(body: string): string {
  const asked = { stateMachineArn: 'arn', principal: undefined, asked: undefined };
  const parsed = parseTemplate(requestTemplate(asked));
  if (parsed.kind === 'problem') throw new Error(parsed.message);
  const { template } = parsed;
  const parameters = { header: {}, path: {}, querystring: {} };
  const context = { path: '/prod/payments' };
  const made = evaluateMapping({ template, body, parameters, context, stageVariables: {} });
  if (made.kind !== 'mapped') throw new Error(made.problem);
  return JSON.parse(made.text).input;
}

const isPattern = (text: string) => {
  const eventPattern = { source: [text] };
  return new EventRule(newStack(), 'Rule', { eventPattern }, '').node.validate().length === 0;
};
const IN_PATTERN = '{"source":[""]}'.length;
const inReadable = JSON.stringify([JSON.stringify({ result: '' })]).length;
const IN_JSON = '{"a":""}'.length;
const OF_WORDS = { because: 'it shortens our own sentence' };
const OUTCOMES = {
  keyAndPayload: { key: parseKeyExpressions('{% $states.input.idempotencyKey %}'), payload: undefined },
  options: {},
} as Outcomes;
const isAccepted = (define: () => unknown) => {
  try {
    define();
    return true;
  } catch {
    return false;
  }
};
const BUCKET = new Bucket(new Stack(new App(), 'Test'), 'Results');
const ROOT = path.join(__dirname, '../..');
const WITH_RESULTS = ((stack: Stack) => {
  const results = Results.inBucket(new Bucket(stack, 'Results'));
  const idempotencyKey = '{% $states.input.id %}';
  new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), results });
  return Template.fromStack(stack);
})(newStack());
const RESULT: Tried = {
  max: 50_004 - JSON.stringify([JSON.stringify('')]).length,
  counts: 'characters',
  takes: async text => {
    const { S } = Object(await evaluated(storedResult(), text));
    return S === JSON.stringify(text);
  },
};

/** Every bound of a length that the package keeps, by its file and its name there. */
const BOUNDS: Readonly<Record<string, Tried | Shared | NotOfData>> = {
  'client/input-text.ts: INPUT_BYTES_MAX': {
    max: 262_144 - IN_JSON,
    counts: 'bytes',
    takes: text => throwsNothing(() => inputText({ a: text })),
  },
  'functions/start-from-queue/start-batch.ts: INPUT_BYTES_MAX': {
    max: 262_144 - IN_JSON,
    counts: 'bytes',
    takes: text => isStarted(JSON.stringify({ a: text })),
  },
  'infra/cdk/event-rule.ts: PATTERN_LENGTH_MAX': {
    max: 2048 - IN_PATTERN,
    counts: 'characters',
    takes: isPattern,
  },
  'infra/sources/http-templates.ts: INPUT_LENGTH_MAX': {
    max: 262_145 - handedOver('a').length,
    counts: 'escaped characters',
    takes: body => JSON.parse(handedOver(body)).body === body,
  },
  'infra/template/workflow-template.ts: BODY_BYTES_MAX': { because: 'the command prints it beside a size' },
  'infra/validation/props.ts: SCOPE_BYTES_MAX': {
    max: 255,
    counts: 'bytes',
    takes: text => throwsNothing(() => validateScope(text)),
  },
  'state-machine/contract/execution-name.ts: NAME_LENGTH_MAX': {
    // Other characters than letters and digits are not in a name: it has a hash then.
    max: 80,
    counts: 'characters',
    takes: text => executionName(text.replace(/./gu, 'a')) === text.replace(/./gu, 'a'),
  },
  'state-machine/contract/idempotency-key.ts: KEY_TEXT_MAX': {
    max: 400,
    counts: 'characters',
    takes: text => {
      const given = keyText(text);
      return given.kind === 'key' && given.text === text;
    },
  },
  'state-machine/jsonata/key.ts: KEY_TEXT_MAX': {
    max: 400,
    counts: 'characters',
    takes: async text => (await evaluated(keyTextExpression(KEY), { id: text })) === text,
  },
  'state-machine/jsonata/key.ts: NAME_LENGTH_MAX': {
    max: 80,
    counts: 'characters',
    takes: async text => {
      const key = text.replace(/./gu, 'a');
      return (await evaluated(nameExpression(`'${key}'`, 'readable'), {})) === key;
    },
  },
  'state-machine/contract/table-schema.ts: VALUE_BYTES_MAX': {
    max: 1024,
    counts: 'bytes',
    takes: value => schemaProblem({ partitionKey: 'PK', sortKey: { name: 'SK', value } }) === undefined,
  },
  'state-machine/front-door/request.ts: KEY_LENGTH_MAX': {
    max: 255,
    counts: 'characters',
    takes: async id => JSON.stringify(await evaluated(keyOf(KEY), { id })) === JSON.stringify({ key: id }),
  },
  'state-machine/front-door/answers.ts: 250000': {
    max: 249_999,
    counts: 'at most four bytes',
    takes: async text => (await evaluated(`{% ${fits('$text')} %}`, {}, { text })) === true,
  },
  'state-machine/jsonata/kept-payload.ts: PAYLOAD_TEXT_MAX': {
    max: 10_000 - IN_JSON,
    counts: 'characters',
    takes: async text =>
      (await evaluated(keptPayloadExpression('$states.input'), { a: text })) !== 'TOO_LONG',
  },
  'state-machine/jsonata/kept-payload.ts: FIELD_CHARACTERS_MAX': OF_WORDS,
  'state-machine/options/on-failed.ts: ERROR_CHARACTERS_MAX': {
    max: 256,
    counts: 'characters',
    takes: error => throwsNothing(() => OnFailed.returnStoredFailure({ errors: [error] })),
  },
  'state-machine/options/results.ts: PREFIX_BYTES_MAX': {
    max: 500,
    counts: 'bytes',
    takes: prefix => throwsNothing(() => Results.inBucket(BUCKET, { prefix }).validate()),
  },
  'state-machine/options/store-error.ts: CAUSE_CHARACTERS_MAX': {
    max: 32_768,
    counts: 'characters',
    takes: text => throwsNothing(() => StoreError.upTo([...text].length)),
  },
  'state-machine/tasks/send-notice.ts: CAUSE_CHARACTERS_MAX': {
    max: 8000,
    counts: 'characters',
    takes: async text => {
      const cause = '$failure.Cause';
      return (await messageOf({ cause, content: null }, {}, { failure: { Cause: text } })).cause === text;
    },
  },
  'state-machine/tasks/send-notice.ts: MESSAGE_TEXT_MAX': {
    max: 60_000 - inQuotes(FACTS, ''),
    counts: 'characters',
    takes: async text => (await messageOf({}, text)).input === text,
  },
  'state-machine/contract/record.ts: RESULT_TEXT_MAX': {
    with: 'state-machine/workflow/states/finalize.ts: beyond.maxCharacters + 4',
  },
  'state-machine/contract/record.ts: PAYLOAD_TEXT_MAX': {
    with: 'state-machine/jsonata/kept-payload.ts: PAYLOAD_TEXT_MAX',
  },
  'state-machine/contract/record.ts: KEY_TEXT_MAX': { with: 'state-machine/jsonata/key.ts: KEY_TEXT_MAX' },
  'state-machine/contract/record.ts: SCOPE_BYTES_MAX': { with: 'infra/validation/props.ts: SCOPE_BYTES_MAX' },
  'state-machine/workflow/states/finalize.ts: beyond.maxCharacters + 4': RESULT,
  'state-machine/workflow/states/results.ts: READABLE_CHARACTERS': {
    max: 240_000 - inReadable,
    counts: 'characters',
    of: ['a'],
    takes: isReadBack,
  },
  'state-machine/workflow/states/results.ts: READABLE_OTHER_CHARACTERS': {
    max: 60_000 - inReadable,
    counts: 'characters',
    of: ['é', '中', '😀'],
    takes: isReadBack,
  },
  'state-machine/workflow/states/results.ts: DIGIT_CHARACTERS': { because: 'it stands for one number' },
  'infra/sources/custom-event-bus-filter.ts: BYTES_MAX': {
    max: 4096 - IN_PATTERN,
    counts: 'bytes',
    takes: text => throwsNothing(() => filtersOf({ data: { source: [text] } })),
  },
  'infra/sources/custom-event-bus-source.ts: NAME_LENGTH': { because: 'it cuts a name that we make' },
  'infra/validation/props.ts: FRAGMENT_ID_MAX': {
    max: 50,
    counts: 'UTF-16 units',
    takes: text => throwsNothing(() => validateFragmentId(text)),
  },
  'state-machine/contract/jsonata.ts: characters': { because: 'who calls it gives the bound' },
  'state-machine/words/describe-value.ts: CHARACTERS_MAX': OF_WORDS,
  'state-machine/workflow/states/fail.ts: EXPRESSION_MAX': OF_WORDS,
  'state-machine/options/on-failed.ts: ERRORS_MAX': { because: 'it counts names' },
  'state-machine/contract/execution-name.ts: HASH_LENGTH': { because: 'it cuts a hash' },
  'state-machine/contract/execution-name.ts: SUFFIX_LENGTH': { because: 'it cuts a hash' },
  'state-machine/contract/stored-result.ts: CLAIM_LENGTH': { because: 'it cuts a hash' },
  'infra/sources/http-request.ts: KEY_LENGTH_MAX': {
    max: 255,
    counts: 'characters',
    takes: text => {
      const idempotencyKey = [`{% '${text}' %}`, '{% $states.input.body.id %}'];
      return isAccepted(() => readRequests({ idempotencyKey }, OUTCOMES, '/payments'));
    },
  },
  'state-machine/expression/search.ts: GROUP_MAX': { because: 'it counts events that are tried' },
  'state-machine/front-door/result-location.ts: CHECK_LENGTH': { because: 'it cuts a hash' },
  'state-machine/front-door/result-location.ts: SECONDS_LENGTH': { because: 'it is the length of a time' },
};

/** A comparison of a length with a number, in JSONata and in TypeScript, and a constant by its name. */
const FORMS = [
  /\$length\((?:[^()]|\([^()]*\))*\)[^<>=`]{0,40}(?:<=?|>=?) *(\$\{[^}]+\}|[1-9][\d_]*)/g,
  /\b(?:byteLength\([^;]*?\)|\w*[bB]ytes|\.length|\blength|characters|size) *(?:<=?|>=?) *([A-Z][A-Z_]+\b|\d[\d_]{2,})/g,
  /\bconst ([A-Z_]*(?:LENGTH|CHARACTERS|BYTES|TEXT)[A-Z_]*) = \d/g,
];

function boundsIn(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const names = FORMS.flatMap(form => [...text.matchAll(form)].map(([, name = '']) => name));
  return names.map(name => `${file}: ${name.replace(/^\$\{(.*)\}$/, '$1')}`);
}

test('every bound of a length is in the table', () => {
  const found = ['client', 'functions', 'infra', 'state-machine']
    .flatMap(folder =>
      readdirSync(path.join(ROOT, folder), { recursive: true }).map(file => `${folder}/${file}`),
    )
    .filter(file => file.endsWith('.ts'))
    .flatMap(boundsIn);

  expect([...new Set(found)].sort()).toEqual(Object.keys(BOUNDS).sort());
});

test.each(Object.entries(BOUNDS).flatMap(([bound, of]) => ('with' in of ? [[bound, of.with]] : [])))(
  '%s is the bound that is tried as %s',
  (bound, other) => {
    const [from = '', name = ''] = bound.split(': ');
    const [to = ''] = other.split(': ');
    const imported = [
      ...readFileSync(path.join(ROOT, to), 'utf8').matchAll(/import \{([^}]+)\} from '([^']+)'/g),
    ];
    const where = imported.filter(([, names = '']) => names.split(/[\s,]+/).includes(name));

    expect(where.map(([, , file = '']) => path.join(path.dirname(to), `${file}.ts`))).toEqual([from]);
    expect(BOUNDS[other]).toHaveProperty('takes');
  },
);

describe.each(Object.entries(BOUNDS).flatMap(([bound, of]) => ('takes' in of ? [[bound, of] as const] : [])))(
  '%s',
  (_, { max, counts, takes, of = CHARACTERS }) => {
    test.each([...of])('%s: taken at the bound, and not one beyond', async character => {
      const size = SIZES[counts](character);
      const text = character.repeat(Math.floor(max / size)) + 'a'.repeat(max % size);

      expect(await takes(text)).toBe(true);
      expect(await takes(`${text}a`)).toBe(false);
    });
  },
);
