import { renderDiagram, renderMermaid } from '../../../proof/explore/diagram';
import { replayTrace } from '../../../proof/explore/trace';
import { shippedSubject } from './subject';

/** An owner that is stopped within its step, and a duplicate that reads the record meanwhile. */
function traced() {
  const budget = { executions: 2, faults: 1, channels: ['direct'] as const };
  return replayTrace(shippedSubject(), budget, 'start1 start2 do1 do1 do2 abort1 ends1.1 do2'.split(' '));
}

describe('a schedule', () => {
  test('as a sequence diagram: a lane for each, an arrow for each step, the record where it changes', () => {
    const { trace, violation } = traced();

    expect(renderDiagram(trace, violation).trimEnd().split('\n')).toEqual([
      '     E1   E2   record   step',
      '  1.  ●    │      │       │    Delivery 1 starts an execution.',
      '  2.  │    ●      │       │    Delivery 2 starts an execution.',
      '  3.  ●───────────▶       │    E1: the request of "Claim record" is made and answered.',
      '      │    │      │       │      record: IN_PROGRESS of direct-1, attempt 1',
      '  4.  ●───────────────────▶    The step that E1 calls begins.',
      '  5.  │    ●──────▶       │    E2: the request of "Claim record" is made and answered.',
      '  6.  ●    │      │       │    FAULT: E1 is stopped; what it had asked for may still happen.',
      '  7.  ◀───────────────────●    The step that E1 called with attempt 1 ends, with its effect or without, and without an answer.',
      '  8.  │    ●──────▶       │    E2: the request of "Read record" is made and answered.',
      '',
      'no violation',
    ]);
  });

  test('as Mermaid: participants, messages and notes', () => {
    const { trace, violation } = traced();

    expect(renderMermaid(trace, violation).trimEnd().split('\n')).toEqual([
      'sequenceDiagram',
      '  participant E1 as E1',
      '  participant E2 as E2',
      '  participant record as record',
      '  participant step as step',
      '  Note over E1: Delivery 1 starts an execution.',
      '  Note over E2: Delivery 2 starts an execution.',
      '  E1->>record: E1: the request of "Claim record" is made and answered.',
      '  Note right of record: IN_PROGRESS of direct-1, attempt 1',
      '  E1->>step: The step that E1 calls begins.',
      '  E2->>record: E2: the request of "Claim record" is made and answered.',
      '  Note over E1: FAULT: E1 is stopped, what it had asked for may still happen.',
      '  step->>E1: The step that E1 called with attempt 1 ends, with its effect or without, and without an answer.',
      '  E2->>record: E2: the request of "Read record" is made and answered.',
    ]);
  });
});
