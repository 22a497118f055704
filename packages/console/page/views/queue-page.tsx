import type { MessageItem, QueueView } from '../../views';
import { encoded } from '../address';
import { Link } from '../link';
import { useLive } from '../live';
import { duration, pretty, times, visible } from '../text';
import { Actions } from './actions';
import { Notice, Unread } from './notice';

/** A queue, and the messages that lie in it, in groups by cause, each with its key and the way to send it again. */
export function QueuePage({ queue }: { readonly queue: string }) {
  const live = useLive<QueueView>(`/queues/${encoded(queue)}`);
  const { view } = live;
  return (
    <>
      <p class="crumbs">
        <Link to={{ view: 'deliveries' }}>Deliveries</Link>
      </p>
      <h1>
        Queue <code class="key">{queue}</code>
      </h1>
      <Unread of={live}>Reading the queue …</Unread>
      {view && (
        <>
          <p>{factsOf(view)}</p>
          {view.messages?.length === 0 && <Notice kind="empty">No message can be received now.</Notice>}
          {causesOf(view).map(cause => (
            <Group key={cause} cause={cause} view={view} />
          ))}
          {view.about && <p class="note">{view.about}</p>}
        </>
      )}
    </>
  );
}

function factsOf({ queue }: QueueView): string {
  const { waiting, inFlight, delayed, keepsFor, deadLetterQueue, maxReceiveCount } = queue;
  const counts = `${waiting} waiting, ${inFlight} in flight, ${delayed} delayed.`;
  const keeps = keepsFor.length === 0 ? '' : ` It is the dead-letter queue of ${keepsFor.join(', ')}.`;
  const givesUp =
    deadLetterQueue === null
      ? ''
      : ` It moves messages that were received ${times(maxReceiveCount ?? 0)} to ${deadLetterQueue}.`;
  return `${counts}${keeps}${givesUp}`;
}

/** The causes, the most frequent first. */
function causesOf({ messages }: QueueView): readonly string[] {
  const counts = new Map<string, number>();
  for (const { cause } of messages ?? []) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([cause]) => cause);
}

/** The messages of one cause, with what may be done with all of them. */
function Group({ cause, view }: { readonly cause: string; readonly view: QueueView }) {
  const { messages, actions, now } = view;
  const own = messages?.filter(message => message.cause === cause) ?? [];
  const ofAll = actions.filter(({ request }) => request.action === 'resendAll' && request.reason === cause);
  return (
    <section class="panel" aria-label={cause}>
      <header>
        <h2>{cause}</h2>
        <span class="note">{own.length === 1 ? '1 message' : `${own.length} messages`}</span>
        <span class="end">
          <Actions of={ofAll} label={`Actions on all with ${cause}`} />
        </span>
      </header>
      <table class="list stacked" aria-label={`Messages with ${cause}`}>
        <tbody>
          {own.map(message => (
            <Message key={message.id} of={message} now={now} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Message({ of, now }: { readonly of: MessageItem; readonly now: number }) {
  const { id, sentAt, receiveCount, body, reason, key, actions } = of;
  return (
    <tr aria-label={`Message ${id}`}>
      <td>
        {key === null ? (
          <span class="note">no key</span>
        ) : (
          <Link to={{ view: 'key', ...key }} class="key">
            {visible(key.key)}
          </Link>
        )}
        <details>
          <summary>Body</summary>
          <pre>{pretty(body)}</pre>
        </details>
      </td>
      <td class="why">
        {reason}
        <div class="note">
          {id}, sent {sentAt === null ? 'some time' : duration(now - sentAt)} ago, received{' '}
          {times(receiveCount)}
        </div>
      </td>
      <td class="end">
        <Actions of={actions} label={`Actions on ${id}`} />
      </td>
    </tr>
  );
}
