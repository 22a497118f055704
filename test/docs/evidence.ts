import type { Evidence } from '../../cli/verify/evidence';
import { readIfThere } from './page';

/** Where the last evidence is kept that `onceflow verify --evidence` has written on AWS. */
const FILE = 'docs/reference/aws-evidence.json';

/** The last evidence of AWS; undefined where there is none. What another endpoint has said is none. */
function lastEvidence(): Evidence | undefined {
  const text = readIfThere(FILE);
  const evidence = text === undefined ? undefined : (JSON.parse(text) as Evidence);
  return evidence?.isAws ? evidence : undefined;
}

/** What stands between `<!-- seen: ID -->` and `<!-- /seen -->`: of a claim, or of the whole as `all` and `version`. */
export function withEvidence(text: string, evidence = lastEvidence()): string {
  return text.replace(
    /(<!-- seen: ([\w-]+) -->).*?(<!-- \/seen -->)/g,
    (_, from: string, id: string, to: string) => {
      return `${from}${sentenceOf(id, evidence)}${to}`;
    },
  );
}

function sentenceOf(id: string, evidence: Evidence | undefined): string {
  const at = evidence && `${evidence.begunAt.slice(0, 10)}, ${evidence.region}`;
  if (id === 'all') {
    return at
      ? `The scenarios of \`onceflow verify\` ran on AWS (${at}), nothing else`
      : 'Nothing of this has run on AWS';
  }
  if (id === 'version') return at ? `verified on AWS ${at}` : 'not yet run on AWS';
  const claim = evidence?.claims.find(one => one.id === id);
  if (!claim || claim.verdict === 'open') return 'on AWS: never';
  return claim.verdict === 'seen' ? `on AWS: seen ${at}` : `on AWS: **contradicted** ${at}: ${claim.detail}`;
}
