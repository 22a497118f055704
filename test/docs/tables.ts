import { NEXT_DELIVERIES } from '../../cli/key/judge';
import { OWNER_KINDS } from '../../cli/key/judge-owner';
import { RECOVERY_DOES } from '../../cli/key/what-is-next';
import { TIMELINE_KINDS } from '../../cli/timeline/events';
import { type DispatchVerdict, dispatchRules } from '../../state-machine/contract/dispatch-rules';
import {
  type OwnerVerdict,
  ownerRules,
  type RecordVerdict,
  type RecoveryVerdict,
  type Rule,
  recordRules,
  recoveryRules,
} from '../../state-machine/contract/judgement';
import {
  type MessageRecordVerdict,
  type MessageVerdict,
  messageRecordRules,
  messageRules,
} from '../../state-machine/contract/message-rules';
import type { Variant } from '../../state-machine/contract/variant';
import { CALLS } from '../cli/calls';
import { QUESTIONS, type Question } from '../cli/console/questions';

const STANDARD: Variant = {
  hasPayload: true,
  isAtMostOnce: false,
  returnsStoredFailure: false,
  isExpress: false,
  isFragment: false,
  storesResults: false,
  stepTimeoutSeconds: 60,
  maxRedrives: 3,
  formerStateMachines: [],
  hasRecovery: true,
  timeToLiveAttribute: 'expiry',
};

/** The variants that the page compares, by the heading of their column. */
const VARIANTS = {
  default: STANDARD,
  'stored failure': { ...STANDARD, returnsStoredFailure: true },
  'at most once': { ...STANDARD, isAtMostOnce: true },
  Express: { ...STANDARD, isExpress: true, hasRecovery: false },
  fragment: { ...STANDARD, isFragment: true, hasRecovery: false },
} as const satisfies Readonly<Record<string, Variant>>;

const RECORD_VERDICTS: Readonly<Record<RecordVerdict, string>> = {
  claim: 'claims again',
  rejectForeign: '`ForeignRecord`',
  rejectPayload: '`PayloadMismatch`',
  returnResult: 'the stored result',
  readResult: "the bucket's object",
  returnOwnersResult: "the owner's output",
  resultUnavailable: '`ResultUnavailable`',
  heldForReview: 'the error that it is held for',
  returnFailure: 'the stored failure',
  takeOver: 'takes over',
  hold: 'holds it for review',
  inProgress: '`InProgress`',
  callRecovery: 'calls recovery, `InProgress`',
  askAboutOwner: 'asks about the owner',
};

const OWNER_VERDICTS: Readonly<Record<OwnerVerdict, string>> = {
  inProgress: '`InProgress`',
  readAgain: 'reads again',
  redrive: 'redrives the owner',
  redrivesExhausted: '`RedrivesExhausted`',
  askForEverything: 'asks again, for its error too',
  takeOver: 'takes over',
  letStepEnd: 'waits for its step, then takes over',
};

const RECOVERY_VERDICTS: Readonly<Record<RecoveryVerdict, string>> = {
  leave: 'nothing',
  complete: 'finishes the record',
  redrive: 'redrives the owner',
  release: 'releases the record, delivers again',
  holdExhausted: 'holds the record: `RedrivesExhausted`',
  holdInDoubt: 'holds the record: `InDoubt`',
  locate: "reads the owner's history",
};

const DISPATCH_VERDICTS: Readonly<Record<DispatchVerdict, string>> = {
  duplicate: 'drops the delivery',
  leave: 'leaves the delivery to that execution',
  startAgain: 'starts under another name',
};

const MESSAGE_VERDICTS: Readonly<Record<MessageVerdict, string>> = {
  finished: 'deletes the message',
  hold: 'keeps the message invisible, checks again',
  leaveWithError: 'leaves the message, logs the stored error',
  leave: 'leaves the message, logs the executions',
};

