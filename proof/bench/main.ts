import { cpus } from 'node:os';
import { withSynthesizedApp } from '../../cli/dev/synthesize';
import { EXIT } from '../../cli/program/exit';
import { runProgram } from '../../cli/program/program';
import { chargePayment, costs, kept, type Result, threeTasks } from './benches';
import { buildChildren, type Children } from './child';
import { type Bench, HELP, type Options, parseOptions } from './options';
import { renderReport } from './render';
import type { Report } from './report';
import { installRival, POWERTOOLS, RIVAL } from './rival-package';

runProgram({ name: 'bench', helpCommand: 'npm run bench -- --help', help: HELP, parse: parseOptions, run });

async function run({ benches, json }: Options): Promise<number> {
  const children = await buildChildren(['pass-through', 'rival', 'charge-payment', 'kept']);
  const results: Result[] = [];
  try {
    for (const bench of benches) {
      if (process.stderr.isTTY) process.stderr.write(`measuring (${bench}) …\n`);
      results.push(await measure(bench, children));
    }
  } finally {
    await children.close();
  }
  const report: Report = {
    node: process.versions.node,
    cpus: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    rows: results.flatMap(({ rows }) => rows),
    ratios: results.flatMap(({ ratios }) => ratios),
    costs: results.flatMap(({ costs }) => costs ?? []),
    notMeasured: results.flatMap(({ notMeasured }) => notMeasured),
  };
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  return EXIT.done;
}

async function measure(bench: Bench, children: Children): Promise<Result> {
  switch (bench) {
    case 'a':
      return threeTasks(children, await installRival(RIVAL));
    case 'b':
      return withSynthesizedApp(assembly => chargePayment(children, assembly));
    case 'c':
      return kept(children);
    case 'd':
      return withSynthesizedApp(async assembly => costs(assembly, await installRival(POWERTOOLS)));
    default: {
      const never: never = bench;
      throw new Error(`an unknown bench: ${never}`);
    }
  }
}
