import type { LocalService, ServiceDefinition } from '../local-service';
import { s3Route } from './api/route';
import { Buckets } from './buckets';
import { BUCKET, S3_RESOURCE_TYPES } from './cloudformation';
import { s3Integrations } from './integrations';
import { savedBuckets } from './saved-buckets';

/** The S3 of a stack. */
export interface S3Service extends LocalService {
  readonly buckets: Buckets;
}

/** S3: buckets with their objects, which outlive the process. */
export const S3: ServiceDefinition<S3Service> = {
  resourceTypes: S3_RESOURCE_TYPES,
  open({ environment, resources, clock, newRequestId, directory }) {
    const saved = directory && savedBuckets(directory);
    const buckets = new Buckets({
      now: () => clock.now(),
      ...(saved && { changed: saved.changed, written: saved.written }),
    });
    return {
      buckets,
      integrations: s3Integrations(buckets, newRequestId),
      route: s3Route(buckets, environment.region),
      sdkName: 'S3',
      async restore() {
        if (saved) buckets.restore(await saved.load());
      },
      start() {
        for (const { name } of resources.of(BUCKET)) buckets.create(name);
      },
      close: () => undefined,
    };
  },
};
