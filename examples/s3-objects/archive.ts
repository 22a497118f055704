import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  advanceBy,
  deliverEvent,
  type ExecutionDescription,
  type Interceptor,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { S3ObjectsStack } from './stack';

/** What has happened to an object. */
export interface Change {
  /** What is in the object from then on; undefined: it was deleted. */
  readonly etag?: string;
  readonly sequencer: string;
}

/** A life of an object, as it happened; its sequencers differ in length, and are not in the order of their numbers. */
export const LIFE: readonly Change[] = [
  { etag: 'draft', sequencer: '0055AED6DCD90281E5' },
  { etag: 'corrected', sequencer: '0055AED6DD' },
  { sequencer: '0055AED6DD00A1' },
  { etag: 'final', sequencer: '0055AED6E' },
];

/** Synthesizes the stack into a directory of its own, which is the caller's to remove. */
export function synthesizeArchive(): { readonly assembly: string; remove(): void } {
  const assembly = mkdtempSync(path.join(tmpdir(), 's3-objects-'));
  const remove = () => rmSync(assembly, { recursive: true, force: true });
  try {
    const app = new App({ outdir: assembly });
    new S3ObjectsStack(app, 'S3Objects');
    app.synth();
    return { assembly, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The catalogue on the local stack, in virtual time; the events of its bucket are made up. */
export class Archive {
  /** What happens to the workflow's calls from now on. */
  faults: Interceptor = (_, next) => next();
  readonly #stack: LocalStack;
  readonly #clock: VirtualClock;
  readonly #work: WorkTracker;

  private constructor(stack: LocalStack, clock: VirtualClock, work: WorkTracker) {
    [this.#stack, this.#clock, this.#work] = [stack, clock, work];
  }

  static async open(assembly: string): Promise<Archive> {
    const [clock, work] = [new VirtualClock(Date.parse('2026-11-20T09:00:00Z')), new WorkTracker()];
    const interceptor: Interceptor = (call, next) => archive.faults(call, next);
    const stack = await startLocal({ assembly, clock, work, interceptor, seed: '1' });
    const archive = new Archive(stack, clock, work);
    return archive;
  }

  /** Delivers events of objects at the same time, and lets time pass until all is done. */
  async deliver(
    ...events: readonly (readonly [key: string, change: Change])[]
  ): Promise<ExecutionDescription[]> {
    const delivered = events.map(([key, change]) => this.#put(key, change));
    await runToEnd(this.#stack.runtime, this.#clock);
    return (await Promise.all(delivered)).flat();
  }

  /** Delivers an event whose execution dies within its step; it is recovered as time passes. */
  async deliverAndDie(key: string, change: Change): Promise<void> {
    this.faults = (call, next) => {
      if (call.stateName !== 'Business step') return next();
      this.faults = (_, next) => next();
      void this.#stack.runtime.stopExecution({ executionArn: call.executionArn });
      return this.#work.lose();
    };
    void this.#put(key, change);
    await this.pass(0);
  }

  pass(ms: number): Promise<void> {
    return advanceBy(this.#stack.runtime, this.#clock, ms);
  }

  /** What the catalogue says of objects: the etag, or `deleted`. */
  async states(): Promise<ReadonlyMap<string, string>> {
    const items = await this.#items('CatalogueTableName');
    return new Map(items.map(item => [this.#keyOf(item['object']?.S), item['state']?.S ?? '']));
  }

  /** Every scan so far, as `key etag`. */
  async scans(): Promise<readonly string[]> {
    const items = await this.#items('ScansTableName');
    return items.map(item => `${this.#keyOf(item['object']?.S)} ${item['etag']?.S}`);
  }

  close(): Promise<void> {
    return this.#stack.close();
  }

  #put(key: string, { etag, sequencer }: Change): Promise<ExecutionDescription[]> {
    const type = etag === undefined ? 'Object Deleted' : 'Object Created';
    const object = { key, sequencer, ...(etag !== undefined && { etag, size: etag.length }) };
    const detail = { version: '0', bucket: { name: this.#stack.output('BucketName') }, object };
    return deliverEvent(this.#stack, { source: 'aws.s3', 'detail-type': type, detail });
  }

  #keyOf(object = ''): string {
    return object.slice(this.#stack.output('BucketName').length + 1);
  }

  async #items(table: 'CatalogueTableName' | 'ScansTableName') {
    const request = new ScanCommand({ TableName: this.#stack.output(table), ConsistentRead: true });
    return (await this.#stack.dynamoDb.client.send(request)).Items ?? [];
  }
}
