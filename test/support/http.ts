import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Source } from '../../infra/index';
import { FrontDoor } from '../../infra/nested/front-door';
import type { HttpSourceOptions } from '../../infra/sources/http-source-options';
import type { Variant } from './variant';
import { openWorld, type World } from './world';

/** A request as the template of API Gateway hands it over. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: unknown;
  /** In place of `body`: its text. */
  readonly text?: string;
  readonly principal?: string;
  readonly path?: Readonly<Record<string, string>>;
  /** What the template says in place of a request that is too long. */
  readonly tooLong?: true;
  /** The path that the request was sent to. */
  readonly url?: string;
  /** The last part of a `Location`: a question. */
  readonly asked?: string;
}

/** An answer of the front door, with the milliseconds that it took. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tookMs: number;
}

/** A world whose workflow has a source of requests. */
export interface HttpWorld extends World {
  /** Sends a request; its answer comes as time passes. */
  request(sent: Sent): Promise<Answer>;
  /** The same, and lets time pass until every execution has ended. */
  answered(sent: Sent): Promise<Answer>;
}

/** The body that requests have unless they say another. */
export const BODY = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

/** What an answer has that was given before. */
export const REPLAYED = { 'Idempotent-Replayed': 'true' };

/** A request with a key, and further headers. */
export function keyed(key: string, more: Readonly<Record<string, string>> = {}, body: unknown = BODY): Sent {
  return { headers: { 'idempotency-KEY': key, ...more }, body };
}

/** The status of an answer, and what its problem is. */
export function told({ status, body }: Answer): string {
  const { type } = JSON.parse(body);
  return typeof type === 'string' ? `${status} ${type.split('#')[1]}` : String(status);
}

/** The question at the location of an answer. */
export function askedAt({ headers }: Answer): string {
  return String(headers['Location']?.split('./payments/requests/')[1]);
}

/** A change of the front door's definition: this text, which it must have, becomes another. */
export interface Mutant {
  readonly from: string;
  readonly to: string;
}

/** Opens a world whose workflow has requests for its source, with these options. */
export async function openHttp(
  name: string,
  options: HttpSourceOptions = {},
  workflow: Variant['workflow'] = {},
  settings?: NonNullable<Variant['settings']>,
  mutants: readonly Mutant[] = [],
  reach?: Parameters<typeof openWorld>[1],
): Promise<HttpWorld> {
  const world = await openWorld(
    {
      ...(settings && { settings }),
      name: `http ${name} ${JSON.stringify(mutants)}`,
      workflow: {
        idempotencyKey: '{% $states.input.idempotencyKey %}',
        payload: '{% $states.input.body %}',
        ...workflow,
      },
      source: Source.http('payments', options),
      more: (stack, { node }) => {
        const [frontDoor] = node.findAll().filter(one => one instanceof FrontDoor);
        new CfnOutput(stack, 'FrontDoorArn', { value: frontDoor?.stateMachine.stateMachineArn ?? '' });
        if (frontDoor && mutants.length > 0) mutate(frontDoor, mutants);
      },
    },
    reach,
  );
  const { runtime } = world.stack;
  const stateMachineArn = world.stack.output('FrontDoorArn');
  const request = async (sent: Sent): Promise<Answer> => {
    const begun = world.clock.now();
    const ended = await runtime.startSyncExecution({ stateMachineArn, input: JSON.stringify(inputOf(sent)) });
    if (ended.status !== 'SUCCEEDED') throw new Error(`${ended.status}: ${ended.error}: ${ended.cause}`);
    return { ...JSON.parse(ended.output ?? ''), tookMs: ended.stopDate - begun };
  };
  return Object.assign(world, {
    request,
    async answered(sent: Sent) {
      const answer = request(sent);
      answer.catch(() => undefined);
      await world.settle();
      return answer;
    },
  });
}

function mutate({ stateMachine }: FrontDoor, mutants: readonly Mutant[]): void {
  const resource = stateMachine.node.defaultChild as CfnStateMachine;
  let definition = JSON.stringify(Stack.of(stateMachine).resolve(resource.definitionString));
  // A text of the definition, which is JSON in a text of the template.
  const written = (text: string) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1);
  for (const { from, to } of mutants) {
    if (!definition.includes(written(from))) throw new Error(`the front door has no ${from}`);
    definition = definition.replaceAll(written(from), written(to));
  }
  resource.addPropertyOverride('DefinitionString', JSON.parse(definition));
}

/** The input of the front door for a request. */
export function inputOf({
  headers = {},
  body,
  text,
  principal = '',
  path = {},
  tooLong,
  url = '/prod/payments',
  asked,
}: Sent) {
  if (tooLong) return { principal, tooLong };
  const lines = Array.isArray(headers) ? headers : Object.entries(headers);
  const listed = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, value]) => ({ name, value }));
  return {
    headers: listed(lines),
    path: listed(Object.entries(path)),
    query: [],
    principal,
    url: asked === undefined ? url : `${url}/requests/${asked}`,
    ...(asked === undefined ? { body: text ?? (body === undefined ? '' : JSON.stringify(body)) } : { asked }),
  };
}
