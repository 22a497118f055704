import { existsSync, mkdirSync } from 'node:fs';
import { documentation } from '../../state-machine/words/documentation';
import type { Answer } from '../actions/answer';
import { requireLocal } from '../app/installed';
import { table } from '../layout';
import { EXIT } from '../program/exit';
import { flag, optional, optionHelp, repeatable } from '../program/options';
import { usage } from '../program/rejection';
import type { Style } from '../terminal';
import { plural } from '../text';
import { requireWritable } from '../validate/recording';
import { CLAIMS } from '../verify/claims';
import { STACK_NAME } from '../verify/environment';
import { type Evidence, writeEvidence } from '../verify/evidence';
import { costAtMost } from '../verify/figures';
import { SCENARIOS } from '../verify/scenarios';
import { packageVersion } from '../version';
import { command, type Session } from './command';
import { ANSWER_OPTIONS, WHERE_OPTIONS } from './shared-options';

const EVIDENCE = 'onceflow-evidence.json';
const NAMES = [...SCENARIOS.map(({ name }) => name), 'keys'];
/** What `--only` takes, and the scenarios that it stands for. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['claims', CLAIMS.map(({ scenario }) => scenario)],
  ...NAMES.map(name => [name, [name]] as const),
  ...CLAIMS.map(({ id, scenario }) => [id, [scenario]] as const),
]);

const OPTIONS = {
  yes: flag('do not ask; you must pass it if there is no terminal'),
  keep: flag('keep the stack for inspection; the next run deletes it'),
  only: repeatable(
    optional(
      'NAME',
      'a scenario, a claim, or claims',
      `only this scenario (${NAMES.join(', ')}), that of a claim, or those of all claims; can be repeated`,
    ),
    [],
  ),
  evidence: optional('FILE', 'a file', `the file for the evidence (default: ${EVIDENCE})`),
  synth: optional(
    'DIR',
    'a directory',
    'write only the cloud assembly of the stack, to DIR, for onceflow dev --assembly DIR',
  ),
  endpoint: WHERE_OPTIONS.endpoint,
  region: WHERE_OPTIONS.region,
  ...ANSWER_OPTIONS,
};

/** Finds out on a real account what documents cannot tell. */
export const verify = command({
  name: 'verify',
  line: ['verify', 'deploys a small stack, runs scenarios on it, compares, and deletes it'],
  help: `Usage: onceflow verify [options]

Tests on an AWS account what the documentation of AWS does not say. It shows what it will create and what that costs,
and asks. It then deploys the stack ${STACK_NAME}, runs ${NAMES.length} scripted scenarios, and compares each
event of the histories with the local runtime. At the end, or if you press Ctrl-C, it deletes the stack. If a run was
killed, the next run deletes its stack. You must install @onceflow/local and aws-cdk-lib first. More:
${documentation('docs/operations/verify.md')}

${optionHelp(OPTIONS)}
Examples:
  onceflow verify
  onceflow verify --yes --region eu-west-1 --json
  onceflow verify --only keys
  onceflow verify --only claims
  onceflow verify --only redrive-keeps-variables --keep
  onceflow verify --endpoint http://127.0.0.1:4566 --yes

Exit codes: 0 every scenario matched the local runtime, 1 one did not, the stack could not be created or not be
deleted, 2 wrong usage or a missing package, 3 internal error, 130 interrupted (the stack is deleted).
`,
  options: OPTIONS,
  wantedIn({ values }) {
    const unknown = values.only.find(name => !MEANT.has(name ?? ''));
    if (unknown !== undefined) {
      throw usage(
        `--only must be a scenario (${NAMES.join(', ')}), the id of a claim, or claims; got ${unknown}`,
      );
    }
    const only = new Set(values.only.flatMap(name => MEANT.get(name ?? '') ?? []));
    return { ...values, isWanted: (name: string) => only.size === 0 || only.has(name) };
  },
  async run(wanted, session): Promise<Answer> {
    const {
      synthesizeStack,
      verified,
    }: typeof import('../verify/verification') = require('../verify/verification');
    const { synth, evidence: file = EVIDENCE, endpoint, region } = wanted;
    if (synth !== undefined) {
      if (!existsSync(synth)) mkdirSync(synth, { recursive: true });
      synthesizeStack(synth);
      return {
        code: EXIT.done,
        json: { assembly: synth },
        text: () => `the stack ${STACK_NAME} is in ${synth}\n`,
      };
    }
    const local = requireLocal('verify');
    requireWritable(file, 'the evidence');
    const needsStack = NAMES.some(name => name !== 'keys' && wanted.isWanted(name));
    if (needsStack && !wanted.yes && !(await isConfirmed(session))) {
      return { code: EXIT.failed, json: { deployed: false }, text: () => 'nothing was deployed\n' };
    }
    const { terminal, env, ended } = session;
    const evidence = await verified({
      target: { endpoint, region },
      env,
      local,
      isWanted: wanted.isWanted,
      isKept: wanted.keep,
      versions: { onceflow: packageVersion(), node: process.versions.node },
      progress: terminal.progress,
      ended,
    });
    writeEvidence(file, evidence);
    return {
      code: isWell(evidence) ? EXIT.done : EXIT.failed,
      json: evidence,
      text: style => rendered(evidence, file, style),
    };
  },
});

