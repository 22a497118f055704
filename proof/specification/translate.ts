/** What happens in the specification, and to whom: executions and recoveries are counted from 1. */
export type Event = readonly [name: string, who: number];

/** If the exploration does not name the subject of a step: any subject. */
const ANYBODY = 256;

type Rule = readonly [pattern: RegExp, events: (who: number) => readonly Event[]];

/** The steps of the exploration that the specification has, by what they are there. */
const RULES: readonly Rule[] = [
  ...(
    ['start', 'do', 'end', 'abort', 'late', 'never', 'timer', 'untold', 'tell', 'recover', 'wake'] as const
  ).map((name): Rule => [new RegExp(`^${name}(\\d)$`), who => [[name.toUpperCase(), who]]]),
  [/^start(\d)\*$/, who => [['START_OTHER', who]]],
  [/^(?:throttle|deny)(\d)$/, who => [['THROTTLE', who]]],
  [/^delay(\d)$/, who => [['LOSE', who]]],
  // It is carried out at once, and only its answer is lost.
  [
    /^lose(\d)$/,
    who => [
      ['LOSE', who],
      ['LATE', who],
    ],
  ],
  [
    /^limit(\d)$/,
    who => [
      ['LIMIT', who],
      ['LATE', who],
    ],
  ],
  [
    /^limit(\d):request$/,
    who => [
      ['LIMIT', who],
      ['NEVER', who],
    ],
  ],
  [/^reject(\d):missing$/, who => [['REJECT', who]]],
  [/^works(\d)\.\d$/, who => [['WORKS', who]]],
  [/^fail(\d)\.\d$/, who => [['FAIL', who]]],
  [/^(?:kill|too-long)(\d)\.\d(?::by-any)?$/, who => [['KILL', who]]],
  [/^(?:lose-answer|silence)(\d)\.\d(?::\w+)?$/, who => [['LOSE_ANSWER', who]]],
  [/^ends(\d)\.\d$/, who => [['ENDS', who]]],
  [/^tell(\d):again$/, who => [['TELL_AGAIN', who]]],
  [/^tell(\d):(?:no-error|before)$/, who => [['TELL', who]]],
  [/^stop-recovery(\d)$/, who => [['STOP_RECOVERY', who]]],
  [/^lose-recovery(\d)$/, who => [['LOSE_RECOVERY', who]]],
  [/^stale-recovery(\d):running$/, who => [['STALE_RECOVERY', who]]],
  // A process that is about to run is running.
  [/^pending-recovery(\d)$/, who => [['RECOVER', who]]],
  [/^redrive(\d)$/, who => [['REDRIVE', who]]],
  [/^release$/, () => [['RELEASE', 1]]],
  [/^release:killed$/, () => [['RELEASE_KILLED', 1]]],
  [/^released(?::not|:too-late)?$/, () => [['RELEASED', 1]]],
  [/^fortnight$/, () => [['FORTNIGHT', ANYBODY]]],
  [/^forgotten$/, () => [['FORGOTTEN', ANYBODY]]],
  [/^retention$/, () => [['RETENTION_NEARLY', 1]]],
  [/^ttl$/, () => [['TTL', 1]]],
  [/^(?:pass|near)$/, () => [['PASS', 1]]],
  [/^again$/, () => []],
];

/** What the specification leaves out, by the steps of the exploration. */
const LEFT_OUT: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/dispatch|^send/, 'the dispatcher'],
  [/^\w+\d[a-z]/, 'fragments'],
  [/^(slow|over|restart)\d/, 'Express workflows'],
  [/other|foreign|claims/, 'records of another workflow'],
  [/^delete/, 'a state machine that is deleted while its owner runs'],
  [/^outlasts$/, 'whose request it is that outlasts a wait of recovery'],
];

/** How many deliveries the specification has; an execution with a higher number is one that recovery has started. */
const DELIVERIES = 3;

function isOfRecovery(execution: number): boolean {
  return execution > DELIVERIES;
}

function isOfExecution(step: string): boolean {
  return !/^(?:start|recover|wake)|recovery/.test(step);
}

/** A schedule of the exploration as one of the specification; or what in it the specification does not have. */
export function translated(schedule: readonly string[]): readonly Event[] | { readonly leftOut: string } {
  const events: Event[] = [];
  // Executions are counted as they begin: a delivery has its own number here, and what recovery delivers comes behind.
  const executions: number[] = [];
  const idOf = (index: number) => {
    while (executions.length < index)
      executions.push(DELIVERIES + 1 + executions.filter(isOfRecovery).length);
    return executions[index - 1] ?? index;
  };
  // A recovery gets the values of its read when it asks again: here both are one step.
  const isRead = new Set<string>();
  for (const step of schedule) {
    const slow = /^slow-recovery(\d)$/.exec(step)?.[1];
    if (isRead.delete(step)) continue;
    const here = slow === undefined ? step : `recover${slow}`;
    const rule = RULES.find(([pattern]) => pattern.test(here));
    if (!rule) return { leftOut: LEFT_OUT.find(([pattern]) => pattern.test(step))?.[1] ?? `"${step}"` };
    const [pattern, eventsOf] = rule;
    const who = Number(pattern.exec(here)?.[1] ?? 1);
    if (/^start/.test(here)) executions.push(who);
    events.push(...eventsOf(isOfExecution(here) ? idOf(who) : who));
    if (slow !== undefined) isRead.add(here);
  }
  return events;
}
