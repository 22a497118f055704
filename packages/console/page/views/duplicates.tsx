import type { Duplicates } from '../../views';
import { Link } from '../link';
import { visible } from '../text';
import { Age } from './parts';

const ID = 'duplicates';

/** Opens the list of them, wherever the page is. */
export function showDuplicates(): void {
  const panel = document.getElementById(ID);
  panel?.setAttribute('open', '');
  panel?.scrollIntoView();
}

/** The deliveries that started nothing because of their keys, newest first. */
export function DuplicatesPanel(props: {
  readonly of: Duplicates | null;
  readonly now: number;
  readonly labels: (name: string) => string;
}) {
  const { of, now, labels } = props;
  if (of === null || of.count === 0) return null;
  return (
    <details aria-label="Duplicates" class="panel" id={ID}>
      <summary>
        <strong>Stopped duplicates</strong> {of.count} started nothing
        {of.count > of.last.length && `; the last ${of.last.length}`}
      </summary>
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
    </details>
  );
}
