import { print, timed } from './measure';
import { openThreeTasks } from './runtime';
import { inputOf } from './three-tasks';

// Three Task states on the local runtime, every history kept. Argument: how many executions to time.

const executions = Number(process.argv[2]);

async function measure(): Promise<void> {
  let bench = openThreeTasks();
  let arns: string[] = [];
  const result = await timed(executions, executions, async count => {
    // What warmed up is not kept, here as with what it is compared to.
    bench = openThreeTasks();
    arns = await bench.run(Array.from({ length: count }, (_, index) => inputOf(index)));
  });
  print({ ...result, events: await bench.countEvents(arns) });
}

void measure();
