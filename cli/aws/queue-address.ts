import { usage } from '../program/rejection';
import type { Workflow } from './workflow';

/** A queue as a person names it, or a message says where it comes from. */
export type QueueAddress = { readonly url: string } | { readonly name: string };

const NAME = /^[A-Za-z0-9_-]{1,80}(?:\.fifo)?$/;

/**
 * Reads a queue's name, ARN or URL. A queue by its ARN or URL is one of the workflow's region and account: by its name
 * alone another one would be found there.
 *
 * @throws Rejection for any other text, and for a queue of another account or region
 */
export function queueAddressIn(
  text: string,
  { stateMachineArn }: Pick<Workflow, 'stateMachineArn'>,
): QueueAddress {
  const [, , , region, account] = stateMachineArn.split(':');
  const rejected = (problem: string) =>
    usage(
      `${JSON.stringify(text)} ${problem}. Pass the name, ARN or URL of a queue in ${region} of ${account}`,
    );
  if (text.startsWith('arn:')) {
    const [, , service, itsRegion, itsAccount, name = '', ...more] = text.split(':');
    if (service !== 'sqs' || more.length > 0 || !NAME.test(name)) throw rejected('is not the ARN of a queue');
    if (itsRegion !== region || itsAccount !== account) throw rejected('is in another region or account');
    return { name };
  }
  if (/^https?:/.test(text)) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const [itsAccount, name = '', ...more] = url?.pathname.slice(1).split('/') ?? [];
    if (url === undefined || more.length > 0 || !NAME.test(name)) throw rejected('is not the URL of a queue');
    const itsRegion = /^sqs\.([^.]+)\.amazonaws\./.exec(url.hostname)?.[1] ?? region;
    if (itsRegion !== region || itsAccount !== account) throw rejected('is in another region or account');
    return { url: text };
  }
  if (!NAME.test(text)) throw rejected('is not a valid queue name');
  return { name: text };
}

/** Whether two URLs are of one queue: the same account and name, whatever the host is called. */
export function isSameQueue(one: string, other: string): boolean {
  const tail = (url: string) => url.split('/').slice(-2).join('/');
  return tail(one) === tail(other);
}