const MESSAGE_RECORD_VERDICTS: Readonly<Record<MessageRecordVerdict, string>> = {
  ...MESSAGE_VERDICTS,
  askAboutBoth: 'asks about its execution and the owner',
  askAboutIts: 'asks about its execution',
};

/** The members of `show --json` that have one of several values, each with its meaning. */
const SHOW_JSON: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'owner.kind': OWNER_KINDS,
  nextDelivery: NEXT_DELIVERIES,
  'nextRecovery.does': RECOVERY_DOES,
  'executions[].timeline[].kind': TIMELINE_KINDS,
};

/** The tables of the documents that are made from the source, by name. */
export const TABLES: Readonly<Record<string, () => string>> = {
  'record-judgement': () => comparison(recordRules, RECORD_VERDICTS, VARIANTS),
  'recovery-judgement': () => {
    const { default: atLeastOnce, 'at most once': atMostOnce } = VARIANTS;
    return comparison(recoveryRules, RECOVERY_VERDICTS, {
      default: atLeastOnce,
      'at most once': atMostOnce,
    });
  },
  'owner-judgement': () => comparison(ownerRules, OWNER_VERDICTS, { fragment: VARIANTS.fragment }),
  'dispatch-judgement': () =>
    comparison(variant => dispatchRules({ ...variant, stateMachineArn: '' }), DISPATCH_VERDICTS, {
      'the dispatcher': STANDARD,
      'without recovery': { ...STANDARD, hasRecovery: false },
    }),
  'message-record-judgement': () =>
    comparison(messageRecordRules, MESSAGE_RECORD_VERDICTS, { 'the check': STANDARD }),
  'message-judgement': () =>
    comparison(({ stepTimeoutSeconds: stepSeconds }) => messageRules({ stepSeconds }), MESSAGE_VERDICTS, {
      'the check': STANDARD,
    }),
  'console-questions': () => {
    const questions: readonly Question[] = Object.values(QUESTIONS);
    const rows = questions.map(({ question, clicks, answer, aws }) => [
      question,
      String(clicks),
      answer,
      aws,
    ]);
    return tableOf(['question', 'clicks', 'where the answer stands', 'with the AWS consoles'], rows);
  },
  calls: () =>
    tableOf(
      ['command or page', 'calls'],
      Object.entries(CALLS).map(([what, calls]) => [`\`${what}\``, calls]),
    ),
  'show-json': () =>
    tableOf(
      ['member', 'value', 'meaning'],
      Object.entries(SHOW_JSON).flatMap(([member, values]) =>
        Object.entries(values).map(([value, meaning], index) => {
          return [index === 0 ? `\`${member}\`` : '', `\`${value}\``, meaning];
        }),
      ),
    ),
};

/** A row for each rule, in the order in which they are asked; a column for each variant. */
function comparison<Verdict extends string>(
  rulesOf: (variant: Variant) => readonly Rule<Verdict>[],
  words: Readonly<Record<Verdict, string>>,
  variants: Readonly<Record<string, Variant>>,
): string {
  const columns = Object.values(variants).map(rulesOf);
  const rows = inOneOrder(columns.map(rules => rules.map(({ name }) => name))).map(name => {
    const cells = columns.map(rules => rules.find(rule => rule.name === name));
    return [name, ...cells.map(rule => (rule === undefined ? '–' : words[rule.verdict]))];
  });
  return tableOf(['the first that holds', ...Object.keys(variants)], rows);
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** All names of lists that agree about their order. */
function inOneOrder(lists: readonly (readonly string[])[]): string[] {
  const ordered: string[] = [];
  for (const list of lists) {
    for (const [at, name] of list.entries()) {
      if (ordered.includes(name)) continue;
      const before = list
        .slice(0, at)
        .reverse()
        .find(other => ordered.includes(other));
      ordered.splice(before === undefined ? 0 : ordered.indexOf(before) + 1, 0, name);
    }
  }
  return ordered;
}
