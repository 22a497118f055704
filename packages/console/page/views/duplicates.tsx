import type { Duplicates } from '../../views';
import { Link } from '../link';
import { visible } from '../text';
import { Age } from './parts';

/** The deliveries that started nothing because of their keys, newest first. */
export function DuplicatesPanel(props: {
  readonly of: Duplicates | null;
  readonly now: number;
  readonly labels: (name: string) => string;
}) {
  const { of, now, labels } = props;
  if (of === null || of.count === 0) return null;
  return (
    <section aria-label="Duplicates" class="panel" id="duplicates">
      <header>
        <h2>Stopped duplicates</h2>
        <span class="note">
          {of.count} started nothing{of.count > of.last.length && `; the last ${of.last.length}`}
        </span>
      </header>
      <table class="list stacked" aria-label="Duplicates">
        <tbody>
          {of.last.map(({ at, workflow, key, executionArn, answer }, index) => (
            <tr key={`${executionArn} ${index}`}>
              <td>
                <Link to={{ view: 'key', workflow, key }} class="key">
                  {visible(key)}
                </Link>
                <div class="note">{labels(workflow)}</div>
              </td>
              <td class="why">{answer}</td>
              <td>
                <Age at={at} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
