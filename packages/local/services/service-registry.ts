import type { ServiceRoute, WrapBlockingRequest } from '../api/exchange';
import type { Service } from '../runtime/calls/service';
import type { LocalService, ServiceDirectory } from './local-service';

/** The services of one stack that are open, in the order in which they were opened. */
export class ServiceRegistry implements ServiceDirectory {
  readonly #services: LocalService[] = [];
  readonly integrations = new Map<string, Service>();
  endpoint: string | undefined;

  add(service: LocalService): void {
    this.#services.push(service);
    for (const [resource, integration] of service.integrations) this.integrations.set(resource, integration);
  }

  /**
   * Gives the services back what they had in an earlier process.
   *
   * @throws DamagedState where what is in the directory cannot be read
   */
  async restore(): Promise<void> {
    for (const service of this.#services) await service.restore?.();
  }

  ownerOf(arn: string): LocalService | undefined {
    const name = arn.split(':')[2];
    return this.#services.find(({ route }) => route?.service.signingName === name);
  }

  endpointVariables(): Record<string, string> {
    const endpoints = this.#services.flatMap(({ sdkName, further = [], endpoint = this.endpoint }) =>
      [{ sdkName }, ...further].flatMap(one =>
        endpoint === undefined || one.sdkName === undefined
          ? []
          : [[`AWS_ENDPOINT_URL_${one.sdkName}`, endpoint]],
      ),
    );
    return Object.fromEntries(endpoints);
  }

  withLocalUrls(text: string): string {
    return this.#services.reduce((changed, service) => service.withLocalUrls?.(changed) ?? changed, text);
  }

  /** Starts the work of services without a request, such as schedules. @throws LocalError if some cannot run */
  start(): void {
    for (const service of this.#services) service.start?.();
  }

  /** What the stack's endpoint answers. */
  get routes(): readonly ServiceRoute[] {
    return this.#services.flatMap(({ route, further = [] }) => [
      ...(route ? [route] : []),
      ...further.map(one => one.route),
    ]);
  }

  /** Wraps the answer in the `wrapBlockingRequest` of each service that has one. */
  readonly wrapBlockingRequest: WrapBlockingRequest = (traceHeader, answer) =>
    this.#services.reduce(
      (inner, { wrapBlockingRequest }) =>
        wrapBlockingRequest ? () => wrapBlockingRequest(traceHeader, inner) : inner,
      answer,
    )();
}
