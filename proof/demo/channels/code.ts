import { SFNClient } from '@aws-sdk/client-sfn';
import { MissingKeyError, startOnce } from '../../../client/index';
import { ERROR } from '../../../state-machine/contract/index';
import type { Channel, ChannelContext } from './channel';

/** Code that calls `startOnce`, with the AWS SDK against the stack's endpoint, and does not wait. */
export function codeChannel({ stack, work }: ChannelContext): Channel {
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
      work.begin();
      try {
        await startOnce(client, { ...options, key: input.detail['orderId'], input });
        return { kind: 'taken' };
      } catch (error) {
        if (!(error instanceof MissingKeyError)) throw error;
        return { kind: 'rejected', error: ERROR.invalidEvent };
      } finally {
        work.end();
      }
    },
    close: () => client.destroy(),
  };
}
