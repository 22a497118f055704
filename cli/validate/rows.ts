import type { Assembly } from '@onceflow/local';
import { grouped } from '../grouped';
import type { Finding, Questions } from './ask';
import { type ErrorCase, errorCasesOf } from './error-cases';
import { type SampleData, sampleDataFor } from './sample-data';

/** A row of the answer. */
export interface Row extends Finding {
  /** The state machine; empty for a question that is about none. */
  readonly machine: string;
  readonly claim: string;
  /** Whether the assembly depends on it: only then is a rejection one of what it deploys. */
  readonly isDeployed: boolean;
}

type Machine = Assembly['stateMachines'][number];

/** Asks about each state machine of an assembly, and what the product would like to know beside it. */
export async function rowsOf(
  machines: readonly Machine[],
  questions: Questions,
  progress: (text: string) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const machine of machines) {
    const { name, type, definitionText } = machine;
    progress(`asking about ${name}`);
    const accepted = await questions.definition(definitionText, type);
    rows.push({ machine: name, claim: 'the definition is accepted', isDeployed: true, ...accepted });
    for (const [state, cases] of grouped(errorCasesOf(definitionText), one => one.state)) {
      progress(`asking about ${name}, "${state}"`);
      const sample = sampleDataFor(machine, machines, state);
      const finding = await errorsOf(machine, cases, { questions, sample });
      const errors = new Set(cases.map(({ error }) => error)).size;
      const claim = `errors of "${state}": ${errors} by name`;
      rows.push({ machine: name, claim, isDeployed: true, ...finding });
    }
  }
  const taken = await questions.definition(DIRECT_REDRIVE, 'STANDARD');
  const claim = 'aws-sdk:sfn:redriveExecution is accepted, for Redrive.direct()';
  return [...rows, { machine: '', claim, isDeployed: isDirect(machines), ...taken }];
}

/** The finding about all errors of a state: rejected if one is, otherwise unknown if one is, otherwise confirmed. */
async function errorsOf(
  machine: Machine,
  cases: readonly ErrorCase[],
  { questions, sample }: { readonly questions: Questions; readonly sample: SampleData },
): Promise<Finding> {
  const findings: Finding[] = [];
  for (const one of cases) findings.push(await questions.error(machine.definitionText, one, sample));
  for (const verdict of ['rejected', 'unknown'] as const) {
    const found = findings.filter(finding => finding.verdict === verdict);
    const details = [...new Set(found.map(({ detail }) => detail))];
    if (found.length > 0) return { verdict, detail: details.join('; ') };
  }
  return { verdict: 'confirmed', detail: '' };
}

const REDRIVE = 'arn:aws:states:::aws-sdk:sfn:redriveExecution';

function isDirect(machines: readonly Machine[]): boolean {
  return machines.some(({ definitionText }) => /:aws-sdk:sfn:redriveExecution"/.test(definitionText));
}

/** The smallest machine with the one integration that has never been recorded on AWS. */
const DIRECT_REDRIVE = JSON.stringify({
  QueryLanguage: 'JSONata',
  StartAt: 'Redrive',
  States: {
    Redrive: {
      Type: 'Task',
      Resource: REDRIVE,
      Arguments: { ExecutionArn: '{% $states.input.owner %}', ClientToken: '{% $states.input.token %}' },
      End: true,
    },
  },
});
