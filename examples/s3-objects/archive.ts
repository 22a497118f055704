import { deliverEvent, type ExecutionDescription } from '@onceflow/local';
import { LocalApp } from '../fixture';

/** An event of an object. */
export interface Change {
  /** The content of the object from then on; undefined: it was deleted. */
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

/** The catalogue on the local stack; the events of its bucket are made up. */
export class Archive extends LocalApp {
  /** Delivers events of objects at the same time, and lets time pass until all is done. */
  async deliver(
    ...events: readonly (readonly [key: string, change: Change])[]
  ): Promise<ExecutionDescription[]> {
    const all = () => Promise.all(events.map(([key, change]) => this.#put(key, change)));
    return (await this.stack.act(all)).answer.flat();
  }

  /** Delivers an event whose execution is interrupted within its step; it is recovered as time passes. */
  async deliverAndDie(key: string, change: Change): Promise<void> {
    this.stack.faults.killIn('Business step', { when: 'before' });
    void this.#put(key, change);
    await this.pass(0);
  }

  /** What the catalogue says of objects: the etag, or `deleted`. */
  async states(): Promise<ReadonlyMap<string, string>> {
    const items = await this.items('CatalogueTableName');
    return new Map(items.map(item => [this.#keyOf(item['object']?.S), item['state']?.S ?? '']));
  }

  /** Every scan so far, as `key etag`. */
  async scans(): Promise<readonly string[]> {
    const items = await this.items('ScansTableName');
    return items.map(item => `${this.#keyOf(item['object']?.S)} ${item['etag']?.S}`);
  }

  #put(key: string, { etag, sequencer }: Change): Promise<ExecutionDescription[]> {
    const type = etag === undefined ? 'Object Deleted' : 'Object Created';
    const object = { key, sequencer, ...(etag !== undefined && { etag, size: etag.length }) };
    const detail = { version: '0', bucket: { name: this.stack.output('BucketName') }, object };
    return deliverEvent(this.stack, { source: 'aws.s3', 'detail-type': type, detail });
  }

  #keyOf(object = ''): string {
    return object.slice(this.stack.output('BucketName').length + 1);
  }
}
