#!/usr/bin/env node
import { ExploreError } from '../explore/explore';
import { LocalError, StatesError } from '../index';
import { HELP, readArguments, UsageError } from './arguments';
import { exploreCommand } from './explore';
import { run } from './run';
import { serve } from './serve';

async function main(given: readonly string[]): Promise<number> {
  const print = (text: string) => void process.stdout.write(text);
  if (given[0] === 'explore') return exploreCommand(given.slice(1), print);
  const asked = readArguments(given);
  if (asked.command === 'help') {
    print(HELP);
    return 0;
  }
  return asked.command === 'run' ? run(asked, print) : serve(asked, print);
}

const given = process.argv.slice(2);
main(given).then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isExpected = [UsageError, LocalError, StatesError, ExploreError].some(
      kind => error instanceof kind,
    );
    const message = error instanceof Error ? error.message : String(error);
    const text = isExpected ? message : `internal error: ${message}`;
    const hint = error instanceof UsageError ? '; --help shows all options' : '';
    if (given.includes('--json')) process.stdout.write(`${JSON.stringify({ error: text })}\n`);
    process.stderr.write(`onceflow-local: ${text}${hint}\n`);
    process.exitCode = isExpected ? 2 : 3;
  },
);
