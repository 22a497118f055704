import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as local from '@onceflow/local';
import { CLAIMS } from '../../../cli/verify/claims';
import { CONVERSATIONS } from '../../../cli/verify/conversations';
import { claimsSeen } from '../../../cli/verify/evidence';
import { hold } from '../../../cli/verify/hold';
import { keysConversation } from '../../../cli/verify/keys';
import { localPlace, type Place } from '../../../cli/verify/place';
import { synthesizeInto } from '../../../cli/verify/stack';
import type { Transcript } from '../../../cli/verify/talk';
import { runs } from '../../support/scale';

jest.setTimeout(240_000);

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-verify-'));
const signal = new AbortController().signal;
let there: Place;
let here: Place;

beforeAll(async () => {
  synthesizeInto(directory);
  there = await localPlace(local, directory, signal);
  here = await localPlace(local, directory, signal);
});
afterAll(async () => {
  await there.close();
  await here.close();
  rmSync(directory, { recursive: true, force: true });
});

const places = () => ({ there, local: here, run: '0123abcd' });
const definition = () => local.readAssembly(directory).stateMachines[0]?.definitionText ?? '';

const transcripts = new Map<string, Transcript>();

test.each(CONVERSATIONS.map(one => [one.name, one] as const))(
  '%s: the same in two stacks',
  async (name, one) => {
    const { held, transcript } = await hold(one, places());

    expect(held).toMatchObject({ name, verdict: 'same', differences: [] });
    if (transcript) transcripts.set(name, transcript);
  },
);

const INPUTS = runs(60, 300);

test('keys: the definition and the client agree', async () => {
  const { held, transcript } = await hold(keysConversation(definition(), INPUTS), places());

  expect(held).toMatchObject({ verdict: 'same' });
  expect(transcript?.notes).toEqual({ asked: INPUTS, different: [] });
  if (transcript) transcripts.set('keys', transcript);
});

test('keys, where the definition hashes otherwise: each difference is told', async () => {
  const other = definition().replaceAll('SHA-256', 'SHA-1');
  const { transcript } = await hold(keysConversation(other, INPUTS), places());

  expect(transcript?.notes['different']).not.toEqual([]);
});

test('claims: each is seen by its conversation, and open without it', () => {
  expect(claimsSeen(transcripts).map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(
    CLAIMS.map(({ id }) => `${id} seen`),
  );
  expect(new Set(claimsSeen(new Map()).map(({ verdict }) => verdict))).toEqual(new Set(['open']));
});

test.each([
  ['condition-refused', 'TaskFailed', 'error', 'DynamoDB.SomethingElse'],
  ['throttled-function', 'TaskFailed', 'error', 'Lambda.SomethingElse'],
  ['redrive-goes-on', 'ExecutionRedriven', 'type', 'ExecutionStarted'],
] as const)('claim %s, where AWS says something else: contradicted', (id, type, member, said) => {
  const { conversation } = CLAIMS.find(one => one.id === id) ?? { conversation: '' };
  const changed = JSON.parse(JSON.stringify(transcripts.get(conversation))) as Transcript;
  for (const { events } of Object.values(changed.executions)) {
    for (const event of events as unknown as Record<string, unknown>[]) {
      if (event['type'] !== type) continue;
      if (member === 'type') event['type'] = said;
      else Object.assign(event['taskFailedEventDetails'] as object, { error: said });
    }
  }

  const seen = claimsSeen(new Map([[conversation, changed]])).find(one => one.id === id);
  expect(seen).toMatchObject({ verdict: 'contradicted' });
});
