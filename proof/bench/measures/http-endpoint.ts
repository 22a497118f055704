import { startLocal } from '@onceflow/local';

// The local stack with its endpoint, until this process's input ends. Argument: the folder of the synthesized assembly.
// Prints where the endpoint is.

async function serve(): Promise<void> {
  const stack = await startLocal({ assembly: process.argv[2] ?? '', port: 0 });
  process.stdout.write(`${stack.endpoint}\n`);
  process.stdin.resume().on('end', () => void stack.close().then(() => process.exit()));
}

void serve();
