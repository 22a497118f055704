import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as local from '@onceflow/local';
import { CLAIMS } from '../../../cli/verify/claims';
import { type Environment, localEnvironment } from '../../../cli/verify/environment';
import { claimsSeen } from '../../../cli/verify/evidence';
import { keysScenario } from '../../../cli/verify/keys';
import { runScenario } from '../../../cli/verify/run-scenario';
import type { Transcript } from '../../../cli/verify/scenario-run';
import { SCENARIOS } from '../../../cli/verify/scenarios';
import { synthesizeInto } from '../../../cli/verify/stack';
import { runs } from '../../support/scale';

jest.setTimeout(240_000);

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-verify-'));
const signal = new AbortController().signal;
let remote: Environment;
let here: Environment;

beforeAll(async () => {
  synthesizeInto(directory);
  remote = await localEnvironment(local, directory, signal);
  here = await localEnvironment(local, directory, signal);
});
afterAll(async () => {
  await remote.close();
  await here.close();
  rmSync(directory, { recursive: true, force: true });
});

const environments = () => ({ remote, local: here, runId: '0123abcd' });
const definition = () => local.readAssembly(directory).stateMachines[0]?.definitionText ?? '';

const transcripts = new Map<string, Transcript>();

test.each(SCENARIOS.map(one => [one.name, one] as const))('%s: the same in two stacks', async (name, one) => {
  const { result, transcript } = await runScenario(one, environments());

  expect(result).toMatchObject({ name, verdict: 'same', differences: [] });
  if (transcript) transcripts.set(name, transcript);
});

const INPUTS = runs(60, 300);

test('keys: the definition and the client agree', async () => {
  const { result, transcript } = await runScenario(keysScenario(definition(), INPUTS), environments());

  expect(result).toMatchObject({ verdict: 'same' });
  expect(transcript?.notes).toEqual({ asked: INPUTS, different: [] });
  if (transcript) transcripts.set('keys', transcript);
});

test('keys, if the definition hashes otherwise: each difference is reported', async () => {
  const other = definition().replaceAll('SHA-256', 'SHA-1');
  const { transcript } = await runScenario(keysScenario(other, INPUTS), environments());

  expect(transcript?.notes['different']).not.toEqual([]);
});

test('claims: each is seen by its scenario, and open without it', () => {
  expect(claimsSeen(transcripts).map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(
    CLAIMS.map(({ id }) => `${id} seen`),
  );
  expect(new Set(claimsSeen(new Map()).map(({ verdict }) => verdict))).toEqual(new Set(['open']));
});

test.each([
  ['condition-rejected', 'TaskFailed', 'error', 'DynamoDB.SomethingElse'],
  ['throttled-function', 'TaskFailed', 'error', 'Lambda.SomethingElse'],
  ['redrive-goes-on', 'ExecutionRedriven', 'type', 'ExecutionStarted'],
] as const)('claim %s, where AWS says something else: contradicted', (id, type, member, said) => {
  const { scenario } = CLAIMS.find(one => one.id === id) ?? { scenario: '' };
  const changed = JSON.parse(JSON.stringify(transcripts.get(scenario))) as Transcript;
  for (const { events } of Object.values(changed.executions)) {
    for (const event of events as unknown as Record<string, unknown>[]) {
      if (event['type'] !== type) continue;
      if (member === 'type') event['type'] = said;
      else Object.assign(event['taskFailedEventDetails'] as object, { error: said });
    }
  }

  const seen = claimsSeen(new Map([[scenario, changed]])).find(one => one.id === id);
  expect(seen).toMatchObject({ verdict: 'contradicted' });
});