const WHAT = `This makes the stack ${STACK_NAME} of some seventy resources: three workflows with a table, their
functions, a front door with a REST API that is open to all callers while it is there, a custom event bus with queues,
recovery, roles, log groups; for a minute a bucket with the template. It takes about ten minutes, and everything is
deleted at the end. By the price table it costs below $${costAtMost().toFixed(2)}, and at most a dollar with all that is
not in it.
`;

function isConfirmed({ terminal }: Session): Promise<boolean> {
  if (!terminal.isAttended) throw usage('there is no terminal to ask on; pass --yes if you are sure');
  return terminal.confirm(WHAT, 'Continue?');
}

function isWell({ scenarios, claims, left }: Evidence): boolean {
  const isSame = scenarios.every(({ verdict }) => verdict === 'same');
  return isSame && claims.every(({ verdict }) => verdict !== 'contradicted') && left.length === 0;
}

function rendered(evidence: Evidence, file: string, style: Style): string {
  const { scenarios, claims, isAws, endpoint, region, transitions, dollars, left } = evidence;
  const columns = [
    { title: 'scenario', values: scenarios.map(({ name }) => name), isElastic: false },
    { title: 'verdict', values: scenarios.map(({ verdict }) => verdict), isElastic: false },
    { title: 'histories', values: scenarios.map(({ executions }) => `${executions}`), isElastic: false },
    { title: 'transitions', values: scenarios.map(one => `${one.transitions}`), isElastic: false },
    {
      title: 'fresh events',
      values: scenarios.map(({ latency }) =>
        latency ? `${latency.samples}: p50 ${latency.p50} ms, p99 ${latency.p99} ms` : '',
      ),
      isElastic: false,
    },
    { title: 'why', values: scenarios.map(({ detail }) => detail), isElastic: true },
  ];
  const differences = scenarios.flatMap(({ name, differences: found }) =>
    found.map(({ at, remote, local, times }) => {
      const [one, two] = [remote, local].map(value => JSON.stringify(value).slice(0, SHOWN_MAX));
      const more = times > 1 ? `, and ${times - 1} more` : '';
      return `  ${name}: ${at}${more}\n    remote  ${one}\n    local   ${two}\n`;
    }),
  );
  const where = isAws ? `on AWS, in ${region}` : `at ${endpoint}, which is *not AWS*: that settles nothing`;
  const told = claims.filter(({ verdict }) => verdict === 'contradicted');
  const seen = claims.filter(({ verdict }) => verdict === 'seen').length;
  const blocks = [
    `${table(style, columns)}\n`,
    ...(differences.length > 0 ? [`Differences from the local runtime:\n${differences.join('')}`] : []),
    ...(told.length > 0
      ? [`Contradicted:\n${told.map(one => `  ${one.id}: ${one.detail}\n`).join('')}`]
      : []),
    ...(left.length > 0 ? [`Not deleted:\n${left.map(one => `  ${one}\n`).join('')}`] : []),
    `${seen} of ${plural(claims.length, 'claim')} seen ${where}\n` +
      `${transitions} transitions, counted in the histories and not in a bill; $${dollars.toFixed(4)} by the price table\n` +
      `evidence: ${file}\n`,
  ];
  return blocks.join('\n');
}

/** A value of a difference, in characters; the evidence has it whole. */
const SHOWN_MAX = 200;
