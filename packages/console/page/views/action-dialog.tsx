import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ActionField, ActionItem } from '../../actions';
import { type Heard, send } from '../act';
import { duration } from '../text';
import { Consequences } from './consequences';
import { Notice } from './notice';

/** Says what an action will write, and does it when somebody has said so; then what came of it. */
export function ActionDialog({ item, close }: { readonly item: ActionItem; readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const first = useSignal(crypto.randomUUID());
  const values = useSignal(Object.fromEntries(item.fields.map(({ name, value }) => [name, value])));
  const isUnderWay = useSignal(false);
  const heard = useSignal<Heard | undefined>(undefined);
  // The browser keeps the focus within, closes it with Escape, and gives the focus back to the button.
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isUnderWay.value || heard.value) return;
    isUnderWay.value = true;
    heard.value = await send({ request: item.request, values: values.value, once: first.value });
    isUnderWay.value = false;
  };
  // When the button can be pressed again, and not before.
  useEffect(() => {
    if (heard.value) dialog.current?.querySelector<HTMLButtonElement>('button.close')?.focus();
  }, [heard.value]);
  const title = `${item.title}?`;
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={close}
      // What is under way is not called back: whoever asked for it hears what came of it.
      onCancel={event => {
        if (isUnderWay.value) event.preventDefault();
      }}
    >
      <form onSubmit={event => void submit(event)}>
        <h2>{title}</h2>
        {heard.value === undefined && <Consequences of={item} />}
        {heard.value === undefined &&
          item.fields.map(field => (
            <Field
              key={field.name}
              of={field}
              value={values.value[field.name] ?? ''}
              isDisabled={isUnderWay.value}
              change={value => {
                values.value = { ...values.value, [field.name]: value };
              }}
            />
          ))}
        {isUnderWay.value && <UnderWay />}
        {heard.value && <Outcome of={heard.value} />}
        <p class="buttons">
          {heard.value === undefined && (
            <button type="submit" class="do" disabled={isUnderWay.value}>
              {item.title}
            </button>
          )}
          <button
            type="button"
            class="close"
            disabled={isUnderWay.value}
            onClick={() => dialog.current?.close()}
          >
            {heard.value === undefined ? 'Cancel' : 'Close'}
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** Some take their time: a release waits until no delivery can be about to redrive the owner. */
function UnderWay() {
  const seconds = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      seconds.value += 1;
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Notice kind="wait">
      Under way … {seconds.value > 0 && <span aria-hidden="true">{duration(seconds.value * 1000)}</span>}
    </Notice>
  );
}

const HEADS = {
  done: 'Done: ',
  refused: 'Refused, and nothing was written: ',
  unknown: 'Unknown: ',
} as const;

function Outcome({ of: { kind, text } }: { readonly of: Heard }) {
  return (
    <Notice kind={kind === 'done' ? 'empty' : 'problem'}>
      <strong>{HEADS[kind]}</strong>
      {text}
    </Notice>
  );
}

function Field(props: {
  readonly of: ActionField;
  readonly value: string;
  readonly isDisabled: boolean;
  readonly change: (value: string) => void;
}) {
  const { of, value, isDisabled: disabled, change } = props;
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    change(currentTarget.value);
  const id = `field-${of.name}`;
  return (
    <p class="field">
      <label for={id}>{of.label}</label>
      {of.kind === 'line' && <input type="text" required {...{ id, value, disabled, onInput }} />}
      {of.kind === 'json' && (
        <textarea rows={8} required spellcheck={false} {...{ id, value, disabled, onInput }} />
      )}
      {of.kind === 'choice' && (
        <select {...{ id, value, disabled }} onChange={onInput}>
          {of.choices?.map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      )}
    </p>
  );
}
