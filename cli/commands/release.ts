import { randomUUID } from 'node:crypto';
import { recordKey } from '../../state-machine/contract/index';
import type { Answer, Desk } from '../answer';
import type { Aws } from '../aws/aws';
import { situationOf } from '../key/inspect';
import { release } from '../key/release';
import { type Plan, planOf } from '../key/release-plan';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal, usage } from '../refusal';
import { recordFacts } from '../render/key-facts';
import { facts, hanging } from '../render/layout';
import type { Look } from '../render/look';
import { printable } from '../text';
import type { Workflow } from '../workflow';

/** Frees a key, after asking. @throws Refusal where that is not safe, or was not confirmed */
export async function releaseKey(
  aws: Aws,
  workflow: Workflow,
  wishes: Command & { name: 'release' },
  desk: Desk,
  look: Look,
): Promise<Answer> {
  const full = recordKey(workflow.scope, wishes.key.text);
  const situation = await situationOf(aws, workflow, full);
  const plan = planOf(situation, wishes);
  if (plan.kind === 'refused') throw new Refusal(`${JSON.stringify(full)} is not released: ${plan.reason}`);
  if (plan.kind === 'free') {
    const text = `${JSON.stringify(full)} is free already: ${plan.reason}`;
    return {
      code: EXIT.done,
      json: { recordKey: full, released: false, reason: plan.reason },
      text: () => `${text}\n`,
    };
  }
  if (!wishes.isSure) {
    if (!desk.isAttended) throw usage('there is no terminal to ask on; pass --yes if you are sure');
    const known = facts(look, recordFacts(situation, plan.record));
    const text = `${printable(full)}\n\n${known}\n\n${planInWords(look, plan)}\n\n`;
    const isConfirmed = await desk.confirm(text, 'Release the key?');
    if (!isConfirmed) throw new Refusal('nothing was released');
  }
  desk.progress(plan.isHeldFirst ? 'holding the record back while deliveries end' : 'releasing');
  await release(aws, workflow, plan, wishes, randomUUID());
  const { action, record, dangers } = plan;
  const nextAttempt = action === 'delete' ? 1 : record.attempt + 1;
  const last = dangers.map(danger => `${hanging(look, 'Mind: ', danger)}\n`).join('');
  return {
    code: EXIT.done,
    json: { recordKey: full, released: true, action, nextAttempt, dangers },
    text: () =>
      `${printable(full)} is released: the next delivery runs the step as attempt ${nextAttempt}\n${last}`,
  };
}

function planInWords(look: Look, { effects, dangers, isHeldFirst }: Plan & { kind: 'ready' }): string {
  const held = isHeldFirst
    ? ['holds the record back first, until no delivery can be about to redrive the owner: some seconds']
    : [];
  const lines = [...held, ...effects].map(effect => hanging(look, '  - ', effect));
  const mind = dangers.map(danger => hanging(look, '  ! ', danger));
  return ['This', ...lines, ...(mind.length > 0 ? ['Mind that', ...mind] : [])].join('\n');
}
