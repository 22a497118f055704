import { signal } from '@preact/signals';
import type { ActionItem } from '../../actions';
import { TOKEN } from '../act';
import { ActionDialog } from './action-dialog';
import { Consequences } from './consequences';

/**
 * The action that the operator is deciding about. Not of the view: what is done may take away the row that it was
 * chosen in.
 */
const chosen = signal<ActionItem | undefined>(undefined);

/** Gives up what is being decided, as the page goes somewhere else. */
export function forgetChosen(): void {
  chosen.value = undefined;
}

/** Opens the dialog of an action: as it is now, whatever is read meanwhile. */
export function choose(item: ActionItem): void {
  chosen.value = item;
}

/** The dialog of the chosen action, wherever on the page the choice was made. */
export function ChosenAction() {
  return chosen.value && <ActionDialog item={chosen.value} close={forgetChosen} />;
}

/**
 * The actions of an operator, a button for each that is possible now. The recommended one is filled. Actions that can
 * run a step again are red and apart. The rest stands under *More*, with the reason for its rejection. A page that only
 * reads says the same without buttons.
 */
export function Actions(props: { readonly of: readonly ActionItem[]; readonly label: string }) {
  const { of, label } = props;
  const ready = of.filter(({ rejection }) => rejection === null);
  const rejected = of.filter(({ rejection }) => rejection !== null);
  const ranked = (...ranks: readonly ActionItem['rank'][]) =>
    ranks.flatMap(rank => ready.filter(item => item.rank === rank));
  const rare = ranked('rare');
  if (of.length === 0) return null;
  return (
    <section aria-label={label} class="row">
      {TOKEN === undefined
        ? ready.map(item => (
            <details key={item.title}>
              <summary>{item.title}</summary>
              <Consequences of={item} />
            </details>
          ))
        : ranked('recommended', 'usual', 'danger').map(item => <ActionButton key={item.title} of={item} />)}
      {TOKEN === undefined && (
        <p class="note">
          This page only reads. To change something, run <code>onceflow console --allow-writes</code>.
        </p>
      )}
      {(rejected.length > 0 || (TOKEN !== undefined && rare.length > 0)) && (
        <details class="menu">
          <summary>More</summary>
          <div>
            {TOKEN !== undefined && rare.map(item => <ActionButton key={item.title} of={item} />)}
            {rejected.map(({ title, rejection }) => (
              <p key={title} class="note">
                <strong>{title}</strong> is not possible now: {rejection}
              </p>
            ))}
          </div>
        </details>
      )}
    </section>
  );
}

function ActionButton({ of }: { readonly of: ActionItem }) {
  const isDangerous = of.rank === 'danger' || (of.rank === 'rare' && of.dangers.length > 0);
  return (
    <button
      type="button"
      class={of.rank === 'recommended' ? 'primary' : isDangerous ? 'danger' : ''}
      aria-haspopup="dialog"
      onClick={() => choose(of)}
    >
      {of.title} …
    </button>
  );
}
