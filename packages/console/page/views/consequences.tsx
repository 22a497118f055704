import type { ActionItem } from '../../actions';

/** The writes of an action, the points to consider, and the reasons for a rejection. */
export function Consequences({ of }: { readonly of: ActionItem }) {
  return (
    <>
      <Sentences of={of.writes} begin="This" />
      <Sentences of={of.dangers} begin="Mind that" />
      <Sentences of={of.rejectedIf} begin="It is rejected, and nothing is written, if" />
    </>
  );
}

function Sentences({ of, begin }: { readonly of: readonly string[]; readonly begin: string }) {
  if (of.length === 0) return null;
  return (
    <>
      <p class="begin">{begin}</p>
      <ul>
        {of.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}
