import type { MessageItem, QueueView } from '../../views';
import { encoded } from '../address';
import { Link } from '../link';
import { useLive } from '../live';
import { duration, pretty, times } from '../text';
import { Actions } from './actions';
import { Notice, NotRead } from './notice';

/** A queue, and the messages that lie in it: of a dead-letter queue, each with why, and the way to send it again. */
export function QueuePage({ queue }: { readonly queue: string }) {
  const { view, problem } = useLive<QueueView>(`/queues/${encoded(queue)}`);
  return (
    <>
      <p class="crumbs">
        <Link to={{ view: 'deliveries' }}>Deliveries</Link>
      </p>
      <h1>
        Queue <code class="key">{queue}</code>
      </h1>
      {problem && <NotRead problem={problem} isOlder={view !== undefined} />}
      {view === undefined && problem === undefined && <Notice kind="wait">Reading the queue …</Notice>}
      {view && (
        <>
          <p>{factsOf(view)}</p>
          <Actions of={view.actions} label="Actions on several messages" />
          {view.messages?.length === 0 && <Notice kind="empty">No message can be received now.</Notice>}
          {view.messages?.map(message => (
            <Message key={message.id} of={message} now={view.now} />
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

function Message({ of, now }: { readonly of: MessageItem; readonly now: number }) {
  const { id, sentAt, receiveCount, body, reason, actions } = of;
  return (
    <section class="panel" aria-label={`Message ${id}`}>
      <p>
        <strong>{reason}</strong>
      </p>
      <p class="note">
        {id}, sent {sentAt === null ? 'some time' : duration(now - sentAt)} ago, received{' '}
        {times(receiveCount)}
      </p>
      <details>
        <summary>Body</summary>
        <pre>{pretty(body)}</pre>
      </details>
      <Actions of={actions} label={`Actions on ${id}`} />
    </section>
  );
}
