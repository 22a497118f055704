import type { Item } from '../history/items';
import { pretty } from '../text';

/** The records, and other items of DynamoDB, as they were at an event; the one of the event itself is marked. */
export function Items({ items, now }: { readonly items: readonly Item[]; readonly now: number }) {
  if (items.length === 0) return null;
  return (
    <section class="card" aria-label="Records at this event">
      <h2>Records at this event</h2>
      <p>As this execution has written and read them; what others wrote in between, it does not know.</p>
      {items.map(item => {
        const { table, key, attributes, last, isWhole } = item;
        const names = Object.keys(attributes);
        return (
          <details key={`${table} ${JSON.stringify(key)}`} open>
            <summary>
              {table}: {last.kind} with event {last.id}
              {last.id === now ? ', now' : ''}
              {isWhole ? '' : ', known in part'}
            </summary>
            {names.length === 0 ? (
              <p>There is no such item.</p>
            ) : (
              <dl class="attributes">
                {names.sort().map(name => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{pretty(attributes[name] ?? '').slice(0, 400)}</dd>
                  </div>
                ))}
              </dl>
            )}
          </details>
        );
      })}
    </section>
  );
}
