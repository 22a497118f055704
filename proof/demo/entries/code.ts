import { SFNClient } from '@aws-sdk/client-sfn';
import { MissingKeyError, startOnce } from '../../../client/index';
import type { Entry, EntryContext } from './entry';

/** Code that calls `startOnce`, with the AWS SDK against the stack's endpoint, and does not wait. */
export function codeEntry({ stack, activity }: EntryContext): Entry {
  const { endpoint, region } = stack;
  if (endpoint === undefined) throw new Error('the stack has no endpoint');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new SFNClient({ endpoint, region, credentials });
  const options = {
    stateMachineArn: stack.output('StateMachineArn'),
    table: stack.output('RecordTableName'),
    scope: stack.output('RecordScope'),
  };
  return {
    async deliver({ id: _id, time: _time, ...input }) {
      activity.begin();
      try {
        await startOnce(client, { ...options, key: input.detail['orderId'], input });
        return { kind: 'taken' };
      } catch (error) {
        if (!(error instanceof MissingKeyError)) throw error;
        return { kind: 'refused', message: error.message };
      } finally {
        activity.end();
      }
    },
    close: () => client.destroy(),
  };
}
