import { Token } from 'aws-cdk-lib';
import { parseInputExpression } from '../../state-machine/expression/input-expression';
import { type KeyExpressions, parseRequestKey } from '../../state-machine/expression/key-expressions';
import { constantsIn, keyPartOf } from '../../state-machine/expression/key-parts';
import { anything, type KnownValue, missing, oneOf, union } from '../../state-machine/expression/known-value';
import { readingOf } from '../../state-machine/expression/known-value-of';
import { readsOf } from '../../state-machine/expression/reads';
import { memberPathsIn, type UserExpression } from '../../state-machine/expression/user-expression';
import type { RequestKey } from '../../state-machine/front-door/front-door-props';
import { KEY_LENGTH_MAX } from '../../state-machine/front-door/request';
import { ALL_HEADERS, requestOf } from './envelope/envelopes';
import { CHANGING_HEADERS } from './envelope/headers';
import { expressionsOver, keyFacts, optionExpression } from './envelope/option-expressions';
import { inputMadeBy, requireEnvelope } from './envelope/require-envelope';
import type { Compared } from './http-advice';
import type { HttpSourceOptions } from './http-source-options';
import type { Outcomes } from './outcomes';

/** What a source reads of its requests. */
export interface RequestReading {
  readonly requestKey: RequestKey;
  readonly input: UserExpression | undefined;
  /** The parameters of the resource's path; undefined: they are not known. */
  readonly parameters: readonly string[] | undefined;
  readonly compared: Compared;
}

/**
 * Reads the options of a source that are over a request to this path, and what the workflow's expressions see of it.
 *
 * @throws Error for an expression that reads what no request, or no input, has
 */
export function readRequests(
  { idempotencyKey, header = 'Idempotency-Key', input: given }: HttpSourceOptions,
  { keyAndPayload, options }: Outcomes,
  path: string,
): RequestReading {
  const parameters = parametersIn(path);
  const requestKey = idempotencyKey === undefined ? undefined : parseRequestKey(idempotencyKey);
  const key = requestKey ? keyOf(requestKey, parameters) : NOTHING_OF_ITS_OWN;
  const input =
    given === undefined ? undefined : parseInputExpression(given, "{% {'detail': $states.input.body} %}");
  const made = input && optionExpression('input', input);
  const envelope = made ? 'request' : 'http';
  const delivered = requestOf(envelope, { parameters, key });
  const expressions = expressionsOver(keyAndPayload, options);
  requireEnvelope(expressions, { envelope, delivered, input: made });
  return {
    requestKey: requestKey
      ? { kind: 'expression', expressions: requestKey }
      : { kind: 'header', name: header },
    input,
    parameters,
    compared: {
      keys: expressions.filter(({ isKey }) => isKey),
      payload: expressions.filter(({ option }) => option === 'payload'),
      input: made ? inputMadeBy(made, delivered) : delivered,
    },
  };
}

/** A header: it may be anything. */
const NOTHING_OF_ITS_OWN = anything();

/** What the key of a source tells. @throws Error where it reads what differs between two tries, or what there is not */
function keyOf(key: KeyExpressions, parameters: readonly string[] | undefined): KnownValue {
  const { kind, parts } = key;
  const option = kind === 'payload' ? 'Key.ofPayload' : 'idempotencyKey';
  const isPart = kind === 'composite';
  const delivered = requestOf('request', { parameters, key: missing(undefined) });
  const expressions = parts.map(part => ({ ...optionExpression(option, part), isPart, ...keyFacts(key) }));
  requireEnvelope(expressions, { envelope: 'request', delivered });
  for (const { nodes, text } of parts) {
    const part = keyPartOf(nodes[0]);
    const length = Math.max(0, ...(part ? constantsIn(part) : []).map(value => [...String(value)].length));
    if (length <= KEY_LENGTH_MAX) continue;
    throw new Error(
      `\`${option}\` has a constant of ${length} characters, at most ${KEY_LENGTH_MAX}, so that every request would be ` +
        `rejected; got ${text}. Use a shorter one`,
    );
  }
  const values = parts.map(({ nodes, text }) => {
    const { value } = readingOf(nodes[0], delivered);
    const changing = memberPathsIn(readsOf(nodes[0])).find(
      ([of, member, header = '']) => of === 'input' && member === 'headers' && CHANGING_HEADERS.has(header),
    );
    if (changing !== undefined) {
      throw new Error(
        `\`${option}\` reads the header ${changing[2]}, which differs between two tries of a request; got ${text}. Read ` +
          'what the client sends again as it was, such as {% $states.input.body.paymentId %}',
      );
    }
    if (!value.marks.has(ALL_HEADERS)) return value;
    throw new Error(
      `\`${option}\` reads all headers of a request, which differ between two tries of it; got ${text}. Read what you need, ` +
        'such as {% $states.input.body %}',
    );
  });
  return { ...oneOf(values), marks: union(values.map(({ marks }) => marks)) };
}

function parametersIn(path: string): readonly string[] | undefined {
  if (Token.isUnresolved(path)) return undefined;
  return [...path.matchAll(/\{([^{}+]+)\+?\}/g)].flatMap(([, name]) => name ?? []);
}
