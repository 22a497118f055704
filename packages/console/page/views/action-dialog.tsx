import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ActionField, ActionItem } from '../../actions';
import { type Heard, send } from '../act';
import { duration } from '../text';
import { Consequences } from './consequences';
import { Notice } from './notice';

/** The state of an action: its plan, the values of its fields, and its outcome once it was submitted. */
function useAction(item: ActionItem) {
  const once = useSignal(crypto.randomUUID());
  const values = useSignal(Object.fromEntries(item.fields.map(({ name, value }) => [name, value])));
  const isUnderWay = useSignal(false);
  const heard = useSignal<Heard | undefined>(undefined);
  const plan = useSignal<Heard | undefined>(undefined);
  const { request } = item;
  useEffect(() => {
    if (request.action !== 'redeliver') return;
    const asked = { request: { ...request, isPlan: true }, values: {}, once: once.value };
    void send(asked).then(outcome => {
      plan.value = outcome;
    });
  }, []);
  // A rejected input is typed again only if it must change: nothing of it was written.
  const mayChange = heard.value?.kind === 'rejected' && item.fields.length > 0;
  const isAsked = heard.value === undefined || mayChange;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isUnderWay.value || !isAsked) return;
    isUnderWay.value = true;
    heard.value = undefined;
    const outcome = await send({ request: item.request, values: values.value, once: once.value });
    // The next request is not the rejected one.
    if (outcome.kind === 'rejected') once.value = crypto.randomUUID();
    heard.value = outcome;
    isUnderWay.value = false;
  };
  return { values, isUnderWay, heard, plan, mayChange, isAsked, submit };
}

/** Shows what an action will write, does it when the user confirms it, and shows its outcome. */
export function ActionDialog({ item, close }: { readonly item: ActionItem; readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { values, isUnderWay, heard, plan, mayChange, isAsked, submit } = useAction(item);
  const isPlanned = item.request.action === 'redeliver';
  // The browser keeps the focus within, closes it with Escape, and gives the focus back to the button. Cancel has the
  // focus unless a field must be filled first: Enter alone does nothing that cannot be undone.
  useEffect(() => {
    dialog.current?.showModal();
    if (item.fields.length === 0) dialog.current?.querySelector<HTMLElement>('button.close')?.focus();
  }, []);
  // When the button can be pressed again, and not before.
  useEffect(() => {
    const next = mayChange ? '.field :is(input, textarea, select)' : 'button.close';
    if (heard.value) dialog.current?.querySelector<HTMLElement>(next)?.focus();
  }, [heard.value]);
  const title = `${item.title}?`;
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={close}
      // A request under way is not called back: the page shows its outcome.
      onCancel={event => {
        if (isUnderWay.value) event.preventDefault();
      }}
    >
      <form onSubmit={event => void submit(event)}>
        <h2>{title}</h2>
        {heard.value === undefined && <Consequences of={item} />}
        {isPlanned && heard.value === undefined && <Plan of={plan.value} />}
        {isAsked && <Fields of={item.fields} values={values} isDisabled={isUnderWay.value} />}
        {isUnderWay.value && <UnderWay />}
        {heard.value && <Outcome of={heard.value} />}
        <p class="row">
          {isAsked && (
            <button
              type="submit"
              class={item.dangers.length > 0 ? 'danger' : 'primary'}
              disabled={isUnderWay.value || (isPlanned && plan.value?.kind !== 'done')}
            >
              {item.title}
            </button>
          )}
          <button
            type="button"
            class="close"
            disabled={isUnderWay.value}
            onClick={() => dialog.current?.close()}
          >
            {isAsked ? 'Cancel' : 'Close'}
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** What would be done with each key, before it is. */
function Plan({ of }: { readonly of: Heard | undefined }) {
  if (of === undefined) return <Notice kind="wait">Checking each key …</Notice>;
  return of.kind === 'done' ? <pre class="plan">{of.text}</pre> : <Outcome of={of} />;
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
      In progress … {seconds.value > 0 && <span aria-hidden="true">{duration(seconds.value * 1000)}</span>}
    </Notice>
  );
}

const HEADS = {
  done: 'Done: ',
  rejected: 'Rejected, and nothing was written: ',
  unknown: 'Unknown: ',
} as const;

function Outcome({ of: { kind, text } }: { readonly of: Heard }) {
  return (
    <Notice kind={kind === 'done' ? 'empty' : 'problem'}>
      <strong>{HEADS[kind]}</strong>
      {text.includes('\n') ? <pre class="plan">{text}</pre> : text}
    </Notice>
  );
}

function Fields({ of, values, isDisabled }: FieldsProps) {
  return of.map(field => (
    <Field
      key={field.name}
      of={field}
      value={values.value[field.name] ?? ''}
      isDisabled={isDisabled}
      change={value => {
        values.value = { ...values.value, [field.name]: value };
      }}
    />
  ));
}

interface FieldsProps {
  readonly of: readonly ActionField[];
  readonly values: Signal<Readonly<Record<string, string>>>;
  readonly isDisabled: boolean;
}

type FieldElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What keeps a text from being JSON, as the browser says it; empty where nothing does. */
function problemIn(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not valid JSON: ${(error as Error).message}`;
  }
}

function Field(props: {
  readonly of: ActionField;
  readonly value: string;
  readonly isDisabled: boolean;
  readonly change: (value: string) => void;
}) {
  const { of, value, isDisabled: disabled, change } = props;
  const onInput = ({ currentTarget }: { readonly currentTarget: FieldElement }) => {
    change(currentTarget.value);
    // The browser shows it at the field, and does not submit.
    if (of.kind === 'json') currentTarget.setCustomValidity(problemIn(currentTarget.value));
  };
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
