import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { inputText } from '../../client/input-text';
import { startBatch } from '../../functions/start-from-queue/start-batch';
import { validateScope } from '../../infra/validation/props';
import { executionName } from '../../state-machine/contract/execution-name';
import { keyText } from '../../state-machine/contract/idempotency-key';
import { schemaProblem } from '../../state-machine/contract/table-schema';
import { parseKeyExpressions } from '../../state-machine/expression/key-expressions';
import { fits } from '../../state-machine/front-door/answers';
import { keyOf } from '../../state-machine/front-door/request';
import { keptPayloadExpression } from '../../state-machine/jsonata/kept-payload';
import { keyTextExpression } from '../../state-machine/jsonata/key';
import { OnFailed } from '../../state-machine/options/on-failed';
import { Results } from '../../state-machine/options/results';
import { evaluate206 } from '../support/evaluate';

/** Of one, two, three and four bytes; the last one is two units of UTF-16. */
const CHARACTERS = ['a', 'é', '中', '😀'];

/** Units of a bound. A character beyond ASCII can be taken for four bytes. */
type Counted = keyof typeof SIZES;
const SIZES = {
  bytes: (character: string) => Buffer.byteLength(character),
  'at most four bytes': (character: string) => (character === 'a' ? 1 : 4),
  characters: () => 1,
};

/** Whether a text of this length is taken as it is: tried at the bound and one unit beyond. */
interface Tried {
  readonly max: number;
  readonly counts: Counted;
  readonly takes: (text: string) => boolean | Promise<boolean>;
}

/** A suite in which the bound is tried, or why no data of a user is counted. */
interface Elsewhere {
  readonly in: string;
}
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
const IN_JSON = '{"a":""}'.length;
const OF_WORDS = { because: 'it shortens our own sentence' };
const BUCKET = new Bucket(new Stack(new App(), 'Test'), 'Results');
const ROOT = path.join(__dirname, '../..');

/** Every bound of a length that the package keeps, by its file and its name there. */
const BOUNDS: Readonly<Record<string, Tried | Elsewhere | NotOfData>> = {
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
  'infra/cdk/event-rule.ts: PATTERN_LENGTH_MAX': { in: 'test/infra/event-patterns.test.ts' },
  'infra/sources/http-templates.ts: INPUT_LENGTH_MAX': { in: 'test/infra/http-templates.test.ts' },
  'infra/template/workflow-template.ts: BODY_BYTES_MAX': { in: 'test/infra/workflow-template.test.ts' },
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
  'state-machine/jsonata/key.ts: NAME_LENGTH_MAX': { in: 'test/state-machine/jsonata/key.test.ts' },
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
  'state-machine/options/store-error.ts: CAUSE_CHARACTERS_MAX': { in: 'test/scenarios/bounds.test.ts' },
  'state-machine/send-notice.ts: CAUSE_CHARACTERS_MAX': { in: 'test/scenarios/bounds.test.ts' },
  'state-machine/send-notice.ts: MESSAGE_TEXT_MAX': { in: 'test/scenarios/on-failure.test.ts' },
  'state-machine/contract/record.ts: RESULT_TEXT_MAX': { in: 'test/scenarios/bounds.test.ts' },
  'state-machine/contract/record.ts: PAYLOAD_TEXT_MAX': { in: 'test/scenarios/bounds.test.ts' },
  'state-machine/contract/record.ts: KEY_TEXT_MAX': { in: 'test/scenarios/bounds.test.ts' },
  'state-machine/contract/record.ts: SCOPE_BYTES_MAX': { in: 'test/infra/rejected-props.test.ts' },
  'state-machine/workflow/states/finalize.ts: beyond.maxCharacters + 4': {
    in: 'test/scenarios/bounds.test.ts',
  },
  'state-machine/workflow/states/results.ts: READABLE_CHARACTERS': { in: 'test/scenarios/results.test.ts' },
  'state-machine/workflow/states/results.ts: READABLE_OTHER_CHARACTERS': {
    in: 'test/scenarios/results.test.ts',
  },
  'state-machine/workflow/states/results.ts: DIGIT_CHARACTERS': { because: 'it stands for one number' },
  'infra/sources/custom-event-bus-filter.ts: BYTES_MAX': {
    in: 'test/infra/custom-event-bus-source.test.ts',
  },
  'infra/sources/custom-event-bus-source.ts: NAME_LENGTH': { because: 'it cuts a name that we make' },
  'infra/validation/props.ts: FRAGMENT_ID_MAX': { in: 'test/infra/rejected-props.test.ts' },
  'state-machine/contract/jsonata.ts: characters': { because: 'who calls it gives the bound' },
  'state-machine/contract/describe-value.ts: CHARACTERS_MAX': OF_WORDS,
  'state-machine/workflow/states/fail.ts: EXPRESSION_MAX': OF_WORDS,
  'state-machine/options/on-failed.ts: ERRORS_MAX': { because: 'it counts names' },
  'state-machine/contract/execution-name.ts: HASH_LENGTH': { because: 'it cuts a hash' },
  'state-machine/contract/execution-name.ts: SUFFIX_LENGTH': { because: 'it cuts a hash' },
  'state-machine/contract/stored-result.ts: CLAIM_LENGTH': { because: 'it cuts a hash' },
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

test.each(Object.entries(BOUNDS).flatMap(([bound, of]) => ('in' in of ? [[bound, of.in]] : [])))(
  '%s is tried in %s',
  (_, file = '') => {
    expect(existsSync(path.join(ROOT, file))).toBe(true);
  },
);

describe.each(Object.entries(BOUNDS).flatMap(([bound, of]) => ('takes' in of ? [[bound, of] as const] : [])))(
  '%s',
  (_, { max, counts, takes }) => {
    test.each(CHARACTERS)('%s: taken at the bound, and not one beyond', async character => {
      const size = SIZES[counts](character);
      const text = character.repeat(Math.floor(max / size)) + 'a'.repeat(max % size);

      expect(await takes(text)).toBe(true);
      expect(await takes(`${text}a`)).toBe(false);
    });
  },
);
