import { entryOf } from '../contract/claim-id';
import { expression } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import type { Settings } from '../settings';

/**
 * What a finalizing write adds to its condition where an execution may enter the states several times: its ARN and the
 * attempt do not tell one entry from another. Empty elsewhere.
 */
export function ownEntry(settings: Settings) {
  if (!settings.variant.isPart) return { clause: '', names: {}, values: {} };
  return {
    clause: ' AND #entry = :entry',
    names: { '#entry': RECORD.entry },
    values: { ':entry': { S: expression(entryOf(settings.variant)) } },
  };
}
