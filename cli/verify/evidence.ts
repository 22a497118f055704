import { writeFileSync } from 'node:fs';
import { CLAIMS } from './claims';
import type { Difference } from './compare';
import type { Latency } from './figures';
import type { Transcript } from './scenario-run';

/** How a scenario came out. */
export interface ScenarioResult {
  readonly name: string;
  readonly about: string;
  /** As in the local runtime, otherwise, or not run to its end: for the reason in `detail`. */
  readonly verdict: 'same' | 'differs' | 'not run';
  readonly detail: string;
  readonly differences: readonly Difference[];
  /** Executions whose histories were compared. */
  readonly executions: number;
  /** The state transitions that their histories have. What AWS bills is not read. */
  readonly transitions: number;
  /** How long fresh events took; absent where none was timed. */
  readonly latency?: Latency;
}

/** Whether a claim was seen, or something else; `open`: its scenario did not run. */
export interface ClaimSeen {
  readonly id: string;
  readonly verdict: 'seen' | 'contradicted' | 'open';
  readonly detail: string;
}

/** What a verification has found: the file that documents are made from. */
export interface Evidence {
  readonly isAws: boolean;
  /** The asked endpoint, if that is not AWS. */
  readonly endpoint: string | null;
  readonly region: string;
  /** ISO 8601 dates. */
  readonly begunAt: string;
  readonly endedAt: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly scenarios: readonly ScenarioResult[];
  readonly claims: readonly ClaimSeen[];
  readonly transitions: number;
  /** What the transitions cost by the price table, in US dollars. */
  readonly dollars: number;
  /** The resources that were made and could not be deleted. */
  readonly left: readonly string[];
}

/** What the transcripts say of the claims, by the names of scenarios. */
export function claimsSeen(transcripts: ReadonlyMap<string, Transcript>): readonly ClaimSeen[] {
  return CLAIMS.map(({ id, scenario, sees }) => {
    const transcript = transcripts.get(scenario);
    if (transcript === undefined) return { id, verdict: 'open', detail: `${scenario} did not run` };
    const seen = sees(transcript);
    return seen === true
      ? { id, verdict: 'seen', detail: '' }
      : { id, verdict: 'contradicted', detail: seen };
  });
}

/** Writes the evidence, as JSON with a line for each member. */
export function writeEvidence(file: string, evidence: Evidence): void {
  writeFileSync(file, `${JSON.stringify(evidence, null, 2)}\n`);
}
