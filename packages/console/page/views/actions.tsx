import { signal } from '@preact/signals';
import type { ActionItem } from '../../actions';
import { TOKEN } from '../act';
import { ActionDialog } from './action-dialog';
import { Consequences } from './consequences';

/** What somebody is deciding about. Not of the view: what is done may take away the row that it was chosen in. */
const chosen = signal<ActionItem | undefined>(undefined);

/** Gives up what is being decided, as the page goes somewhere else. */
export function forgetChosen(): void {
  chosen.value = undefined;
}

/** Opens the dialog of an action: as it is now, whatever is read meanwhile. */
export function choose(item: ActionItem): void {
  chosen.value = item;
}

/** The dialog of what was chosen, wherever on the page that was. */
export function ChosenAction() {
  return chosen.value && <ActionDialog item={chosen.value} close={forgetChosen} />;
}

/**
 * What a person may do: a button each for what would be done as things are, and why the rest would be rejected. A page
 * that only reads says the same without buttons.
 */
export function Actions(props: {
  readonly of: readonly ActionItem[];
  readonly label: string;
  /** Whether it stands within what it is about, and needs no heading. */
  readonly isWithin?: boolean;
}) {
  const { of, label, isWithin = false } = props;
  const ready = of.filter(({ rejection }) => rejection === null);
  const rejected = of.filter(({ rejection }) => rejection !== null);
  if (of.length === 0) return null;
  return (
    <section aria-label={label} class={isWithin ? 'actions' : 'card actions'}>
      {!isWithin && <h2>{label}</h2>}
      {ready.length === 0 && <p>No action is possible now.</p>}
      {TOKEN === undefined
        ? ready.map(item => (
            <details key={item.title}>
              <summary>{item.title}</summary>
              <Consequences of={item} />
            </details>
          ))
        : ready.map(item => (
            <button key={item.title} type="button" aria-haspopup="dialog" onClick={() => choose(item)}>
              {item.title} …
            </button>
          ))}
      {rejected.length > 0 && (
        <details>
          <summary>Rejected as it stands ({rejected.length})</summary>
          <ul>
            {rejected.map(({ title, rejection }) => (
              <li key={title}>
                <strong>{title}</strong>: {rejection}
              </li>
            ))}
          </ul>
        </details>
      )}
      {TOKEN === undefined && (
        <p class="searched">
          This page only reads. To change something, run <code>onceflow console --allow-writes</code>.
        </p>
      )}
    </section>
  );
}
